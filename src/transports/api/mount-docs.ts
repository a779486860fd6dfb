/** Serves the page at `/docs` and its two files. All three are the same for everybody, so they need no token. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Registry } from '../../operations/operation.ts';
import { pageScript, pageStyle } from './docs-assets.ts';
import { docsPage } from './docs-page.ts';

export const docsPaths: readonly string[] = ['/docs', '/docs/page.css', '/docs/page.js'];

/** The browser may load the page's own two files and talk to this server, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function mountDocs(scope: FastifyInstance, registry: Registry): void {
  let page: string | undefined;
  scope.get('/docs', async (_request, reply) => {
    page ??= docsPage(registry);
    return serve(reply, 'text/html; charset=utf-8', page);
  });
  scope.get('/docs/page.css', async (_request, reply) => serve(reply, 'text/css; charset=utf-8', pageStyle));
  scope.get('/docs/page.js', async (_request, reply) => serve(reply, 'text/javascript; charset=utf-8', pageScript));
}

function serve(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('referrer-policy', 'no-referrer')
    .type(type)
    .send(text);
}
