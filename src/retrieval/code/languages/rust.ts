/** Rust: modules, `impl` blocks whose members belong to the type, traits, `use` trees, calls inside macros. */
import { called, instanceOf, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { isPublic, useDeclaration } from './rust-imports.ts';
import { pathOf, prelude, referTypes, typeExpression } from './rust-types.ts';
import { block, declareNamed, declareWithBody } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

export const rust: LanguageRules = {
  language: 'rust',
  grammar: 'rust',
  handlers: {
    use_declaration: useDeclaration,
    extern_crate_declaration: () => undefined,
    mod_item: (node, walk) => {
      const name = field(node, 'name');
      const body = field(node, 'body');
      if (name === undefined) return;
      const text = walk.text(name);
      if (body === undefined) {
        const exported = isPublic(node) ? text : null;
        walk.facts.import({ specifier: `self::${text}`, imported: null, local: text, exported }, node.start);
        return;
      }
      const declared = declareWithBody(node, 'namespace', walk, { exported: isPublic(node) });
      if (declared !== null) walk.facts.insideMembers(declared.index, () => walk.visit(body));
    },
    function_item: declareFunction,
    function_signature_item: declareFunction,
    struct_item: (node, walk) => declareType(node, 'struct', walk),
    union_item: (node, walk) => declareType(node, 'struct', walk),
    enum_item: (node, walk) => declareType(node, 'enum', walk),
    trait_item: (node, walk) => declareType(node, 'trait', walk),
    type_item: (node, walk) => declareType(node, 'type', walk),
    associated_type: () => undefined,
    impl_item: implItem,
    const_item: constant,
    static_item: constant,
    macro_definition: (node, walk) => {
      const name = field(node, 'name');
      if (name !== undefined)
        walk.facts.declare({
          name: `${walk.text(name)}!`,
          kind: 'macro',
          span: node,
          documentation: walk.comment(node),
        });
    },
    macro_invocation: (node, walk) => {
      const name = field(node, 'macro');
      if (name !== undefined) walk.facts.refer('call', `${pathOf(name, walk)}!`, node.start);
      for (const child of childrenOf(node, 'token_tree')) macroTokens(child, walk);
    },
    attribute_item: () => undefined,
    inner_attribute_item: () => undefined,
    closure_expression: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        for (const parameter of field(node, 'parameters')?.children ?? []) bindParameter(parameter, walk);
        walk.visit(field(node, 'body'));
      });
    },
    let_declaration: (node, walk) => {
      walk.visit(field(node, 'value'));
      walk.visit(field(node, 'alternative'));
      referTypes(field(node, 'type'), walk);
      const value = field(node, 'value');
      bindPattern(
        field(node, 'pattern'),
        walk,
        typeExpression(field(node, 'type'), walk) ?? (value === undefined ? null : walk.expression(value)),
      );
    },
    let_condition: (node, walk) => {
      walk.visit(field(node, 'value'));
      bindPattern(field(node, 'pattern'), walk, null);
    },
    match_arm: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        const pattern = field(node, 'pattern');
        if (pattern !== undefined) bindPattern(pattern, walk, null);
        walk.visit(field(node, 'value'));
      });
    },
    for_expression: (node, walk) => {
      walk.visit(field(node, 'value'));
      walk.facts.insideBody(walk.facts.current, () => {
        bindPattern(field(node, 'pattern'), walk, null);
        walk.visit(field(node, 'body'));
      });
    },
    block,
    struct_expression: (node, walk) => {
      const name = field(node, 'name');
      if (name !== undefined) walk.facts.refer('reference', pathOf(name, walk), node.start);
      for (const item of field(node, 'body')?.children ?? [])
        walk.visit(
          field(item, 'value') ?? (item.type === 'shorthand_field_initializer' ? item.children[0] : undefined),
        );
    },
    type_arguments: (node, walk) => referTypes(node, walk),
    type_cast_expression: (node, walk) => {
      walk.visit(field(node, 'value'));
      referTypes(field(node, 'type'), walk);
    },
    lifetime: () => undefined,
    label: () => undefined,
  },
  identifiers: new Set(['identifier', 'self', 'crate', 'super']),
  members: { field_expression: ['value', 'field'], scoped_identifier: ['path', 'name'] },
  calls: { call_expression: 'function' },
  expressions: {
    self: () => 'this',
    crate: () => 'crate',
    super: () => 'super',
    scoped_identifier: (node, walk) => pathOf(node, walk),
    generic_function: (node, walk) => walk.expression(field(node, 'function')),
    struct_expression: (node, walk) => {
      const name = field(node, 'name');
      return name === undefined ? null : instanceOf(pathOf(name, walk));
    },
    reference_expression: (node, walk) => walk.expression(field(node, 'value')),
    try_expression: (node, walk) => walk.expression(node.children[0]),
    await_expression: (node, walk) => walk.expression(node.children[0]),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    type_identifier: (node, walk) => pathOf(node, walk),
  },
  comments: new Set(['line_comment', 'block_comment']),
  wrappers: new Set(),
  annotations: new Set(['attribute_item']),
  isReserved: (name) => prelude.has(name) && name !== 'Self',
};

