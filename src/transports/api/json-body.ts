/**
 * Reads the JSON body of a request. It must be an object in UTF-8; a body without a single byte is an empty one.
 *
 * A key named `__proto__` stays an ordinary key, of two equal keys the later one counts, and nesting is counted before
 * the text is parsed, so that nothing behind this can be made to recurse too deeply.
 */
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { httpLimits } from '../../base/limits.ts';
import { type Reading, refusal } from './reading.ts';

/** `contentType` and `contentEncoding` are the headers as sent. */
export function readJsonBody(
  bytes: Buffer,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Reading<JsonObject> {
  if (bytes.length === 0) return { ok: true, value: {} };
  if (!namesJson(contentType) || !isPlain(contentEncoding)) return refusal('unsupported_media_type');
  const text = utf8Of(bytes);
  if (text === null) return refusal('invalid_request', { message: 'the body is not UTF-8' });
  if (isDeeperThan(text, httpLimits.jsonDepthMax)) {
    return refusal('invalid_request', {
      message: `the body nests deeper than ${httpLimits.jsonDepthMax} arrays and objects`,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body.
    return refusal('invalid_request', { message: 'the body is not JSON' });
  }
  if (isJsonObject(value)) return { ok: true, value };
  const message = 'the body must be a JSON object';
  return refusal('validation_error', {
    message,
    details: { errors: [{ loc: [], msg: message, type: 'object_type' }] },
  });
}

/** `application/json`, with no charset or that of JSON. */
function namesJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  return parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter));
}

function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity';
}

function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Counts open brackets outside of strings. What is no JSON may be counted wrongly; it is refused by the parser. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') {
      quoted = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
