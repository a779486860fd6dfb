/** Python: modules, classes, functions, `self` fields, annotations as types, imports wherever they stand. */
import { collectionOf, elementOf, iterated, parameterAt, partAt, tupleOf } from '../composite.ts';
import { builtin, called, known, member, unknown } from '../expression.ts';
import { giverOf } from '../giver.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { builtins, narrowedBy, typeFromText } from './python-types.ts';
import { cleanDocstring, type LanguageRules, type Walk } from './walk.ts';

export const python: LanguageRules = {
  language: 'python',
  grammar: 'python',
  handlers: {
    module: (node, walk) => walk.visitChildren(node),
    decorated_definition: (node, walk) => walk.visit(field(node, 'definition')),
    function_definition: functionDefinition,
    class_definition: classDefinition,
    import_statement: importStatement,
    import_from_statement: importFrom,
    future_import_statement: () => undefined,
    assignment,
    named_expression: (node, walk) => {
      walk.visit(field(node, 'value'));
      bindPattern(field(node, 'name'), walk, walk.expression(field(node, 'value')));
    },
    if_statement: (node, walk) => {
      const condition = field(node, 'condition');
      walk.visit(condition);
      walk.facts.narrowed(narrowedBy(condition, walk), () => walk.visit(field(node, 'consequence')));
      for (const child of childrenOf(node, 'elif_clause', 'else_clause')) walk.visit(child);
    },
    for_statement: (node, walk) => {
      walk.visit(field(node, 'right'));
      bindPattern(field(node, 'left'), walk, known(iterated(walk.expression(field(node, 'right')))));
      walk.visit(field(node, 'body'));
      walk.visit(field(node, 'alternative'));
    },
    for_in_clause: (node, walk) => {
      const held = known(iterated(walk.expression(field(node, 'right'))));
      bindPattern(field(node, 'left'), walk, held);
      walk.visit(field(node, 'right'));
    },
    list_comprehension: comprehension,
    set_comprehension: comprehension,
    dictionary_comprehension: comprehension,
    generator_expression: comprehension,
    lambda: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        bindParameters(field(node, 'parameters'), walk, null, expectedOf(node, walk));
        walk.visit(field(node, 'body'));
      });
    },
    as_pattern: (node, walk) => {
      const [value, target] = node.children;
      walk.visit(value);
      bindPattern(target, walk, node.parent?.type === 'with_item' ? walk.expression(value) : null);
    },
    except_clause: (node, walk) => walk.visitChildren(node),
    keyword_argument: (node, walk) => walk.visit(field(node, 'value')),
    type: (node, walk) => referTypes(node, walk),
    global_statement: () => undefined,
    nonlocal_statement: () => undefined,
  },
  identifiers: new Set(['identifier']),
  members: { attribute: ['object', 'attribute'] },
  calls: { call: 'function' },
  expressions: {
    identifier: (node, walk) => {
      const name = walk.text(node);
      return walk.facts.local(name) ?? (builtins.has(name) ? builtin : name);
    },
    call: (node, walk) => {
      const callee = field(node, 'function');
      if (callee?.type === 'identifier' && walk.text(callee) === 'super') return 'super';
      if (callee?.type === 'identifier' && walk.text(callee) === 'cast') {
        return typeExpression(field(node, 'arguments')?.children[0], walk);
      }
      const target = walk.expression(callee);
      // What a weak reference gives is what it was made of; a proxy is used like it.
      if (target === 'weakref.ref' || target === 'weakref.proxy') {
        const held = walk.expression(field(node, 'arguments')?.children[0]);
        return held === unknown || target === 'weakref.proxy' ? held : giverOf(held);
      }
      return madeOf(node, callee, walk) ?? called(target);
    },
    subscript: (node, walk) => {
      const index = field(node, 'subscript');
      const base = walk.expression(field(node, 'value'));
      if (index?.type === 'slice') return base;
      return index?.type === 'integer' && /^\d$/.test(walk.text(index))
        ? partAt(base, Number(walk.text(index)))
        : elementOf(base);
    },
    string: () => builtin,
    await: (node, walk) => walk.expression(node.children[0]),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    boolean_operator: (node, walk) => firstKnown(node, walk),
    conditional_expression: (node, walk) =>
      firstKnown(
        { ...node, children: [node.children[0], node.children[2]].filter((child) => child !== undefined) },
        walk,
      ),
  },
  comments: new Set(['comment']),
  wrappers: new Set(['decorated_definition', 'expression_statement']),
  annotations: new Set(),
  isReserved: (name) => builtins.has(name),
};

