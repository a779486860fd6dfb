/** An error that may say again what was typed, which can be of any length and hold anything. */
import { typedLimits } from '../../base/limits.ts';
import { safeLine } from './text-width.ts';

/**
 * One line of at most `errorCharsMax` characters without what a terminal would obey, and below it the advice of the
 * parser, which is in our words. A longer line loses its middle: both ends say what was wrong.
 */
export function shownError(text: string): string {
  const message = text.trimEnd();
  const advice = /\n\(Did you mean [\w ,-]+\?\)$/.exec(message)?.[0] ?? '';
  return `${withoutMiddle(safeLine(message.slice(0, message.length - advice.length)))}${advice}`;
}

function withoutMiddle(line: string): string {
  const { errorCharsMax } = typedLimits;
  if (line.length <= errorCharsMax) return line;
  const end = Math.floor(errorCharsMax / 2);
  // Never half a character: a terminal shows it as something else.
  const head = line.slice(0, errorCharsMax - end - 1).replace(/[\ud800-\udbff]$/, '');
  return `${head}…${line.slice(-end).replace(/^[\udc00-\udfff]/, '')}`;
}
