/**
 * Every detector reads every text in linear time. The texts are made to lead a careless pattern astray: beginnings
 * without end, runs that fail at their last character, many places to start afresh.
 */
import { describe, expect, test } from 'vitest';
import { detectors } from './policy.ts';

const unitChars = 64 * 1024;

/** A text of `length` units made of `part` over and over, with an end that spoils a match. */
const repeated =
  (part: string, end = '') =>
  (length: number) =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length) + end;

const adversaries: Readonly<Record<string, (length: number) => string>> = {
  'letters alone': repeated('a'),
  'capitals alone': repeated('A'),
  'digits alone': repeated('1'),
  'underscore and letters': (length) => `_${'a'.repeat(length)}`,
  'dots and letters': repeated('a.'),
  'dashes and letters': repeated('a-'),
  'dashes alone': repeated('-'),
  'spaces alone': repeated(' '),
  'line breaks alone': repeated('\n'),
  'armour begun again and again': repeated('-----BEGIN RSA PRIVATE KEY----'),
  'access key ids one too long': repeated('AKIAAAAAAAAAAAAAAAAAA '),
  'code host token with a bad end': (length) => `ghp_${'a'.repeat(length)}_`,
  'code host tokens with bad ends': repeated('ghp_aaaaaaaaaaaaaaaaaaaaaaaaa_ '),
  'fine-grained tokens one too short': repeated('github_pat_aaaaaaaaaaaaaaaaaaa '),
  'chat token prefixes': repeated('xoxb-'),
  'payment key prefixes': repeated('sk_live_'),
  'api key prefixes': repeated('AIza'),
  'api key one too long': repeated('AIza', '_'),
  'model key prefixes': repeated(' sk-'),
  'header and endless spaces': (length) => `authorization${' '.repeat(length)}`,
  'header with colon and endless spaces': (length) => `authorization:${' '.repeat(length)}x`,
  'bearer and endless spaces': (length) => `authorization: bearer${' '.repeat(length)}`,
  'headers one after the other': repeated('authorization:'),
  'headers with spaces between': repeated('authorization   :   bearex   '),
  'assignment and endless spaces': (length) => `password${' '.repeat(length)}`,
  'assignment of three characters': (length) => `password=${' '.repeat(length)}abc`,
  'assignments of too little': repeated('api_key=   ab '),
  'dotted scheme': repeated('a.', '://'),
  'schemes without a boundary': (length) => `_${repeated('a+')(length)}://`,
  'url with an endless user': (length) => `https://${'u'.repeat(length)}`,
  'url with an endless password': (length) => `https://u:${'p'.repeat(length)}`,
  'urls with a user alone': repeated('ssh://git@host '),
  'urls with a password cut off': repeated('https://u:p'),
  'token header without end': (length) => `eyJ${'a'.repeat(length)}`,
  'token headers': repeated('eyJaaaaaaaa '),
  'token with two runs': (length) => `eyJaaaaaaaa.${'b'.repeat(length)}`,
  'tokens with two runs each': repeated('eyJaaaaaaaa.b!'),
  'identifiers one digit too long': repeated('123-45-67890 '),
  'digits with single spaces': repeated('1 '),
  'digits with single dashes': repeated('7-'),
  'digits of another script': repeated('٧ '),
  'cards one digit too long': repeated('42424242424242424242 '),
  'cards with a wrong check digit': repeated('4242424242424241  '),
  'last digit of a long run of sets of ten': repeated('\u{1d7ff} '),
  'letters beyond the basic plane': repeated('𐐀'),
};

/** What is not worth comparing: noise of a machine that is busy elsewhere. */
const toleratedMs = 250;

/** Processor time and not the clock, so that a busy machine does not matter. */
function processorMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1000;
}

describe('NP15 every detector is linear in the length of the text', () => {
  test.each(detectors.map((detector) => [detector.name, detector] as const))('NP15 %s', (_, detector) => {
    for (const [what, make] of Object.entries(adversaries)) {
      const long = make(4 * unitChars);
      const longMs = processorMs(() => detector.matches(long));
      if (longMs < toleratedMs) continue;
      const short = make(unitChars);
      const shortMs = processorMs(() => detector.matches(short));
      // Four times the text may take four times as long. Quadratic work would take sixteen times as long, and at this
      // size it takes seconds, far beyond what is tolerated.
      expect(longMs, `${what}: ${shortMs} ms, then ${longMs} ms`).toBeLessThan(10 * shortMs + toleratedMs);
    }
  });
});