/** Collections that are made of others: `list(x)`, `sorted(x)`, `enumerate(x)`. */
function madeOf(call: SyntaxNode, callee: SyntaxNode | undefined, walk: Walk): Expression | null {
  const name = callee?.type === 'identifier' ? walk.text(callee) : '';
  if (!/^(list|tuple|set|frozenset|sorted|reversed|iter|enumerate|next)$/.test(name)) return null;
  const one = known(iterated(walk.expression(field(call, 'arguments')?.children[0])));
  if (one === null || name === 'next') return one;
  return collectionOf(name === 'enumerate' ? tupleOf([null, one]) : one);
}

function firstKnown(node: SyntaxNode, walk: Walk): Expression {
  return node.children.map((child) => walk.expression(child)).find((found) => found !== unknown) ?? unknown;
}

function comprehension(node: SyntaxNode, walk: Walk): void {
  walk.facts.insideBody(walk.facts.current, () => {
    for (const child of node.children) if (child.field !== 'body') walk.visit(child);
    walk.visit(field(node, 'body'));
  });
}

function functionDefinition(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const nameNode = field(node, 'name');
  if (nameNode === undefined) return;
  const decorators = decoratorsOf(node);
  const decoratorNames = decorators.map((decorator) => walk.text(decorator).replace(/^@\s*/, ''));
  const inClass = isClass(facts.current, walk);
  const body = field(node, 'body');
  const outer = node.parent?.type === 'decorated_definition' ? node.parent : node;
  const isProperty = decoratorNames.some((name) => /(^|\.)(cached_)?property$|\.(setter|deleter|getter)$/.test(name));
  const result = typeExpression(field(node, 'return_type'), walk);
  const index = facts.declare({
    name: walk.text(nameNode),
    kind: !inClass ? 'function' : isProperty ? 'property' : 'method',
    span: { start: outer.start, end: node.end },
    bodyStart: body?.start ?? null,
    documentation: docstringOf(body, walk) || walk.comment(node),
    exported: !/^_[^_]/.test(walk.text(nameNode)),
    type: result,
    shape: parameterTypes(field(node, 'parameters'), inClass && !decoratorNames.includes('staticmethod'), walk),
  });
  decorate(decorators, index, walk);
  referTypes(field(node, 'return_type'), walk, index);
  const isStatic = decoratorNames.includes('staticmethod');
  const isClassMethod =
    decoratorNames.includes('classmethod') || ['__new__', '__init_subclass__'].includes(walk.text(nameNode));
  facts.insideBody(index, () => {
    bindParameters(field(node, 'parameters'), walk, inClass && !isStatic ? (isClassMethod ? 'Self' : 'this') : null);
    walk.visit(body);
  });
}

/** What the parameters of a function are, without the one that a method gets by itself. */
function parameterTypes(node: SyntaxNode | undefined, isMethod: boolean, walk: Walk): Expression | null {
  const types: (Expression | null)[] = [];
  for (const parameter of node?.children ?? []) {
    if (/splat|separator/.test(parameter.type) || walk.text(parameter).startsWith('*')) break;
    if (parameter.type !== 'comment') types.push(typeExpression(field(parameter, 'type'), walk));
  }
  return tupleOf(types.slice(isMethod ? 1 : 0));
}

