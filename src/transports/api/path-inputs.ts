/** What the inputs in paths are. A row with a new one needs its words here before it can be published. */
export interface PathInput {
  readonly description: string;
  readonly example: string;
}

const known: ReadonlyMap<string, PathInput> = new Map([
  ['project_id', { description: 'The id of a registered project. Opaque.', example: 'p_3f9a1c2b7d4e' }],
  ['memory_id', { description: 'The id of a decision. Opaque.', example: '9b2c0f7e-5d41-4c8a-9a53-6d1e2f3a4b5c' }],
  ['job_id', { description: 'The id of a job. Opaque.', example: 'a1b2c3d4e5f6' }],
]);

/** Throws for a name that has no words. */
export function pathInput(name: string): PathInput {
  const input = known.get(name);
  if (input === undefined) throw new Error(`the path input ${name} is not described`);
  return input;
}
