/** Calls rows of the table as a door does, and holds each answer to what its row declares. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type Call, createDispatcher, type TerminalEvent } from '../../src/operations/dispatch.ts';
import type { HttpSuccess } from '../../src/operations/http-route.ts';
import type { OperationFailure } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });

export const registry = createRegistry({ remember: true, archive_restore: true, revise: true, forget: true });

export interface Door {
  /** The success value of the row, by its name or that of its tool. */
  call(name: string, input: object, more?: Partial<Call>): Promise<JsonObject>;
  /** How the route would answer. */
  answer(name: string, input: object): Promise<HttpSuccess>;
  failure(name: string, input: object, more?: Partial<Call>): Promise<OperationFailure>;
  readonly events: TerminalEvent[];
}

export function openDoor(engine: Engine): Door {
  const events: TerminalEvent[] = [];
  const dispatcher = createDispatcher(engine, registry, (event) => events.push(event));

  async function dispatch(name: string, input: object, more: Partial<Call> = {}) {
    const operation = registry.operations.find((row) => row.name === name || row.tool?.name === name);
    if (operation === undefined) throw new Error(`no row ${name}`);
    const result = await dispatcher.dispatch({
      operation,
      arguments: asJson(input),
      caller: { kind: 'cli', principal: 'test' },
      signal: new AbortController().signal,
      ...more,
    });
    expect(events.at(-1)?.fault).toBeUndefined();
    if (!result.ok) expect(operation.errors).toContain(result.failure.code);
    return { operation, result };
  }

  async function succeed(name: string, input: object, more?: Partial<Call>) {
    const { operation, result } = await dispatch(name, input, more);
    if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.failure)}`);
    return { operation, value: result.value };
  }

  return {
    events,
    async call(name, input, more) {
      const { operation, value } = await succeed(name, input, more);
      const { http } = operation;
      if (http !== undefined) {
        const body = http.respond?.(value).body ?? value;
        if (typeof body !== 'string') expectFits(http.output, body);
      }
      return asJson(value);
    },
    async answer(name, input) {
      const { operation, value } = await succeed(name, input);
      return operation.http?.respond?.(value) ?? { status: 200, body: value };
    },
    async failure(name, input, more) {
      const { result } = await dispatch(name, input, more);
      if (result.ok) throw new Error(`${name} succeeded`);
      return result.failure;
    },
  };
}

/** Against the published JSON Schema, which is what a client sees. */
export function expectFits(schema: z.ZodType, value: JsonValue): void {
  const validate = ajv.compile(z.toJSONSchema(schema, { io: 'output' }));
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

export function asJson(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('not an object');
  return copy;
}
