/**
 * Keys whose issuers marked them with a prefix. Each pattern needs a free start, so that a prefix inside an ordinary
 * word (`task-…`, `xghp_…`) is no hit. Where nothing is asked of the end, the pattern stops at its least length.
 */
import { type Detector, patternDetector } from './detector.ts';

export const providerKeys: readonly Detector[] = [
  patternDetector('cloud access key id', 'credential_shape', /(?<![A-Z0-9])A(?:K|S)IA[A-Z0-9]{16}(?![A-Z0-9])/u),
  patternDetector(
    'code host token',
    'credential_shape',
    /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})(?![A-Za-z0-9_])/u,
  ),
  patternDetector('chat token', 'credential_shape', /(?<![A-Za-z0-9-])xox[baprs]-[A-Za-z0-9-]{10}/u),
  patternDetector('live payment key', 'credential_shape', /(?<![A-Za-z0-9_])[sr]k_live_[A-Za-z0-9]{16}/u),
  patternDetector('cloud api key', 'credential_shape', /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/u),
  patternDetector('model api key', 'credential_shape', /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20}/u),
];
