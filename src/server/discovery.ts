/**
 * `daemon.json`: where the daemon of this home listens, for clients of the same user.
 *
 * It holds the token, so it is as private as the token file, and it names the process that wrote it exactly enough to
 * be recognised as a leftover: pid plus the moment that process began. A leftover stops nobody.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readPrivateFile, removeIfThere, replacePrivateFile } from '../base/private-file.ts';
import { isRunning, ownIdentity } from '../base/process-identity.ts';

const discoverySchema = z.object({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535),
  pid: z.int().positive(),
  version: z.string(),
  /** UTC, whole seconds. */
  started_at: z.string(),
  token: z.string().min(1),
  /** Tells the process from a later one with the same pid. */
  process_begun: z.string(),
});

export type Discovery = Readonly<z.infer<typeof discoverySchema>>;

export type DiscoveryState =
  | { readonly kind: 'none' }
  /** A leftover: its process is gone, or the file is not one of ours. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'running'; readonly daemon: Discovery }
  /** Not private to this user, so neither its address nor its token may be used. */
  | { readonly kind: 'unsafe'; readonly fault: string };

export function discoveryPath(home: string): string {
  return join(home, 'daemon.json');
}

export function readDiscovery(home: string): DiscoveryState {
  const file = readPrivateFile(discoveryPath(home));
  if (file.kind === 'missing') return { kind: 'none' };
  if (file.kind === 'unsafe') return file;
  const daemon = parseDiscovery(file.text);
  if (daemon === null) return { kind: 'stale' };
  return isRunning({ pid: daemon.pid, begun: daemon.process_begun }) ? { kind: 'running', daemon } : { kind: 'stale' };
}

export type Announcement = Omit<Discovery, 'pid' | 'process_begun'>;

/** Announces this process in place of whatever stood there. */
export function writeDiscovery(home: string, announcement: Announcement): void {
  const { pid, begun } = ownIdentity();
  const { host, port, version, started_at, token } = announcement;
  const discovery: Discovery = { host, port, pid, version, started_at, token, process_begun: begun };
  replacePrivateFile(discoveryPath(home), `${JSON.stringify(discovery, null, 2)}\n`);
}

/** Takes the announcement back if it is still this process's. */
export function removeOwnDiscovery(home: string): void {
  const file = readPrivateFile(discoveryPath(home));
  const daemon = file.kind === 'text' ? parseDiscovery(file.text) : null;
  const { pid, begun } = ownIdentity();
  if (daemon !== null && daemon.pid === pid && daemon.process_begun === begun) removeIfThere(discoveryPath(home));
}

/** `http://127.0.0.1:8000`, with brackets where the address needs them. */
export function baseUrl(daemon: { readonly host: string; readonly port: number }): string {
  return `http://${daemon.host.includes(':') ? `[${daemon.host}]` : daemon.host}:${daemon.port}`;
}

function parseDiscovery(text: string): Discovery | null {
  try {
    const parsed = discoverySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not JSON: nothing that a daemon of ours wrote.
    return null;
  }
}
