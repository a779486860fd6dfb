/** Whether this Node is one that the program was made for. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Check, fault, well } from './finding.ts';

const manifestSchema = z.object({ engines: z.object({ node: z.string() }) });

export const nodeVersion: Check = {
  name: 'node',
  look({ packageRoot, nodeVersion: version }) {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')));
    const range = manifest.engines.node;
    if (satisfies(version, range)) return well(`Node ${version} is one of ${range}.`);
    return fault(
      `Node ${version} is none of ${range}; native parts may end the program.`,
      'Install Node 22 with `npx n 22` or from https://nodejs.org.',
    );
  },
};

/** `^22.22.2 || >=26.0.0`: carets and lower bounds, nothing else. */
function satisfies(version: string, range: string): boolean {
  const actual = numbersOf(version);
  return range.split('||').some((part) => {
    const match = /^\s*(\^|>=)(\d+\.\d+\.\d+)\s*$/.exec(part);
    if (match?.[2] === undefined) throw new Error('package.json names Node versions in a form that is not understood');
    const least = numbersOf(match[2]);
    return compare(actual, least) >= 0 && (match[1] === '>=' || actual[0] === least[0]);
  });
}

function numbersOf(version: string): readonly number[] {
  return (version.split('-')[0] ?? '').split('.').map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
