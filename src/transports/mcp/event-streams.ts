/**
 * The open event streams: how many each caller holds, and the plain stream that `GET /mcp` gives without a session.
 *
 * That stream carries comments alone. It exists for clients that open one by habit and take a refusal for a fault.
 */
import type { ServerResponse } from 'node:http';
import { httpLimits } from '../../base/limits.ts';
import { isGone } from './respond.ts';

export class EventStreams {
  readonly #byPrincipal = new Map<string, Set<ServerResponse>>();
  readonly #timers = new Map<ServerResponse, NodeJS.Timeout>();

  /** Counts `res` as a stream of the caller until it closes. False, and nothing counted, when the caller has enough. */
  reserve(principal: string, res: ServerResponse): boolean {
    const open = this.#byPrincipal.get(principal) ?? new Set();
    if (open.size >= httpLimits.streamsPerCallerMax) return false;
    open.add(res);
    this.#byPrincipal.set(principal, open);
    res.once('close', () => {
      clearInterval(this.#timers.get(res));
      this.#timers.delete(res);
      open.delete(res);
      if (open.size === 0) this.#byPrincipal.delete(principal);
    });
    return true;
  }

  /** Turns a reserved response into an endless stream of comments: one at once, then one at every interval. */
  async serveComments(res: ServerResponse): Promise<void> {
    if (isGone(res)) return;
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const comment = (): void => void res.write(': open\n\n');
    comment();
    this.#timers.set(res, setInterval(comment, httpLimits.streamCommentIntervalMs).unref());
    await new Promise<void>((resolve) => {
      res.once('finish', resolve);
      res.once('close', resolve);
    });
  }

  closeCommentStreams(): void {
    for (const res of this.#timers.keys()) res.end();
  }
}
