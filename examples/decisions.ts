/**
 * Records a decision about the project in the working directory, finds it by words and by meaning, and reads its
 * history.
 *
 * With a daemon running (`npm start`, or `mnemosyne daemon start`), on the Node of the checkout:
 *
 *   node_modules/node/bin/node examples/decisions.ts
 *
 * It checks itself: when it ends with 0, everything it says below is true. In a project of your own the first import
 * reads `from 'mnemosyne/client'`.
 */
import assert from 'node:assert/strict';
import { NeuralMindClient } from '../src/client/index.ts';

const nm = new NeuralMindClient();
const repo = await nm.project('.');

const added = await repo.memories.add({
  title: 'Use SQLite WAL for the synapse store',
  rationale: 'Hooks, the watcher and MCP write concurrently; WAL lets readers proceed.',
  files: ['neuralmind/synapses.py'],
  tags: ['storage'],
});

const found = await repo.memories.search('sqlite concurrency');
for (const memory of found) console.log(memory.id, memory.title, memory.status);
assert.ok(found.results.some(({ id }) => id === added.id));

// Not one of these words is in the decision: this is what the model is for. Without one the answer says so.
const meant = await repo.memories.search('may two programs change the database at the same time?');
console.log(meant.notice ?? `by meaning: ${meant.results.map(({ title }) => title).join(', ')}`);
assert.ok(meant.mode === 'keyword' || meant.results.some(({ id }) => id === added.id));

const amended = await repo.memories.update(
  added.id,
  { evidenceAppend: ['Measured with ten writers: no call failed.'] },
  { ifMatch: added.updatedAt },
);
assert.deepEqual(amended.evidence, ['Measured with ten writers: no call failed.']);

await repo.memories.invalidate(added.id, 'The store moved to one writer.');
const kinds: string[] = [];
for await (const event of repo.memories.history(added.id)) kinds.push(event.kind);
console.log(kinds.join(' → '));
assert.deepEqual(kinds, ['created', 'amended', 'invalidated']);

const exported = await repo.memories.export('json', { status: 'ALL' });
assert.ok(Array.isArray(exported) && exported.some(({ id }) => id === added.id));
console.log(await repo.memories.export('md', { status: 'INVALIDATED' }));
