/**
 * Nodes that are one thing, though the text has them several times: overloads and redefinitions of one file, a
 * prototype in a header and the definition elsewhere, a namespace that many files fill, a class in parts.
 */
import { languageOfPath } from '../code/classify-file.ts';
import { grouped } from './grouped.ts';
import type { GraphNode, GraphSource } from './source.ts';

/** Sorts nodes into things, each with its definition first. The order of the things is that of their first nodes. */
export function things(nodes: readonly GraphNode[]): readonly (readonly GraphNode[])[] {
  const byName = grouped(nodes, (node) => (node.kind === 'external' ? node.id : node.qualifiedName));
  return [...byName.values()].flatMap(thingsOfName);
}

/** The node with all that is the same thing. One of several overloads, asked for by its id, stays alone. */
export function oneThing(source: GraphSource, node: GraphNode): readonly GraphNode[] {
  if (node.path === null || node.kind === 'file') return [node];
  const namesakes = source.named(node.name).filter((other) => other.qualifiedName === node.qualifiedName);
  const thing = thingsOfName(namesakes).find((parts) => parts.some((part) => part.id === node.id)) ?? [];
  return [node, ...thing.filter((part) => part.id !== node.id && part.path !== node.path)];
}

/** Nodes with the same qualified name. A prototype belongs to no other language's definition. */
function thingsOfName(namesakes: readonly GraphNode[]): readonly (readonly GraphNode[])[] {
  const families = [namesakes.filter((node) => !isOfC(node)), namesakes.filter(isOfC)];
  return families.filter((nodes) => nodes.length > 0).flatMap(partsOf);
}

function partsOf(namesakes: readonly GraphNode[]): readonly (readonly GraphNode[])[] {
  const files = [...grouped(namesakes, (node) => node.path ?? node.id).values()];
  const isSpread = namesakes.every((node) => node.kind === 'namespace' || /\bpartial\b/.test(node.signature));
  const defining = files.filter((nodes) => !nodes.every(isPrototype));
  if (files.length > 1 && !isSpread && defining.length > 1) return files.map(definitionFirst);
  return [definitionFirst(namesakes)];
}

function definitionFirst(nodes: readonly GraphNode[]): readonly GraphNode[] {
  return [...nodes.filter((node) => !isPrototype(node)), ...nodes.filter(isPrototype)];
}

/** A function that is only declared. C and its kin alone part that from the definition. */
function isPrototype(node: GraphNode): boolean {
  const isCallable = node.kind === 'function' || node.kind === 'method' || node.kind === 'constructor';
  return isCallable && node.signature.endsWith(';') && isOfC(node);
}

function isOfC(node: GraphNode): boolean {
  if (node.path === null) return false;
  const language = languageOfPath(node.path);
  return language === 'c' || language === 'cpp';
}
