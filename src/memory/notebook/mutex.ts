/** One at a time, in the order of asking. Not re-entrant: asking from inside would wait for itself. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** How many wait behind the one that runs. */
  get waiting(): number {
    return this.#waiting;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#waiting += 1;
    const turn = this.#last.then(() => {
      this.#waiting -= 1;
      return work();
    });
    // Whoever is next does not care how this one ends.
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
