/** An engine for rows that must not reach for it: every part throws an error with `message`. */
import type { Engine } from '../src/engine/engine.ts';

export function unusedEngine(message: string): Engine {
  const never = (): never => {
    throw new TypeError(message);
  };
  return {
    clock: { now: () => new Date(0) },
    get notebook() {
      return never();
    },
    get projects() {
      return never();
    },
    get jobs() {
      return never();
    },
    get daemon() {
      return never();
    },
    decisions: never,
    isWarm: never,
    code: never,
    isBuilt: never,
    scanDecisions: never,
    close: async () => {},
  };
}
