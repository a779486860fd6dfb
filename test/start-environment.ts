/** What a program that a test starts has in its environment, whatever else it is given: see `stripped-types.mjs`. */
export const startEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_OPTIONS', 'STRIPPED_TYPES'].map((name) => [name, process.env[name] ?? '']),
);
