/**
 * Credentials that a text itself presents as such: an authorization header, an assignment to a telling name, a URL
 * with user and password.
 */
import { anyCase, nonSpace, space, whitespaceClass, wordStart } from './characters.ts';
import { type Detector, patternDetector } from './detector.ts';

const header = new RegExp(
  `${wordStart}${anyCase('authorization')}${space}*:${space}*` +
    `(?:${anyCase('basic')}|${anyCase('bearer')})${space}+${nonSpace}`,
  'u',
);

/** Two words are joined by nothing, `_` or `-`; a space between them makes prose of them. */
const joined = (first: string, second: string): string => `${anyCase(first)}[_-]?${anyCase(second)}`;

const tellingNames = [
  anyCase('password'),
  anyCase('passwd'),
  anyCase('pwd'),
  anyCase('secret'),
  joined('api', 'key'),
  joined('access', 'token'),
  joined('refresh', 'token'),
  joined('client', 'secret'),
];

const assignment = new RegExp(`${wordStart}(?:${tellingNames.join('|')})${space}*[:=]${space}*${nonSpace}{4}`, 'u');

/**
 * `://` comes first and the scheme is read backwards from there: read forwards, or looked for at each place, a long
 * dotted text would be read again from every one of its letters.
 */
const credentialUrl = new RegExp(
  `://(?<=${wordStart}[A-Za-z][A-Za-z0-9+.-]*://)[^/:@${whitespaceClass}]+:[^/@${whitespaceClass}]+@`,
  'u',
);

export const spelledCredentials: readonly Detector[] = [
  patternDetector('authorization header', 'credential_shape', header),
  patternDetector('credential assignment', 'credential_shape', assignment),
  patternDetector('url with password', 'credential_shape', credentialUrl),
];