function classDefinition(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const nameNode = field(node, 'name');
  if (nameNode === undefined) return;
  const body = field(node, 'body');
  const outer = node.parent?.type === 'decorated_definition' ? node.parent : node;
  const index = facts.declare({
    name: walk.text(nameNode),
    kind: 'class',
    span: { start: outer.start, end: node.end },
    bodyStart: body?.start ?? null,
    documentation: docstringOf(body, walk) || walk.comment(node),
    exported: !walk.text(nameNode).startsWith('_'),
  });
  decorate(decoratorsOf(node), index, walk);
  for (const base of field(node, 'superclasses')?.children ?? []) {
    if (base.type === 'keyword_argument')
      facts.refer('reference', walk.expression(field(base, 'value')), base.start, index);
    else if (base.type === 'subscript') {
      facts.refer('inherit', walk.expression(field(base, 'value')), base.start, index);
      referTypes(base, walk, index);
    } else if (base.type === 'identifier' || base.type === 'attribute') {
      facts.refer('inherit', walk.expression(base), base.start, index);
    } else walk.visit(base);
  }
  facts.insideMembers(index, () => walk.visit(body));
}

function importStatement(node: SyntaxNode, walk: Walk): void {
  for (const child of node.children) {
    const nameNode = child.type === 'aliased_import' ? field(child, 'name') : child;
    if (nameNode === undefined) continue;
    const specifier = walk.text(nameNode).replace(/\s+/g, '');
    const alias = child.type === 'aliased_import' ? field(child, 'alias') : undefined;
    if (alias !== undefined) walk.facts.import({ specifier, imported: null, local: walk.text(alias) }, child.start);
    else {
      walk.facts.import({ specifier, imported: null, local: specifier.split('.')[0] ?? null }, child.start);
    }
  }
}

function importFrom(node: SyntaxNode, walk: Walk): void {
  const moduleNode = field(node, 'module_name');
  if (moduleNode === undefined) return;
  const specifier = walk.text(moduleNode).replace(/\s+/g, '');
  if (childOf(node, 'wildcard_import') !== undefined) {
    walk.facts.import({ specifier, imported: '*', local: null, exported: '*' }, node.start);
  }
  for (const child of node.children) {
    if (child.field !== 'name') continue;
    const nameNode = child.type === 'aliased_import' ? field(child, 'name') : child;
    const alias = child.type === 'aliased_import' ? field(child, 'alias') : nameNode;
    if (nameNode === undefined || alias === undefined) continue;
    const local = walk.text(alias);
    const exported = walk.facts.current === null ? local : null;
    walk.facts.import({ specifier, imported: walk.text(nameNode), local, exported }, child.start);
  }
}

function assignment(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const left = field(node, 'left');
  const right = field(node, 'right');
  const annotation = field(node, 'type');
  referTypes(annotation, walk);
  walk.visit(right);
  if (left === undefined) return;
  const value = right?.type === 'assignment' ? walk.expression(field(right, 'right')) : walk.expression(right);
  const type = typeExpression(annotation, walk) ?? (value === unknown ? null : value);
  if (left.type === 'attribute') {
    assignField(left, node, type, walk);
    return;
  }
  if (!facts.atMemberLevel) {
    bindPattern(left, walk, type);
    return;
  }
  for (const name of left.type === 'identifier' ? [left] : namesIn(left)) {
    const text = walk.text(name);
    const owner = facts.current === null ? null : facts.symbol(facts.current).qualifiedName;
    const known = facts.find(owner === null ? text : `${owner}.${text}`);
    if (known !== null) {
      facts.learnType(known, type ?? unknown);
      continue;
    }
    if (/^__\w+__$/.test(text)) continue;
    facts.declare({
      name: text,
      kind: kindOfVariable(text, facts.current === null),
      span: node,
      documentation: walk.comment(node),
      exported: !text.startsWith('_'),
      type: left.type === 'identifier' ? type : null,
    });
  }
}

function kindOfVariable(name: string, atTop: boolean): SymbolKind {
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return 'constant';
  return atTop ? 'variable' : 'field';
}

/** `self.x = …` makes a field of the class, the first time. */
function assignField(left: SyntaxNode, node: SyntaxNode, type: Expression | null, walk: Walk): void {
  const { facts } = walk;
  const target = field(left, 'attribute');
  if (walk.expression(field(left, 'object')) !== 'this' || target === undefined) {
    walk.visit(left);
    return;
  }
  const owner = facts.enclosing('class');
  if (owner === null) return;
  const name = walk.text(target);
  const known = facts.find(`${facts.symbol(owner).qualifiedName}.${name}`);
  if (known !== null) {
    facts.learnType(known, type ?? unknown);
    facts.refer('reference', member('this', name), left.start);
    return;
  }
  facts.declare({
    name,
    kind: 'field',
    span: node,
    documentation: walk.comment(node),
    exported: !name.startsWith('_'),
    type,
    parent: owner,
  });
}

