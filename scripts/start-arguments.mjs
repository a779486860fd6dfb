/**
 * What `npm start` passes to the program:
 *
 *   npm start                    the main job on this checkout:  start <checkout>
 *   npm start -- <path> …        the main job on that folder:    start <path> …
 *   npm start -- --once          the main job on this checkout, which ends after the answers
 *   npm start -- --port 0 …      options alone serve, as `mnemosyne --port 0` does
 *   npm start -- --once <path>   the same as <path> --once
 *   npm start -- <command> …     any command
 *
 * A first word is a path when a folder lies there, or when it looks like one: what is wrong with it is then told by the
 * command. `folder` is where the person stands, who may be elsewhere: npm runs scripts in the checkout.
 */
import { statSync } from 'node:fs';
import path from 'node:path';

export function startArguments(args, checkout, folder) {
  if (args[0] === '--once' && args.length > 1 && !args[1].startsWith('-')) {
    return startArguments([args[1], '--once', ...args.slice(2)], checkout, folder);
  }
  const [first, ...rest] = args;
  if (first === undefined || first === '--once') return ['start', checkout, ...args];
  if (first.startsWith('-')) return args;
  const place = path.resolve(folder, first);
  const looksLikePath = first.startsWith('.') || first.includes('/') || first.includes(path.sep);
  return looksLikePath || isFolder(place) ? ['start', place, ...rest] : args;
}

function isFolder(place) {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
