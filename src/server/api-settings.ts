/** What an operator may set for `/v1`, read once at start. Anything that is not exactly right stops the start. */
import { ProcessError } from '../base/errors.ts';
import { httpLimits, settingsLimits } from '../base/limits.ts';
import type { Environment } from './home.ts';

const variable = 'NEURALMIND_API_MAX_BODY_BYTES';

/** The largest body outside of `/mcp`, in bytes. Throws ProcessError `invalid_settings`. */
export function apiBodyBytesMax(env: Environment): number {
  const text = env[variable];
  if (text === undefined) return httpLimits.apiBodyBytesMax;
  const { apiBodyBytesLeast: least, apiBodyBytesMost: most } = settingsLimits;
  const bytes = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (bytes >= least && bytes <= most) return bytes;
  throw new ProcessError('invalid_settings', `${variable} must be a whole number of bytes from ${least} to ${most}`);
}
