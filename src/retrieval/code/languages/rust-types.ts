/** Rust: paths and types as expressions. */
import { instanceOf, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import { typeReferences } from './shared-rules.ts';
import type { Walk } from './walk.ts';

export const prelude: ReadonlySet<string> = new Set(
  (
    'Some None Ok Err Option Result Box Vec String Self bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize ' +
    'f32 f64 Default Clone Copy Send Sync Sized Drop Fn FnMut FnOnce Iterator IntoIterator From Into AsRef AsMut ToString ' +
    'ToOwned PartialEq Eq PartialOrd Ord Debug'
  ).split(' '),
);
/** What wraps a value and lets its members through. */
const pointers: ReadonlySet<string> = new Set(['Box', 'Rc', 'Arc', 'Ref', 'RefMut', 'Cow']);

export const referTypes = typeReferences(new Set(['type_identifier', 'scoped_type_identifier']), (node, walk) => {
  const path = pathOf(node, walk);
  return path === 'Self' ? null : path;
});

/** A path of names as an expression: `a::b::C` is `a.b.C`. */
export function pathOf(node: SyntaxNode, walk: Walk): Expression {
  if (node.type === 'generic_type' || node.type === 'generic_type_with_turbofish') {
    const type = field(node, 'type');
    return type === undefined ? unknown : pathOf(type, walk);
  }
  if (node.type === 'bracketed_type') return unknown;
  if (node.type === 'self') return 'this';
  const name = field(node, 'name');
  if (name === undefined) {
    const text = walk.text(node);
    return prelude.has(text) && text !== 'Self' ? unknown : (walk.facts.local(text) ?? text);
  }
  const scope = field(node, 'path');
  if (scope === undefined) return walk.text(name);
  // `self::x` names the module, not the value `self`.
  const base = scope.type === 'self' ? 'self' : pathOf(scope, walk);
  return member(base, walk.text(name));
}

export function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  switch (node.type) {
    case 'reference_type':
    case 'pointer_type':
    case 'dynamic_type':
    case 'abstract_type':
      return typeExpression(field(node, 'type') ?? field(node, 'trait') ?? node.children.at(-1), walk);
    case 'generic_type': {
      const name = field(node, 'type');
      if (name === undefined) return null;
      const last = walk.text(name).split('::').at(-1) ?? '';
      // `?`, `unwrap` and patterns take the value out; the first argument is what they give.
      if (pointers.has(last) || last === 'Result' || last === 'Option')
        return typeExpression(field(node, 'type_arguments')?.children[0], walk);
      return typeExpression(name, walk);
    }
    case 'type_identifier':
    case 'scoped_type_identifier': {
      if (walk.text(node) === 'Self') return 'this';
      const path = pathOf(node, walk);
      return path.startsWith(unknown) ? null : instanceOf(path);
    }
    default:
      return null;
  }
}
