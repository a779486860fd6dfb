/**
 * Loaded before all else into every process and thread of a test run: takes each TypeScript file without its types
 * from the folder STRIPPED_TYPES, where the first that needs it leaves it.
 *
 * Node's own stripper costs each thread about 0.3 s of a processor to load, and a run starts hundreds of threads.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

const folder = process.env.STRIPPED_TYPES;
// A test may start a Node that is too old for the program, to see what it says.
if (folder && module.registerHooks)
  module.registerHooks({ load: (url, context, next) => load(url) ?? next(url, context) });

function load(url) {
  if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/')) return null;
  return { format: 'module', source: withoutTypes(readFileSync(new URL(url), 'utf8')), shortCircuit: true };
}

function withoutTypes(text) {
  const kept = path.join(folder, createHash('sha1').update(text).digest('hex'));
  try {
    return readFileSync(kept, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const source = module.stripTypeScriptTypes(text);
  const unfinished = `${kept}.${process.pid}.${threadId}`;
  writeFileSync(unfinished, source);
  renameSync(unfinished, kept);
  return source;
}
