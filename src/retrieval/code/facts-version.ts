/** Part of the key of kept facts: raise it whenever the same bytes give other facts. */
export const factsVersion = 9;
