/** Ruby: modules, classes, methods of both kinds, mixed-in modules, `require`, hooks that are named by a symbol. */
import { called, instanceOf, known, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import type { LanguageRules, Walk } from './walk.ts';

const kernel: ReadonlySet<string> = new Set(
  (
    'puts print p pp raise fail lambda proc loop format sprintf rand sleep catch throw exit abort binding block_given? caller ' +
    'gets freeze dup clone nil? is_a? respond_to? instance_of? kind_of? private public protected module_function ' +
    'attr_reader attr_writer attr_accessor alias_method define_method'
  ).split(' '),
);

export const ruby: LanguageRules = {
  language: 'ruby',
  grammar: 'ruby',
  handlers: {
    module: (node, walk) => declareType(node, 'namespace', walk),
    class: (node, walk) => declareType(node, 'class', walk),
    singleton_class: (node, walk) => walk.visit(field(node, 'body')),
    method: declareMethod,
    singleton_method: declareMethod,
    call: callNode,
    command_call: callNode,
    // A bare name that is not local is a call without arguments.
    identifier: (node, walk) => {
      const name = walk.text(node);
      if (walk.facts.local(name) === undefined && !kernel.has(name)) walk.facts.refer('call', name, node.start);
    },
    assignment,
    operator_assignment: (node, walk) => {
      walk.visit(field(node, 'right'));
      const left = field(node, 'left');
      if (left?.type === 'instance_variable') assignField(left, node, walk.expression(field(node, 'right')), walk);
      else if (left?.type === 'identifier') walk.facts.bind(walk.text(left), null);
      else walk.visit(left);
    },
    block: blockNode,
    do_block: blockNode,
    lambda: blockNode,
    exception_variable: (node, walk) => {
      for (const child of node.children) if (child.type === 'identifier') walk.facts.bind(walk.text(child), null);
    },
    for: (node, walk) => {
      walk.visit(field(node, 'value'));
      const pattern = field(node, 'pattern');
      if (pattern?.type === 'identifier') walk.facts.bind(walk.text(pattern), null);
      walk.visit(field(node, 'body'));
    },
    alias: (node, walk) => {
      const name = field(node, 'name');
      const target = field(node, 'alias');
      if (name !== undefined && target !== undefined)
        walk.facts.refer('reference', `this.${walk.text(target)}`, node.start);
    },
    hash_key_symbol: () => undefined,
    undef: () => undefined,
  },
  identifiers: new Set(['identifier', 'constant', 'self', 'super', 'instance_variable']),
  members: { scope_resolution: ['scope', 'name'] },
  calls: {},
  expressions: {
    self: (_, walk) => (isStatic.get(walk.facts) === true ? 'Self' : 'this'),
    super: () => 'super',
    instance_variable: (node, walk) => member('this', walk.text(node)),
    call: (node, walk) => {
      const method = field(node, 'method');
      const receiver = field(node, 'receiver');
      if (method === undefined) return null;
      const name = walk.text(method);
      if (name === 'new') return receiver === undefined ? 'Self{}' : instanceOf(walk.expression(receiver));
      if (name === 'class' && receiver?.type === 'self') return 'Self';
      if (receiver === undefined) return called(walk.facts.local(name) ?? name);
      return called(member(walk.expression(receiver), name));
    },
    scope_resolution: (node, walk) => {
      const scope = field(node, 'scope');
      const name = field(node, 'name');
      if (name === undefined) return null;
      return scope === undefined ? `::${walk.text(name)}` : member(walk.expression(scope), walk.text(name));
    },
    parenthesized_statements: (node, walk) => walk.expression(node.children.at(-1)),
  },
  comments: new Set(['comment']),
  wrappers: new Set(),
  annotations: new Set(),
  isReserved: (name) => kernel.has(name),
};

/** Whether the walk is inside a method of the class itself, where `self` is the class. */
const isStatic = new WeakMap<object, boolean>();

function declareType(node: SyntaxNode, kind: 'namespace' | 'class', walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const { facts } = walk;
  const body = field(node, 'body');
  const index = facts.declare({
    name: walk.text(name).replace(/^::/, '').replace(/::/g, '.'),
    kind,
    span: node,
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
  });
  const base = field(node, 'superclass')?.children[0];
  if (base !== undefined) facts.refer('inherit', walk.expression(base), base.start, index);
  facts.insideMembers(index, () => walk.visit(body));
}

function declareMethod(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const { facts } = walk;
  const body = field(node, 'body');
  const owner = facts.enclosing('class', 'namespace');
  const parameters = field(node, 'parameters');
  const index = facts.declare({
    name: walk.text(name),
    kind: owner === null ? 'function' : 'method',
    span: node,
    bodyStart: parameters?.end ?? name.end,
    documentation: walk.comment(node),
  });
  const before = isStatic.get(facts) ?? false;
  isStatic.set(facts, node.type === 'singleton_method' || node.parent?.parent?.type === 'singleton_class');
  facts.insideBody(index, () => {
    bindParameters(parameters, walk);
    walk.visit(body);
  });
  isStatic.set(facts, before);
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const name = parameter.type === 'identifier' ? parameter : field(parameter, 'name');
    if (name !== undefined) walk.facts.bind(walk.text(name), null);
    walk.visit(field(parameter, 'value'));
    if (parameter.type === 'destructured_parameter') bindParameters(parameter, walk);
  }
}

