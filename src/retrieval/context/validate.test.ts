import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { IrEdge, IrHeader, IrNode, IrSource, IrSynapse } from './ir.ts';
import { readIr, writeIr } from './ir-file.ts';
import { validateIr } from './validate.ts';

const root = mkdtempSync(path.join(tmpdir(), 'ir-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const fresh = (): string => mkdtempSync(path.join(root, 'index-'));

const header: IrHeader = {
  ir_version: 1,
  generated_by: 'mnemosyne 1.2.3',
  source_backend: 'mnemosyne',
  source_schema_version: '1',
  coverage: 'coarse',
  built_at_commit: 'abc123',
  created_at: '2026-01-02T03:04:05Z',
};

function node(id: string | null, given: Partial<IrNode> = {}): IrNode {
  const rest = { kind: 'function', source_file: 'a.py', line: 1, language: 'python', cluster: 0, ...given };
  return { id, label: id, ...rest };
}

function edge(source: string | null, target: string | null, relation = 'calls'): IrEdge {
  return { source, target, relation, confidence: 1 };
}

function source(nodes: readonly IrNode[], edges: readonly IrEdge[], synapses: readonly IrSynapse[] = []): IrSource {
  const clusters = [{ id: 0, label: 'all', size: nodes.length }];
  return { header, nodes: () => nodes, edges: () => edges, clusters: () => clusters, synapses: () => synapses };
}

const sound = source(
  [node('file:a.py', { kind: 'file' }), node('symbol:a.py#f'), node('__proto__', { language: null })],
  [edge('file:a.py', 'symbol:a.py#f', 'contains'), edge('file:a.py', '__proto__', 'contains')],
);

test('CX40 a sound index is summed up and has no complaints', () => {
  expect(validateIr(sound)).toEqual({
    ...header,
    counts: { nodes: 3, edges: 2, clusters: 1, synapses: 0 },
    node_kinds: { file: 1, function: 2 },
    languages: { python: 2 },
    validation: { ok: true, errors: [], warnings: [], errors_total: 0, warnings_total: 0 },
  });
});

test('CX41 each fault has its code', () => {
  const codes = (given: IrSource): readonly string[] => {
    const { errors, warnings, ok } = validateIr(given).validation;
    expect(ok).toBe(errors.length === 0);
    return [...errors, ...warnings].map(({ code }) => code);
  };
  const [a, b] = [node('a'), node('b')];
  const pair = [edge('a', 'b')];
  expect(codes({ ...source([a, b], pair), header: { ...header, ir_version: 2 } })).toEqual(['unsupported_version']);
  expect(codes(source([a, b, node(null, { label: 'x' })], pair))).toEqual(['node_missing_id']);
  expect(codes(source([a, b, node('', { label: 'x' })], pair))).toEqual(['node_missing_id']);
  expect(codes(source([a, b, b], pair))).toEqual(['duplicate_node_id']);
  expect(codes(source([a, b], [...pair, edge('a', null)]))).toEqual(['edge_missing_endpoint']);
  expect(codes(source([a, b], [...pair, edge('', 'a')]))).toEqual(['edge_missing_endpoint']);
  expect(codes(source([a, b], [...pair, edge('gone', 'b')]))).toEqual(['dangling_edge_source']);
  expect(codes(source([a, b], [...pair, edge('a', 'gone')]))).toEqual(['dangling_edge_target']);
  expect(codes(source([a, b], pair, [{ source: 'a', target: null, weight: 1 }]))).toEqual(['synapse_missing_endpoint']);
  expect(codes(source([a, node('b', { label: null })], pair))).toEqual(['node_missing_label']);
  expect(codes(source([a, node('b', { kind: 'toString' })], pair))).toEqual(['unknown_node_kind']);
  expect(codes(source([a, b], [edge('a', 'b', 'likes')]))).toEqual(['unknown_edge_relation']);
  expect(codes(source([a, b, node('c')], pair))).toEqual(['orphaned_node']);
  expect(codes(source([a, b], pair, [{ source: 'a', target: 'gone', weight: 1 }]))).toEqual(['stale_synapse']);
});

test('CC22 a manifest, a data file and a document need no edge, a definition does', () => {
  const alone = ['file', 'document'].map((kind) => node(`${kind}:x`, { kind, source_file: 'package.json' }));
  const { validation } = validateIr(source([...alone, node('symbol:a.py#f')], []));
  expect(validation.warnings).toEqual([{ code: 'orphaned_node', message: 'node symbol:a.py#f has no edge' }]);
});

test('CX41 of many faults a hundred are listed and all are counted', () => {
  const { validation } = validateIr(source([node('a')], Array(250).fill(edge('a', 'gone'))));
  expect([validation.errors.length, validation.errors_total]).toEqual([100, 250]);
});

test('CX42 the written document is read back as the same index, and both files are for their user only', () => {
  const folder = fresh();
  const summary = validateIr(sound);
  const written = writeIr(folder, sound, summary);
  if (written.kind !== 'written') throw new Error('it is small');
  for (const file of [written.path, written.metaPath]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(written.metaPath, 'utf8'))).toEqual(summary);
  const read = readIr(folder);
  if (read.kind !== 'ir') throw new Error('it was just written');
  expect([...read.source.nodes()]).toEqual([...sound.nodes()]);
  expect([...read.source.edges()]).toEqual([...sound.edges()]);
  expect(validateIr(read.source)).toEqual(summary);
});

test('CX43 a document of another program is checked row by row, and an unreadable one is refused with a reason', () => {
  const folder = fresh();
  expect(readIr(folder)).toEqual({ kind: 'missing' });
  const file = path.join(folder, 'index_ir.json');
  const write = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
  write('{"ir_version":7,"nodes":[{"id":5},{"id":"a","label":"A","kind":"class"}],"edges":[{"source":"a"}]}');
  const read = readIr(folder);
  if (read.kind !== 'ir') throw new Error('it can be read');
  const codes = validateIr(read.source).validation.errors.map(({ code }) => code);
  expect(codes).toEqual(['unsupported_version', 'node_missing_id', 'edge_missing_endpoint']);
  write('{"ir_version":1,');
  expect(readIr(folder)).toEqual({ kind: 'unreadable', fault: 'is not JSON' });
  write('{"ir_version":1}');
  expect(readIr(folder)).toMatchObject({ kind: 'unreadable', fault: expect.stringContaining('nodes') });
  chmodSync(file, 0o644);
  expect(readIr(folder)).toMatchObject({ kind: 'unreadable', fault: expect.stringContaining('chmod') });
});
