/** What is measured of answers: places of the right files among the files that a system names. */

export interface Answered {
  /** Distinct files, best first. */
  readonly files: readonly string[];
  /** Any of them is right. */
  readonly gold: readonly string[];
  /** Of the text that an agent gets. */
  readonly tokens: number;
  readonly ms: number;
}

export interface Measures {
  readonly questions: number;
  /** Share of the questions whose right file is among the first five, and the first eight. */
  readonly recallAt5: number;
  readonly recallAt8: number;
  /** Share whose first answer is right. */
  readonly first: number;
  /** Mean of one divided by the place of the first right file, 0 where none is among the answers. */
  readonly mrr: number;
  /** Means. */
  readonly tokens: number;
  readonly ms: number;
}

export function measure(answers: readonly Answered[]): Measures {
  const places = answers.map(({ files, gold }) => placeOfGold(files, gold));
  const share = (most: number): number => mean(places.map((place) => (place <= most ? 1 : 0)));
  return {
    questions: answers.length,
    recallAt5: share(5),
    recallAt8: share(8),
    first: share(1),
    mrr: mean(places.map((place) => 1 / place)),
    tokens: mean(answers.map(({ tokens }) => tokens)),
    ms: mean(answers.map(({ ms }) => ms)),
  };
}

/** From 1; infinite when no right file is among them. */
export function placeOfGold(files: readonly string[], gold: readonly string[]): number {
  const at = files.findIndex((file) => gold.includes(file));
  return at === -1 ? Infinity : at + 1;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
