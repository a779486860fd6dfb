/** What one line of a bench says, and how medians are taken. */
export interface Measurement {
  readonly name: string;
  readonly unit: 'ms' | '/s';
  readonly ours: number;
  /** The plain way of the same work, in the same run. */
  readonly plain?: number;
  /** Whether ours and the plain way agree on the answer. */
  readonly correct: boolean;
  readonly goal?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median time of `rounds` runs of `work`, in milliseconds. */
export async function medianMs(rounds: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
