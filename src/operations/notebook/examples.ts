/** The one invented record that the examples of all rows speak of. */
import type { CanonicalReferenceAnswer } from '../../memory/notebook/answer.ts';

export const exampleReference: CanonicalReferenceAnswer = {
  schema_version: 2,
  scope: 'project',
  namespace_id: 'atlas',
  collection_id: 'decisions',
  id: 'mem_5d0c1f6b2a7e4f3c9b8a7d6e5f4c3b2a',
};

export const exampleTitle = 'Files before a database';
export const exampleContent =
  'Atlas keeps its settings in plain files, because they must stay readable when the program does not start.';
export const exampleTags = ['storage', 'settings'];
