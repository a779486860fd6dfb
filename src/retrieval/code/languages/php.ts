/** PHP: namespaces, types and their members, traits, `use` in all its forms, `require` of literal paths. */
import { called, instanceOf, member, unknown } from '../expression.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { insideNamespace } from './namespaces.ts';
import { declareNamed, declareWithBody, typeReferences } from './shared-rules.ts';
import type { Handler, LanguageRules, Walk } from './walk.ts';

const referTypes = typeReferences(new Set(['named_type']), (node, walk) => {
  const text = walk.text(node);
  return /^(self|static|parent)$/.test(text) ? null : text;
});

const include: Handler = (node, walk) => {
  const text = findString(node);
  if (text !== undefined)
    walk.facts.import(
      { specifier: walk.text(text).slice(1, -1), imported: '*', local: null, exported: '*', form: 'include' },
      node.start,
    );
};

export const php: LanguageRules = {
  language: 'php',
  grammar: 'php',
  handlers: {
    namespace_definition: (node, walk) => {
      const name = field(node, 'name');
      const body = field(node, 'body');
      // Without braces a second one is left to the first: it has no end of its own.
      if (name !== undefined && body !== undefined) insideNamespace(walk.text(name), '\\', node, body, walk);
      else if (name !== undefined) walk.facts.module ??= walk.text(name);
      else walk.visit(body);
    },
    namespace_use_declaration: useDeclaration,
    require_expression: include,
    require_once_expression: include,
    include_expression: include,
    include_once_expression: include,
    class_declaration: (node, walk) => declareType(node, 'class', walk),
    interface_declaration: (node, walk) => declareType(node, 'interface', walk),
    trait_declaration: (node, walk) => declareType(node, 'trait', walk),
    enum_declaration: (node, walk) => declareType(node, 'enum', walk),
    enum_case: (node, walk) => declareNamed(node, 'enum-member', walk),
    use_declaration: (node, walk) => {
      for (const one of childrenOf(node, 'name', 'qualified_name'))
        walk.facts.refer('inherit', walk.text(one), one.start);
    },
    method_declaration: (node, walk) => declareFunction(node, walk),
    function_definition: (node, walk) => declareFunction(node, walk),
    const_declaration: (node, walk) => {
      for (const one of childrenOf(node, 'const_element')) {
        const [name, value] = one.children;
        if (name === undefined) continue;
        walk.facts.declare({ name: walk.text(name), kind: 'constant', span: node, documentation: walk.comment(node) });
        walk.visit(value);
      }
    },
    property_declaration: (node, walk) => {
      const type = field(node, 'type');
      for (const one of childrenOf(node, 'property_element')) {
        const name = field(one, 'name') ?? childOf(one, 'variable_name');
        if (name === undefined) continue;
        const index = walk.facts.declare({
          name: variable(name, walk),
          kind: 'field',
          span: node,
          documentation: walk.comment(node),
          exported: isVisible(node, walk),
          type: typeExpression(type, walk),
        });
        referTypes(type, walk, index);
        walk.visit(field(one, 'default_value'));
      }
    },
    anonymous_function: closure,
    anonymous_function_creation_expression: closure,
    arrow_function: closure,
    assignment_expression: assignment,
    foreach_statement: (node, walk) => {
      for (const child of node.children) {
        if (child.type === 'variable_name' && child.index > 0) walk.facts.bind(variable(child, walk), null);
        else if (child.type === 'pair')
          for (const one of child.children)
            if (one.type === 'variable_name') walk.facts.bind(variable(one, walk), null);
        if (child.type !== 'pair') walk.visit(child);
      }
    },
    catch_clause: (node, walk) => {
      const name = field(node, 'name');
      const type = field(node, 'type');
      referTypes(type, walk);
      if (name !== undefined) walk.facts.bind(variable(name, walk), typeExpression(type?.children[0], walk));
      walk.visit(field(node, 'body'));
    },
    function_call_expression: callNode,
    member_call_expression: callNode,
    nullsafe_member_call_expression: callNode,
    scoped_call_expression: callNode,
    object_creation_expression: (node, walk) => {
      const name = classOf(node, walk);
      if (name !== null) walk.facts.refer('call', name, node.start);
      const body = childOf(node, 'declaration_list', 'anonymous_class');
      walk.visit(childOf(node, 'arguments'));
      if (body !== undefined) walk.facts.insideBody(walk.facts.current, () => walk.visitChildren(body));
    },
    class_constant_access_expression: (node, walk) => walk.facts.refer('reference', walk.expression(node), node.start),
    attribute_list: () => undefined,
    named_type: (node, walk) => referTypes(node, walk),
    array_creation_expression: (node, walk) => {
      // `[$this, 'run']` and `[Job::class, 'run']` name a method.
      const [object, method] = node.children.map((child) => child.children[0]);
      if (node.children.length === 2 && object !== undefined && method?.type === 'string') {
        const base = walk.expression(object).replace(/\.class$/, '');
        const name = walk.text(method).slice(1, -1);
        if (base !== unknown && /^\w+$/.test(name)) walk.facts.refer('reference', member(base, name), node.start);
      }
      walk.visitChildren(node);
    },
    argument: (node, walk) => {
      for (const child of node.children) if (child.field !== 'name') walk.visit(child);
    },
    variable_name: () => undefined,
    name: () => undefined,
  },
  identifiers: new Set(['name', 'qualified_name', 'variable_name']),
  members: {
    member_access_expression: ['object', 'name'],
    nullsafe_member_access_expression: ['object', 'name'],
    scoped_property_access_expression: ['scope', 'name'],
  },
  calls: {},
  expressions: {
    variable_name: (node, walk) => {
      const name = variable(node, walk);
      return name === 'this' ? 'this' : (walk.facts.local(name) ?? null);
    },
    name: (node, walk) => scopeName(walk.text(node)),
    qualified_name: (node, walk) => walk.text(node),
    relative_scope: (node, walk) => scopeName(walk.text(node)),
    member_call_expression: (node, walk) => called(calleeOf(node, walk)),
    nullsafe_member_call_expression: (node, walk) => called(calleeOf(node, walk)),
    scoped_call_expression: (node, walk) => called(calleeOf(node, walk)),
    function_call_expression: (node, walk) => called(calleeOf(node, walk)),
    object_creation_expression: (node, walk) => {
      const name = classOf(node, walk);
      return name === null ? null : instanceOf(name);
    },
    class_constant_access_expression: (node, walk) => {
      const [scope, name] = node.children;
      if (scope === undefined || name === undefined) return null;
      return walk.text(name) === 'class' ? walk.expression(scope) : member(walk.expression(scope), walk.text(name));
    },
    scoped_property_access_expression: (node, walk) => {
      const name = field(node, 'name');
      return name === undefined ? null : member(walk.expression(field(node, 'scope')), variable(name, walk));
    },
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    clone_expression: (node, walk) => walk.expression(node.children[0]),
  },
  comments: new Set(['comment']),
  wrappers: new Set(),
  annotations: new Set(['attribute_list']),
  isReserved: (name) => /^(true|false|null|parent|self|static)$/i.test(name),
};

