/** What is offered where nothing has the name that was asked for. */
import { expect, test } from 'vitest';
import { editDistance } from '../../src/base/edit-distance.ts';
import { nearNameLimits } from '../../src/base/limits.ts';
import { randomNumbers } from '../code/random-graph.ts';
import { mindBoxes } from './mind-box.ts';
import { answerOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

test('GR8: a name that nothing has comes with names that are near, and none of them is taken for it', async () => {
  const box = boxOf({
    'app.py':
      'class Flask:\n    def run(self): pass\n    def dispatch_request(self): pass\n\ndef setupmethod(f): pass\n',
    'cli.py': 'def run_command(): pass\n',
    'json/provider.py': 'def dump(): pass\n',
    'docs/app.md': '# Running\n\nWords.\n',
  });
  await box.index();
  const offered = async (name: string) => {
    const impact = answerOf(await box.mind.impact({ symbol: name, depth: 1 }));
    const request = { q: name, relations: [], blast_radius: false, depth: 1 };
    const neighbours = answerOf(await box.mind.structuralNeighbours(request));
    expect(impact).toMatchObject({ resolution: 'none', resolved_node: null, candidates: [], count: 0 });
    expect(neighbours).toMatchObject({ resolution: 'none', relations: [], suggestions: impact['suggestions'] });
    return impact['suggestions'];
  };
  expect(await offered('setupmetod')).toEqual(['setupmethod']);
  expect(await offered('Falsk')).toEqual(['Flask']);
  expect(await offered('Flask.runn')).toEqual(['Flask.run']);
  expect(await offered('Flask::rnu()')).toEqual(['Flask.run']);
  expect(await offered('dispatch')).toEqual(['Flask.dispatch_request']);
  expect(await offered('json/provder.py')).toEqual(['json/provider.py']);
  expect(await offered('xyzzy')).toEqual([]);
  expect(await offered('s'.repeat(2_000))).toEqual([]);
  expect(await offered('/')).toEqual([]);
  const found = answerOf(await box.mind.impact({ symbol: 'setupmethod', depth: 1 }));
  expect(found).toMatchObject({ resolution: 'exact', suggestions: [] });
});

test('GR8: what is offered is what the definition of likeness gives (seed 8)', async () => {
  const number = randomNumbers(8);
  const random = (below: number) => Math.floor(number() * below);
  const word = () => Array.from({ length: 3 + random(12) }, () => 'abc'.charAt(random(3))).join('');
  const names = [...new Set(Array.from({ length: 150 }, word))];
  const box = boxOf({ 'x.py': names.map((name) => `def ${name}(): pass\n`).join('') });
  await box.index();
  const asked = Array.from({ length: 60 }, word).filter((name) => !names.includes(name));
  for (const name of asked) {
    const impact = answerOf(await box.mind.impact({ symbol: name, depth: 1 }));
    const near = names.map((other) => ({ other, distance: editDistance(name, other, 100) }));
    const isNear = ({ other, distance }: Measured) =>
      distance <= nearNameLimits.lettersMax && distance * 3 <= Math.max(name.length, other.length);
    const spelt = near.filter(isNear);
    const fitting = spelt.length > 0 ? spelt : near.filter(({ other }) => other.startsWith(name));
    const expected = fitting.sort(byDistance).map(({ other }) => other);
    expect({ name, near: impact['suggestions'] }).toEqual({ name, near: expected.slice(0, nearNameLimits.offeredMax) });
  }
});

interface Measured {
  readonly other: string;
  readonly distance: number;
}

function byDistance(a: Measured, b: Measured): number {
  return a.distance - b.distance || (a.other < b.other ? -1 : 1);
}

test('CC17: a file that is not there is told with those that may be meant', async () => {
  const box = boxOf({ 'app.py': 'a = 1\n', 'json/provider.py': 'b = 1\n', 'lib/provider.py': 'c = 1\n' });
  await box.index();
  const said = async (file_path: string) => {
    const outline = await box.mind.skeleton({ file_path, offset: 0 });
    return outline.ok || outline.failure.code !== 'validation_error' ? '' : outline.failure.errors[0]?.msg;
  };
  expect(await said('ap.py')).toBe('there is no such file; did you mean app.py?');
  expect(await said('provider.py')).toBe('there is no such file; did you mean lib/provider.py, json/provider.py?');
  expect(await said('zzz.py')).toBe('there is no such file');
});
