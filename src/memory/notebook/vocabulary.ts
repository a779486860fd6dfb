/**
 * The closed vocabulary of the notebook: six scopes, the namespace kinds and memory kinds each allows, and one line of
 * advice for every place a memory can go. Schemas, validation and descriptions are all made from this table.
 */
export const scopes = ['self', 'relationship', 'preference', 'practice', 'project', 'knowledge'] as const;
export type Scope = (typeof scopes)[number];

export const namespaceKinds = ['aspect', 'person', 'group', 'relationship', 'domain', 'project', 'topic'] as const;
export type NamespaceKind = (typeof namespaceKinds)[number];

export const memoryKinds = [
  'attribute',
  'perspective',
  'summary',
  'preference',
  'practice',
  'decision',
  'constraint',
  'state',
  'event',
  'question',
  'reference',
] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** Origins a caller may state. `manual` and `import` occur only in files. */
export const callerOrigins = ['explicit_user_statement', 'user_approved_proposal'] as const;
export type CallerOrigin = (typeof callerOrigins)[number];
export const origins = [...callerOrigins, 'manual', 'import'] as const;
export type Origin = (typeof origins)[number];

export const recordedVias = ['memory_remember', 'filesystem', 'migration', 'import'] as const;
export type RecordedVia = (typeof recordedVias)[number];

export interface ScopeVocabulary {
  readonly description: string;
  readonly namespaceKinds: readonly NamespaceKind[];
  /** Memory kinds in published order, each with its line of writing advice. */
  readonly kinds: ReadonlyMap<MemoryKind, string>;
}

export const vocabulary: Readonly<Record<Scope, ScopeVocabulary>> = {
  self: {
    description: 'Lasting facts about the user.',
    namespaceKinds: ['aspect'],
    kinds: new Map([
      [
        'attribute',
        'A lasting fact about the user, such as a skill, a role or a place; not a preference and not a passing state.',
      ],
    ]),
  },
  relationship: {
    description: 'People and groups in the life of the user, as the user sees them.',
    namespaceKinds: ['person', 'group', 'relationship'],
    kinds: new Map([
      ['perspective', 'How the user sees somebody, told as a view of the user and not as a fact about that person.'],
      ['summary', 'Where the relationship stands from the side of the user; not a biography of the other person.'],
    ]),
  },
  preference: {
    description: 'What the user has said they want.',
    namespaceKinds: ['domain'],
    kinds: new Map([['preference', 'A wish the user has stated outright; not something guessed from what they did.']]),
  },
  practice: {
    description: 'How the user really works.',
    namespaceKinds: ['domain'],
    kinds: new Map([['practice', 'What the user actually does, again and again; not what they hope or plan to do.']]),
  },
  project: {
    description: 'What is known about one project.',
    namespaceKinds: ['project'],
    kinds: new Map([
      ['decision', 'A choice that was made, together with the reason for it.'],
      ['constraint', 'A boundary the work must stay within.'],
      ['state', 'How things stand at present; revise the record when they change.'],
      ['event', 'Something that happened and is over, with its known time in occurred_at.'],
      ['question', 'An open question whose answer matters for the project.'],
      [
        'reference',
        'A source worth returning to that belongs to this project alone; use a more exact kind where one fits.',
      ],
      ['summary', 'An overview of part of this project; it stands beside the exact kinds and replaces none of them.'],
    ]),
  },
  knowledge: {
    description: 'Approved knowledge that is useful beyond one project.',
    namespaceKinds: ['topic'],
    kinds: new Map([
      ['reference', 'An approved source to use again in other work; not general knowledge that any model has.'],
      ['summary', 'An approved digest to use again in other work; not general knowledge that any model has.'],
    ]),
  },
};

export function isScope(value: unknown): value is Scope {
  return typeof value === 'string' && (scopes as readonly string[]).includes(value);
}
