/**
 * The public conformance suite, run as its own program: over the product's HTTP pipeline with the suite's fixtures, with
 * sessions and without, and over the product itself as far as it offers what a scenario asks for.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEdgeGuard } from '../../src/server/edge.ts';
import { createLog } from '../../src/server/log.ts';
import { startServer } from '../../src/server/start.ts';
import { buildHttp } from '../../src/transports/http.ts';
import { createMcpHttp } from '../../src/transports/mcp/http.ts';
import { createFixtureServer } from './fixture-server.ts';

const suiteProgram = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const quiet = createLog('silent', { write: () => {} });

/** Scenarios that hold no checks in this version of the suite, or none when there is only one stream to open. */
const EMPTY = ['server-sse-polling'];

/** They need notifications or requests from the server within a call: what sessions are for. */
const NEED_SESSIONS = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'tools-call-elicitation',
  'tools-call-sampling',
  'tools-call-with-logging',
  'tools-call-with-progress',
];

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemosyne-conformance-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('fixtures behind the product pipeline', () => {
  test('MC60 with sessions every scenario of the public suite passes', async () => {
    const outcomes = await runOverFixtures(true);
    expect(failedIn(outcomes)).toEqual([]);
    expect(emptyIn(outcomes)).toEqual(EMPTY);
    expect(outcomes.size).toBe(32);
    expect(sum(outcomes, 'passed')).toBe(44);
  }, 60_000);

  test('MC61 without sessions every scenario passes that needs nothing from the server within a call', async () => {
    const outcomes = await runOverFixtures(false);
    expect(failedIn(outcomes)).toEqual(NEED_SESSIONS);
    expect(outcomes.size).toBe(32);
    expect(emptyIn(outcomes)).toEqual([...EMPTY, 'server-sse-multiple-streams'].sort());
  }, 60_000);
});

describe('the product itself', () => {
  test("MC62 the product passes the scenarios that need tools alone and none of the suite's own", async () => {
    const env = {
      HOME: folder,
      NEURALMIND_DAEMON_HOME: join(folder, 'daemon'),
      MNEMOSYNE_MEMORY_ROOT: join(folder, 'memory'),
    };
    const options = { host: '127.0.0.1', port: 0, mcpAuth: 'none', mcpSessions: false } as const;
    const server = await startServer(options, env, quiet);
    try {
      const outcomes = await runAll(`${server.url}/mcp`);
      expect(outcomes.size).toBe(32);
      expect(passedIn(outcomes)).toEqual(['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list']);
    } finally {
      await server.close();
    }
  }, 60_000);
});

async function runOverFixtures(sessions: boolean): Promise<ReadonlyMap<string, Outcome>> {
  const mcp = createMcpHttp({ serverFactory: createFixtureServer, sessions });
  const app = buildHttp({
    guard: createEdgeGuard({ boundHost: '127.0.0.1', checkToken: () => false, mcpAuth: 'none' }),
    mcp,
    log: quiet.http,
    identity: { name: 'fixtures', version: '1', protocolVersion: '1' },
  });
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    return await runAll(`${address}/mcp`);
  } finally {
    await mcp.close();
    await app.close();
  }
}

/** The outcome of each scenario, read from the summary that the suite prints. */
async function runAll(url: string): Promise<ReadonlyMap<string, Outcome>> {
  const results = await mkdtemp(join(folder, 'results-'));
  const args = [suiteProgram, 'server', '--url', url, '--suite', 'all', '-o', results];
  const child = spawn(process.execPath, args, { cwd: results, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
  }
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines = [...text.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed/gm)];
  return new Map(
    lines.map(([, name, passed, failed]) => [String(name), { passed: Number(passed), failed: Number(failed) }]),
  );
}

const failedIn = (outcomes: ReadonlyMap<string, Outcome>): string[] =>
  [...outcomes]
    .filter(([, { failed }]) => failed > 0)
    .map(([name]) => name)
    .sort();

const passedIn = (outcomes: ReadonlyMap<string, Outcome>): string[] =>
  [...outcomes]
    .filter(([, { passed, failed }]) => passed > 0 && failed === 0)
    .map(([name]) => name)
    .sort();

const emptyIn = (outcomes: ReadonlyMap<string, Outcome>): string[] =>
  [...outcomes]
    .filter(([, { passed, failed }]) => passed + failed === 0)
    .map(([name]) => name)
    .sort();

const sum = (outcomes: ReadonlyMap<string, Outcome>, key: keyof Outcome): number =>
  [...outcomes.values()].reduce((total, outcome) => total + outcome[key], 0);
