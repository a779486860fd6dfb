/** Where the optional model package keeps the vocabulary of the model. */
import { miniLmModel } from '../../src/retrieval/embeddings/minilm-model.ts';

export async function tokenizerPath(): Promise<string> {
  const model: unknown = await import(miniLmModel.modelPackage);
  const tokenizer = property(property(model, 'default'), 'tokenizerPath');
  if (typeof tokenizer !== 'string') throw new Error(`${miniLmModel.modelPackage} names no tokenizerPath.`);
  return tokenizer;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
