/** How long ago something was, as people say it: `just now`, `5 minutes ago`, `yesterday`, `3 weeks ago`. */

/** Made when it is needed: that takes longer than most commands. */
let words: Intl.RelativeTimeFormat | undefined;

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `instant` is ISO 8601; text that is no time is given back. Less than a minute, also ahead, is `just now`. */
export function ageOf(instant: string, now: Date): string {
  const then = Date.parse(instant);
  if (Number.isNaN(then)) return instant;
  const seconds = (then - now.getTime()) / 1_000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) < length) continue;
    words ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    return words.format(Math.trunc(seconds / length), unit);
  }
  return 'just now';
}