function declareFunction(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const owner = pendingOwner.get(facts);
  const isMember =
    owner !== undefined ||
    (facts.atMemberLevel && facts.current !== null && facts.symbol(facts.current).kind === 'trait');
  const declared = declareWithBody(node, isMember ? 'method' : 'function', walk, {
    exported: isPublic(node) || isMember,
    type: typeExpression(field(node, 'return_type'), walk),
    ...(owner === undefined ? {} : { owner, parent: facts.find(owner) }),
  });
  if (declared === null) return;
  const { index, body } = declared;
  pendingOwner.delete(facts);
  facts.insideBody(index, () => {
    for (const parameter of field(node, 'type_parameters')?.children ?? []) {
      const typeName =
        childOf(parameter, 'type_identifier') ?? (parameter.type === 'type_identifier' ? parameter : undefined);
      if (typeName !== undefined) facts.bind(walk.text(typeName), null);
      referTypes(field(parameter, 'bounds'), walk);
    }
    referTypes(field(node, 'return_type'), walk);
    for (const parameter of field(node, 'parameters')?.children ?? []) bindParameter(parameter, walk);
    walk.visit(body);
  });
  if (owner !== undefined) pendingOwner.set(facts, owner);
}

/** The type whose `impl` block is being walked, by file. */
const pendingOwner = new WeakMap<object, string>();

function declareType(node: SyntaxNode, kind: 'struct' | 'enum' | 'trait' | 'type', walk: Walk): void {
  const type = kind === 'type' ? typeExpression(field(node, 'type'), walk) : null;
  const declared = declareWithBody(node, kind, walk, { exported: isPublic(node), type });
  if (declared === null) return;
  const { facts } = walk;
  const { index, body } = declared;
  for (const bound of field(node, 'bounds')?.children ?? []) {
    if (bound.type !== 'lifetime') facts.refer('inherit', pathOf(bound, walk), bound.start, index);
  }
  if (kind === 'type') referTypes(field(node, 'type'), walk, index);
  facts.insideMembers(index, () => {
    for (const child of body?.children ?? []) {
      if (child.type === 'field_declaration') {
        const fieldName = field(child, 'name');
        if (fieldName !== undefined)
          facts.declare({
            name: walk.text(fieldName),
            kind: 'field',
            span: child,
            documentation: walk.comment(child),
            exported: isPublic(child),
            type: typeExpression(field(child, 'type'), walk),
          });
        referTypes(field(child, 'type'), walk, index);
      } else if (child.type === 'enum_variant') {
        declareNamed(child, 'enum-member', walk);
        referTypes(field(child, 'body'), walk, index);
      } else if (kind === 'trait') walk.visit(child);
      else referTypes(child, walk, index);
    }
  });
}

