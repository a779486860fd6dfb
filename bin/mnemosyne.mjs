#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: Node 12 does not know the prefix node:
// The command `mnemosyne`. Checks the version of Node before anything else is loaded: on an older one the native
// parts crash instead of explaining themselves. So this file uses only what Node 12 can parse.
import * as nodeModule from 'module';

// What is required so is taken as it is; an import of such a module asks it for every export it has.
const require = nodeModule.createRequire(import.meta.url);
const { existsSync, mkdirSync, readFileSync, realpathSync } = require('fs');
const { isAbsolute, join } = require('path');
const { fileURLToPath } = require('url');

/** Whether `version` ("22.22.2") satisfies `range` ("^22.22.2 || >=26.0.0"): carets and lower bounds, nothing else. */
export function satisfies(version, range) {
  const actual = numbersOf(version);
  return range.split('||').some((part) => {
    const match = /^\s*(\^|>=)(\d+\.\d+\.\d+)\s*$/.exec(part);
    if (match === null) throw new Error('package.json names Node versions in a form that is not understood');
    const least = numbersOf(match[2]);
    return compare(actual, least) >= 0 && (match[1] === '>=' || actual[0] === least[0]);
  });
}

/** What to tell the user of an unsuitable Node, or null. */
export function complaint(version, range) {
  if (satisfies(version, range)) return null;
  const readable = range
    .split('||')
    .map((part) => part.trim())
    .map((part) =>
      part.charAt(0) === '^' ? `${part.slice(1).split('.')[0]} from ${part.slice(1)} on` : `${part.slice(2)} or newer`,
    )
    .join(', or ');
  return `mnemosyne: unsupported_node: this is Node ${version}; Mnemosyne needs Node ${readable}`;
}

function numbersOf(version) {
  return version.split('-')[0].split('.').map(Number);
}

function compare(left, right) {
  for (let index = 0; index < 3; index += 1) {
    if (left[index] !== right[index]) return left[index] < right[index] ? -1 : 1;
  }
  return 0;
}

/** From source Node strips the types itself and says each time that it does; people cannot act on that. */
function silenceTypeStrippingWarning() {
  const emit = process.emitWarning;
  process.emitWarning = function emitWarning(warning, ...rest) {
    if (/^Type Stripping is an experimental feature/.test(String(warning))) return;
    emit.call(process, warning, ...rest);
  };
}

/**
 * Node keeps what it compiled beside the build, in a folder for each version and user, and has it the next time. Where
 * nothing can be written there it lies in the user's cache; without either everything is compiled anew each time.
 */
function keepCompiledCode() {
  const { FAILED } = nodeModule.constants.compileCacheStatus;
  const beside = fileURLToPath(new URL('../dist/.compiled/', import.meta.url));
  if (nodeModule.enableCompileCache(beside).status !== FAILED) return;
  const { XDG_CACHE_HOME = '', HOME = '' } = process.env;
  // A relative path counts as none, by the rules of that variable: it would lie in whatever folder one works in.
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : isAbsolute(HOME) ? join(HOME, '.cache') : null;
  // Node itself never returns where a folder can be looked into and nothing can be made in it, as in /proc.
  if (caches !== null && canMake(caches)) nodeModule.enableCompileCache(join(caches, 'mnemosyne'));
}

function canMake(caches) {
  for (const folder of [caches, join(caches, 'mnemosyne')]) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (error.code !== 'EEXIST') return false;
    }
  }
  return true;
}

function start() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const problem = complaint(process.versions.node, manifest.engines.node);
  if (problem !== null) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  const built = new URL('../dist/main.js', import.meta.url);
  if (existsSync(fileURLToPath(built))) {
    keepCompiledCode();
    import(built.href);
    return;
  }
  silenceTypeStrippingWarning();
  import(new URL('../src/main.ts', import.meta.url).href);
}

// Started as a command, also through a link in a bin folder; not when a test imports the check.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) start();
