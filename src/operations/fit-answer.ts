/**
 * Cuts an answer to what fits into the context window of an agent, and says how to read on.
 *
 * Lists are cut, never what stands in them: of each list that may be cut the same window of items is shown, from
 * `offset` on, as many as fit. `next_offset` is where the next window begins, null when there is no more.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { member } from '../base/json.ts';
import { codeRequestLimits } from '../base/limits.ts';
import { asciiJson } from './tool-result.ts';

/** Shows the window of a list. */
export type Window = (list: readonly JsonValue[]) => readonly JsonValue[];

/**
 * `shape` makes the answer and passes every list that may be cut through the window it is given; it is called several
 * times. The first item is shown even when it is too large by itself.
 */
export function fitted(
  shape: (window: Window) => JsonObject,
  offset: number,
  bytesMax: number = codeRequestLimits.toolAnswerBytesMax,
): JsonObject {
  let longest = 0;
  shape((list) => {
    longest = Math.max(longest, list.length);
    return list;
  });
  const whole = shape((list) => list.slice(offset));
  const rest = Math.max(0, longest - offset);
  if (sizeOf(finished(whole, null)) <= bytesMax) return finished(whole, null);
  const upTo = (count: number) =>
    finished(
      shape((list) => list.slice(offset, offset + count)),
      count < rest ? offset + count : null,
    );
  let fits = Math.min(1, rest);
  let tooMany = rest;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (sizeOf(upTo(middle)) <= bytesMax) fits = middle;
    else tooMany = middle;
  }
  return upTo(fits);
}

/** Where the caller wants to read on; checked by the row. */
export function offsetOf(given: JsonObject): number {
  const offset = member(given, 'offset');
  return typeof offset === 'number' ? offset : 0;
}

/** An answer may be cut already, by a limit of its own. */
function finished(shown: JsonObject, nextOffset: number | null): JsonObject {
  const truncated = nextOffset !== null || member(shown, 'truncated') === true;
  return { ...shown, truncated, next_offset: nextOffset };
}

function sizeOf(answer: JsonObject): number {
  return asciiJson(answer).length;
}