function implItem(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const type = field(node, 'type');
  if (type === undefined) return;
  const owner = pathOf(type, walk);
  const own = facts.find(owner);
  const trait = field(node, 'trait');
  if (trait !== undefined) facts.refer(own === null ? 'reference' : 'implement', pathOf(trait, walk), trait.start, own);
  referTypes(type, walk, own);
  const name =
    owner === unknown || owner.startsWith(unknown)
      ? walk.text(type).replace(/[^\w]+/g, '_')
      : (owner.split('.').at(-1) ?? owner);
  const scope = facts.current === null ? name : `${facts.symbol(facts.current).qualifiedName}.${name}`;
  const inScope = facts.find(scope);
  facts.insideMembers(inScope ?? facts.current, () => {
    for (const child of field(node, 'body')?.children ?? []) {
      pendingOwner.set(facts, scope);
      walk.visit(child);
    }
  });
  pendingOwner.delete(facts);
}

function constant(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const { facts } = walk;
  if (!facts.atMemberLevel) {
    facts.bind(walk.text(name), null);
    walk.visit(field(node, 'value'));
    return;
  }
  const owner = pendingOwner.get(facts);
  const index = facts.declare({
    name: walk.text(name),
    kind: 'constant',
    span: node,
    documentation: walk.comment(node),
    exported: isPublic(node),
    type: typeExpression(field(node, 'type'), walk),
    ...(owner === undefined ? {} : { owner, parent: facts.find(owner) }),
  });
  referTypes(field(node, 'type'), walk, index);
  pendingOwner.delete(facts);
  const value = field(node, 'value');
  if (value !== undefined) facts.insideBody(index, () => walk.visit(value));
}

function bindParameter(node: SyntaxNode, walk: Walk): void {
  if (node.type === 'self_parameter') return;
  const type = field(node, 'type');
  referTypes(type, walk);
  bindPattern(field(node, 'pattern') ?? node, walk, typeExpression(type, walk));
}

function bindPattern(node: SyntaxNode | undefined, walk: Walk, type: Expression | null): void {
  if (node === undefined) return;
  if (node.type === 'identifier') {
    // A capitalised name in a pattern is a constant or a variant, not a new name.
    const name = walk.text(node);
    if (/^[\p{Ll}_]/u.test(name)) walk.facts.bind(name, type === unknown ? null : type);
    else if (!prelude.has(name)) walk.facts.refer('reference', name, node.start);
    return;
  }
  if (node.type === 'scoped_identifier' || node.type === 'scoped_type_identifier') {
    walk.facts.refer('reference', pathOf(node, walk), node.start);
    return;
  }
  const passes = node.type === 'mut_pattern' || node.type === 'ref_pattern' || node.type === 'reference_pattern';
  for (const child of node.children) {
    if (child.type === 'field_identifier' && node.type === 'field_pattern') continue;
    if (child.type === 'shorthand_field_identifier') walk.facts.bind(walk.text(child), null);
    else if (child.field === 'condition') walk.visit(child);
    else if (child.type !== 'type_identifier') bindPattern(child, walk, passes ? type : null);
  }
}

/** The tokens of a macro are not parsed: names that are followed by an argument list are taken for calls. */
function macroTokens(node: SyntaxNode, walk: Walk): void {
  let before: SyntaxNode | undefined;
  let path: Expression = unknown;
  for (const child of node.children) {
    const isName = child.type === 'identifier' || child.type === 'self';
    if (isName) {
      const between = before === undefined ? '' : walk.facts.text.slice(before.end, child.start).trim();
      const name = walk.text(child);
      const joins = before !== undefined && (between === '.' || between === '::');
      if (joins) path = member(path, name);
      else path = child.type === 'self' ? 'this' : prelude.has(name) ? unknown : (walk.facts.local(name) ?? name);
    } else if (child.type === 'token_tree') {
      const isCall = walk.facts.text[child.start] === '(' && before !== undefined && before.end === child.start;
      if (isCall) {
        walk.facts.refer('call', path, child.start);
        path = called(path);
      }
      macroTokens(child, walk);
    } else path = unknown;
    before = child;
  }
}
