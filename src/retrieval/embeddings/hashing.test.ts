import { expect, test } from 'vitest';
import { embedderConformance } from '../../../test/conformance/embedder.ts';
import { hashingEmbedder } from './hashing.ts';

embedderConformance('hashing', async () => hashingEmbedder());

test('EM7 the test embedder gives the same numbers on every machine and release', async () => {
  const [vector] = await hashingEmbedder().embed(['Journal mode WAL']);
  const largest = [...(vector ?? [])]
    .map((value, index) => ({ index, value: Number(value.toFixed(4)) }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3);
  expect(largest).toMatchInlineSnapshot(`
    [
      {
        "index": 219,
        "value": 0.5791,
      },
      {
        "index": 18,
        "value": -0.4454,
      },
      {
        "index": 120,
        "value": -0.4454,
      },
    ]
  `);
});
