/** Long work in short pieces: between two of them, requests of others get their turn. */

/** To be awaited between two pieces. Waits only when the last pause is long enough ago. */
export type Breath = () => Promise<void>;

const pieceMsMax = 8;

export function breathing(): Breath {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < pieceMsMax) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
