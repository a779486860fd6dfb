/** What a store or the code mind answers, as plain JSON: members that are not set are gone. */
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export function plain(value: object): JsonObject {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('an answer is an object');
  return copy;
}