function scopeName(name: string): Expression {
  if (name === 'self' || name === 'static') return 'Self';
  return name === 'parent' ? 'super' : name;
}

function variable(node: SyntaxNode, walk: Walk): string {
  return walk.text(node).replace(/^[$&.]+/, '');
}

function findString(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === 'string' || node.type === 'encapsed_string') return node;
  for (const child of node.children) {
    const found = findString(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function useDeclaration(node: SyntaxNode, walk: Walk): void {
  const prefix = childOf(node, 'namespace_name');
  const group = field(node, 'body');
  for (const clause of childrenOf(group ?? node, 'namespace_use_clause', 'namespace_use_group_clause')) {
    const alias = field(clause, 'alias') ?? childOf(clause, 'namespace_aliasing_clause')?.children[0];
    const name = clause.children.find((child) => child !== alias);
    if (name === undefined) continue;
    const full = [...(group === undefined || prefix === undefined ? [] : [walk.text(prefix)]), walk.text(name)]
      .join('\\')
      .replace(/^\\/, '');
    const at = full.lastIndexOf('\\');
    const last = full.slice(at + 1);
    walk.facts.import(
      {
        specifier: full.slice(0, Math.max(at, 0)),
        imported: last,
        local: alias === undefined ? last : walk.text(alias),
      },
      clause.start,
    );
  }
}

function declareType(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const documentation = walk.comment(node) || innerComment(node, walk);
  const declared = declareWithBody(node, kind, walk, { documentation });
  if (declared === null) return;
  const { facts } = walk;
  const { index, body } = declared;
  decorate(node, index, walk);
  for (const base of childOf(node, 'base_clause')?.children ?? [])
    facts.refer('inherit', walk.text(base), base.start, index);
  for (const base of childOf(node, 'class_interface_clause')?.children ?? [])
    facts.refer('implement', walk.text(base), base.start, index);
  if (body !== undefined) facts.insideMembers(index, () => walk.visitChildren(body));
}

/** A comment between attributes and the declaration lies inside the node. */
function innerComment(node: SyntaxNode, walk: Walk): string {
  const comment = childOf(node, 'comment');
  return comment === undefined
    ? ''
    : walk
        .text(comment)
        .replace(/^\s*\/?\*+\/?\s?|\s*\*\/\s*$/gm, '')
        .trim();
}

function isVisible(node: SyntaxNode, walk: Walk): boolean {
  const visibility = childOf(node, 'visibility_modifier');
  return visibility === undefined || walk.text(visibility) !== 'private';
}

function declareFunction(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const isMethod = node.type !== 'function_definition';
  const result = field(node, 'return_type');
  const kind = !isMethod ? 'function' : walk.text(name) === '__construct' ? 'constructor' : 'method';
  const declared = declareWithBody(node, kind, walk, {
    documentation: walk.comment(node) || innerComment(node, walk),
    exported: isVisible(node, walk),
    type: typeExpression(result, walk),
  });
  if (declared === null) return;
  const { index, body } = declared;
  decorate(node, index, walk);
  walk.facts.insideBody(index, () => {
    referTypes(result, walk);
    bindParameters(field(node, 'parameters'), walk);
    walk.visit(body);
  });
}

function decorate(node: SyntaxNode, index: number, walk: Walk): void {
  for (const group of childrenOf(childOf(node, 'attribute_list') ?? { ...node, children: [] }, 'attribute_group')) {
    for (const attribute of childrenOf(group, 'attribute')) {
      const [name] = attribute.children;
      if (name !== undefined) walk.facts.refer('decorate', walk.text(name), attribute.start, index);
      walk.visit(field(attribute, 'parameters'));
    }
  }
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const name = field(parameter, 'name');
    const type = field(parameter, 'type');
    referTypes(type, walk);
    walk.visit(field(parameter, 'default_value'));
    if (name === undefined) continue;
    const text = variable(name, walk);
    const held = parameter.type === 'variadic_parameter' ? null : typeExpression(type, walk);
    walk.facts.bind(text, held);
    const owner = parameter.type === 'property_promotion_parameter' ? walk.facts.enclosing('class') : null;
    if (owner !== null)
      walk.facts.declare({
        name: text,
        kind: 'field',
        span: parameter,
        parent: owner,
        exported: isVisible(parameter, walk),
        type: held,
      });
  }
}

function closure(node: SyntaxNode, walk: Walk): void {
  walk.facts.insideBody(walk.facts.current, () => {
    bindParameters(field(node, 'parameters'), walk);
    walk.visit(field(node, 'body'));
  });
}

function assignment(node: SyntaxNode, walk: Walk): void {
  const left = field(node, 'left');
  const right = field(node, 'right');
  walk.visit(right);
  const value = walk.expression(right);
  if (left?.type === 'variable_name') {
    walk.facts.bind(variable(left, walk), value === unknown ? null : value);
    return;
  }
  if (left?.type === 'member_access_expression' && walk.expression(field(left, 'object')) === 'this') {
    const name = field(left, 'name');
    const owner = walk.facts.enclosing('class', 'trait');
    const known =
      name === undefined || owner === null
        ? null
        : walk.facts.find(`${walk.facts.symbol(owner).qualifiedName}.${walk.text(name)}`);
    if (known !== null) walk.facts.learnType(known, value);
  }
  walk.visit(left);
}

function calleeOf(node: SyntaxNode, walk: Walk): Expression {
  if (node.type === 'function_call_expression') return walk.expression(field(node, 'function'));
  const name = field(node, 'name');
  if (name === undefined || name.type !== 'name') return unknown;
  return member(walk.expression(field(node, 'object') ?? field(node, 'scope')), walk.text(name));
}

function callNode(node: SyntaxNode, walk: Walk): void {
  walk.facts.refer('call', calleeOf(node, walk), node.start);
  const object = field(node, 'object') ?? field(node, 'scope');
  if (object?.type.endsWith('expression') === true) walk.visit(object);
  const callee = field(node, 'function');
  if (callee !== undefined && callee.type !== 'name' && callee.type !== 'qualified_name') walk.visit(callee);
  walk.visit(field(node, 'arguments'));
}

function classOf(node: SyntaxNode, walk: Walk): Expression | null {
  const name = childOf(node, 'name', 'qualified_name', 'relative_scope');
  return name === undefined ? null : scopeName(walk.text(name));
}

function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  if (node.type === 'optional_type') return typeExpression(node.children[0], walk);
  if (node.type !== 'named_type') return null;
  const text = walk.text(node);
  return text === 'self' || text === 'static' ? 'this' : instanceOf(text);
}
