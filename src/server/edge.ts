/**
 * Who may come in at the network edge, as pure functions over headers.
 *
 * A loopback address protects from the network, not from the browser: a page can make its own name resolve to
 * 127.0.0.1 and send requests here. So the name that a request uses (Host) and the page that sent it (Origin) must
 * both be this machine's. The bearer token then tells this user from other users of the machine.
 */
import type { Caller } from '../operations/operation.ts';
import type { EdgeGuard, EdgeRequest } from '../transports/http.ts';

export interface EdgeOptions {
  /** Host names without port, lower case, besides the loopback three: the address that was bound. */
  readonly boundHost: string;
  readonly checkToken: (presented: string) => boolean;
  /** `none` frees `/mcp` alone. */
  readonly mcpAuth: 'token' | 'none';
}

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

const localCaller: Caller = { kind: 'local-token', principal: 'local' };
const anonymousCaller: Caller = { kind: 'anonymous-loopback', principal: 'anonymous' };

export function createEdgeGuard(options: EdgeOptions): EdgeGuard {
  const hosts: ReadonlySet<string> = new Set([...loopbackHosts, hostName(options.boundHost)]);
  return {
    admit(request) {
      if (!isHostAllowed(request, hosts)) return 'host_not_allowed';
      if (!isOriginAllowed(request, hosts)) return 'origin_not_allowed';
      return null;
    },
    identify(request, area) {
      // A credential in the address ends up in histories and logs: refused even beside a good header.
      if (carriesCredential(request.target)) return null;
      if (area === 'mcp' && options.mcpAuth === 'none') return anonymousCaller;
      const token = bearerToken(request);
      return token !== null && options.checkToken(token) ? localCaller : null;
    },
  };
}

/** Exactly one Host that names this machine, on any port; an absolute target must name it too. */
export function isHostAllowed(request: EdgeRequest, hosts: ReadonlySet<string>): boolean {
  const sent = request.headersDistinct['host'] ?? [];
  const [host] = sent;
  if (host === undefined || sent.length !== 1 || !namesHost(host, hosts)) return false;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.target);
  return absolute === null || namesHost(absolute[1] ?? '', hosts);
}

/** No Origin, or that of a page served from this machine; and never a fetch that the browser calls cross-site. */
export function isOriginAllowed(request: EdgeRequest, hosts: ReadonlySet<string>): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return false;
  const sent = request.headersDistinct['origin'];
  if (sent === undefined) return true;
  const page = sent.length === 1 ? /^https?:\/\/([^/?#]+)$/i.exec(sent[0] ?? '') : null;
  return page !== null && namesHost(page[1] ?? '', hosts);
}

/** The token of one well-formed `Authorization: Bearer`, or null. */
export function bearerToken(request: EdgeRequest): string | null {
  const sent = request.headersDistinct['authorization'] ?? [];
  const match = sent.length === 1 ? /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(sent[0] ?? '') : null;
  return match?.[1] ?? null;
}

/** Whether the query holds a parameter in which clients are known to put tokens. */
export function carriesCredential(target: string): boolean {
  const query = target.split('?').slice(1).join('?');
  for (const name of new URLSearchParams(query).keys()) {
    if (/^(?:access_?token|token|api_?key|authorization|bearer)$/i.test(name)) return true;
  }
  return false;
}

/** `name`, `name:port`, `[v6]` or `[v6]:port`, nothing around it. A trailing dot is another name. */
function namesHost(authority: string, hosts: ReadonlySet<string>): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:@[\]\s]+)(?::\d{1,5})?$/i.exec(authority);
  return match !== null && hosts.has((match[1] ?? '').toLowerCase());
}

/** An address as it is written in a Host header. */
function hostName(address: string): string {
  return (address.includes(':') ? `[${address}]` : address).toLowerCase();
}
