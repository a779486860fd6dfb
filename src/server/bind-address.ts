/** Which addresses may be bound: those that only this machine can reach. */
import { isIPv4 } from 'node:net';
import { ProcessError } from '../base/errors.ts';

/** The loopback address to bind. `localhost` is always 127.0.0.1, so that what is bound does not depend on a resolver. */
export function loopbackAddress(host: string): string {
  if (host.toLowerCase() === 'localhost') return '127.0.0.1';
  if (host === '::1' || host === '[::1]') return '::1';
  if (isIPv4(host) && host.startsWith('127.')) return host;
  throw new ProcessError(
    'bind_refused',
    'only 127.0.0.0/8, ::1 and localhost are served; other addresses need server mode (a token for each user, TLS), which this version does not offer',
  );
}
