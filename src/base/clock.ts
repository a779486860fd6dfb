/** The time, passed in wherever it is read, so that a test can choose it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds in UTC, `YYYY-MM-DDTHH:MM:SSZ`: the only time form in notebook records. */
export function toUtcSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