/** What a function that is passed as an argument is expected to be, or null. */
function expectedOf(node: SyntaxNode, walk: Walk): Expression | null {
  const list = node.parent;
  const call = list?.type === 'argument_list' ? list.parent : null;
  if (list === null || call?.type !== 'call') return null;
  const at = list.children.filter((child) => child.type !== 'comment').indexOf(node);
  return known(parameterAt(walk.expression(field(call, 'function')), at));
}

/** `expected` is what the whole function is expected to be. */
function bindParameters(
  node: SyntaxNode | undefined,
  walk: Walk,
  receiver: Expression | null,
  expected: Expression | null = null,
): void {
  let isFirst = true;
  for (const [at, parameter] of (node?.children ?? []).entries()) {
    const annotation = field(parameter, 'type');
    referTypes(annotation, walk);
    walk.visit(field(parameter, 'value'));
    const nameNode = parameter.type === 'identifier' ? parameter : (field(parameter, 'name') ?? namesIn(parameter)[0]);
    if (nameNode === undefined) continue;
    const isSplat = walk.text(parameter).startsWith('*');
    const type = typeExpression(annotation, walk) ?? (expected === null ? null : known(parameterAt(expected, at)));
    walk.facts.bind(walk.text(nameNode), isFirst && receiver !== null && !isSplat ? receiver : isSplat ? null : type);
    isFirst = false;
  }
}

function bindPattern(node: SyntaxNode | undefined, walk: Walk, type: Expression | null): void {
  if (node === undefined) return;
  if (node.type === 'identifier') walk.facts.bind(walk.text(node), type);
  else if (node.type === 'attribute' || node.type === 'subscript') walk.visit(node);
  else if (/^(pattern_list|tuple_pattern|tuple)$/.test(node.type) && type !== null && type !== unknown) {
    node.children.forEach((part, at) => {
      bindPattern(part, walk, known(partAt(type, at)));
    });
  } else for (const name of namesIn(node)) walk.facts.bind(walk.text(name), null);
}

function namesIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'identifier') return [node];
  if (node.type === 'attribute' || node.type === 'subscript') return [];
  return node.children.filter((child) => child.field !== 'type' && child.field !== 'value').flatMap(namesIn);
}

function decoratorsOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.parent?.type !== 'decorated_definition') return [];
  return node.parent.children.filter((child) => child.type === 'decorator');
}

function decorate(decorators: readonly SyntaxNode[], index: number, walk: Walk): void {
  for (const decorator of decorators) {
    const [expression] = decorator.children;
    if (expression === undefined) continue;
    const callee = expression.type === 'call' ? field(expression, 'function') : expression;
    walk.facts.refer('decorate', walk.expression(callee), decorator.start, index);
    if (expression.type === 'call') walk.visit(field(expression, 'arguments'));
  }
}

/** What a value of the annotated type is, or null. */
function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  const text = walk.text(node).replace(/\s+/g, '');
  return typeFromText(text.replace(/^["']|["']$/g, ''));
}

function referTypes(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
  if (node === undefined) return;
  if (node.type === 'string') {
    const name = walk.text(node).replace(/^["']+|["']+$/g, '');
    for (const part of name.match(/[A-Za-z_][\w.]*/g) ?? []) {
      if (!builtins.has(part)) walk.facts.refer('type', part, node.start, from);
    }
  } else if (node.type === 'identifier' || node.type === 'attribute') {
    walk.facts.refer('type', walk.expression(node), node.start, from);
  } else for (const child of node.children) referTypes(child, walk, from);
}

function docstringOf(body: SyntaxNode | undefined, walk: Walk): string {
  const first = body?.children.find((child) => child.type !== 'comment');
  const text = first?.type === 'expression_statement' ? first.children[0] : first;
  return text?.type === 'string' ? cleanDocstring(walk.text(text)) : '';
}

function isClass(index: number | null, walk: Walk): boolean {
  return index !== null && walk.facts.atMemberLevel && walk.facts.symbol(index).kind === 'class';
}