function blockNode(node: SyntaxNode, walk: Walk): void {
  walk.facts.insideBody(walk.facts.current, () => {
    bindParameters(field(node, 'parameters'), walk);
    walk.visit(field(node, 'body'));
  });
}

function callNode(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const method = field(node, 'method');
  const receiver = field(node, 'receiver');
  const list = field(node, 'arguments');
  const given = list?.children ?? [];
  if (method === undefined) {
    walk.visitChildren(node);
    return;
  }
  const name = walk.text(method);
  if (receiver === undefined) {
    if (name === 'require' || name === 'require_relative' || name === 'load' || name === 'autoload') {
      const text = given.find((one) => one.type === 'string');
      if (text !== undefined) {
        facts.import(
          {
            specifier: walk.text(text).slice(1, -1),
            imported: '*',
            local: null,
            exported: '*',
            form: name === 'require_relative' ? 'include' : 'module',
          },
          node.start,
        );
        return;
      }
    }
    const owner = facts.atMemberLevel ? facts.enclosing('class', 'namespace') : null;
    if (owner !== null && ['include', 'extend', 'prepend'].includes(name)) {
      for (const one of given) facts.refer('inherit', walk.expression(one), one.start, owner);
      return;
    }
    if (owner !== null && /^attr_(reader|writer|accessor)$/.test(name)) {
      for (const one of childrenOf(list ?? node, 'simple_symbol')) {
        const attribute = walk.text(one).slice(1);
        facts.declare({
          name: attribute,
          kind: 'property',
          span: one,
          documentation: walk.comment(node),
          type: `this.@${attribute}`,
        });
      }
      return;
    }
  }
  if (name === 'new') {
    facts.refer('call', receiver === undefined ? 'Self' : walk.expression(receiver), node.start);
  } else {
    const target = receiver === undefined ? (facts.local(name) ?? name) : member(walk.expression(receiver), name);
    if (receiver !== undefined || !kernel.has(name)) facts.refer('call', target, node.start);
  }
  if (receiver !== undefined && !['constant', 'self', 'instance_variable', 'scope_resolution'].includes(receiver.type))
    walk.visit(receiver);
  if (receiver?.type === 'constant' || receiver?.type === 'scope_resolution') {
    if (name !== 'new') facts.refer('reference', walk.expression(receiver), receiver.start);
  }
  for (const one of given) {
    // `before_action :check`, `method(:run)`, `map(&:name)`: a method that is passed by its name.
    if (one.type === 'simple_symbol' && receiver === undefined)
      facts.refer('reference', `this.${walk.text(one).slice(1)}`, one.start);
    else if (one.type === 'pair') walk.visit(field(one, 'value'));
    else walk.visit(one);
  }
  walk.visit(field(node, 'block'));
}

function assignment(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const left = field(node, 'left');
  const right = field(node, 'right');
  const value = walk.expression(right);
  if (left?.type === 'constant' && facts.atMemberLevel) {
    const index = facts.declare({
      name: walk.text(left),
      kind: 'constant',
      span: node,
      documentation: walk.comment(node),
      type: known(value),
    });
    facts.insideMembers(index, () => walk.visit(right));
    return;
  }
  walk.visit(right);
  if (left?.type === 'instance_variable') assignField(left, node, value, walk);
  else if (left?.type === 'identifier') bindLocal(left, value, walk);
  else if (left?.type === 'left_assignment_list')
    for (const one of left.children) {
      if (one.type === 'identifier') bindLocal(one, unknown, walk);
      else if (one.type === 'instance_variable') assignField(one, node, unknown, walk);
    }
  else walk.visit(left);
}

function bindLocal(node: SyntaxNode, value: Expression, walk: Walk): void {
  walk.facts.bind(walk.text(node), known(value));
}

function assignField(left: SyntaxNode, node: SyntaxNode, value: Expression, walk: Walk): void {
  const { facts } = walk;
  const owner = facts.enclosing('class', 'namespace');
  if (owner === null) return;
  const name = walk.text(left);
  const before = facts.find(`${facts.symbol(owner).qualifiedName}.${name}`);
  if (before !== null) facts.learnType(before, value);
  else
    facts.declare({
      name,
      kind: 'field',
      span: node,
      parent: owner,
      exported: false,
      type: known(value),
    });
}
