/**
 * The node of a package or of something external, which its id tells all about. The simple name of a package is its
 * last part (`binding` of `package:render/binding`, `net` of `package:org.acme.net`); an external thing has one name,
 * as it was asked for.
 */
import type { GraphNode } from './source.ts';

export function outsideNode(id: string): GraphNode {
  const whole = id.slice(id.indexOf(':') + 1);
  const isPackage = id.startsWith('package:');
  const name = isPackage ? (whole.split(/[/.\\]/).at(-1) ?? '') : whole;
  return {
    id,
    kind: isPackage ? 'package' : 'external',
    name: name === '' ? whole : name,
    qualifiedName: whole,
    path: null,
    startLine: 0,
    endLine: 0,
    signature: '',
  };
}
