import { describe, expect, test } from 'vitest';
import { corpora } from '../../evals/code/corpora.ts';
import { measure, placeOfGold } from '../../evals/code/measures.ts';
import { frozenSha256, halfOf, halves, readQuestions } from '../../evals/code/questions.ts';

function answered(files: readonly string[], gold: readonly string[], tokens = 0, ms = 0) {
  return { files, gold, tokens, ms };
}

describe('what is measured of answers', () => {
  test('RK30: the first right file counts, wherever further ones are', () => {
    expect(placeOfGold(['a', 'b', 'c'], ['c', 'b'])).toBe(2);
    expect(placeOfGold(['a'], ['b'])).toBe(Infinity);
  });

  test('RK30: recall, first hits and MRR are shares of all questions', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const measures = measure([
      answered(names, ['a'], 100, 1),
      answered(names, ['e'], 200, 2),
      answered(names, ['f'], 300, 3),
      answered(names, ['z'], 400, 6),
    ]);
    expect(measures).toEqual({
      questions: 4,
      recallAt5: 0.5,
      recallAt8: 0.75,
      first: 0.25,
      mrr: (1 + 1 / 5 + 1 / 6) / 4,
      tokens: 250,
      ms: 3,
    });
  });

  test('RK30: no questions give zeros', () => {
    expect(measure([])).toMatchObject({ questions: 0, recallAt5: 0, mrr: 0 });
  });
});

describe('the questions', () => {
  const questions = corpora.flatMap(({ name }) => readQuestions(name));

  test('RK31: there are at least a hundred, over five code bases, half of them frozen', () => {
    expect(corpora.length).toBeGreaterThanOrEqual(5);
    expect(questions.length).toBeGreaterThanOrEqual(100);
    const counts = halves.map((half) => questions.filter((question) => halfOf(question) === half).length);
    expect(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0))).toBeLessThanOrEqual(corpora.length);
  });

  test('RK31: ids are unique and name their corpus, and no question names its right file', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const { name } of corpora) {
      for (const { id, question, gold, alternatives } of readQuestions(name)) {
        expect(id.startsWith(`${name}-`)).toBe(true);
        expect(gold.filter((file) => alternatives.includes(file))).toEqual([]);
        expect(gold.filter((file) => question.includes(file))).toEqual([]);
      }
    }
  });

  test('RK31: the sum of the frozen half changes with a frozen question and with no other', () => {
    const changed = (half: string) =>
      questions.map((question, index) =>
        index === questions.findIndex((one) => halfOf(one) === half) ? { ...question, question: 'another' } : question,
      );
    expect(frozenSha256(changed('tuning'))).toBe(frozenSha256(questions));
    expect(frozenSha256(changed('frozen'))).not.toBe(frozenSha256(questions));
  });
});
