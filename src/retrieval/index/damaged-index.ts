/**
 * What the index stores cannot have been written by a build: bytes changed on the disk, or somebody wrote to it. It is
 * thrown by whoever reads them, whatever the bytes are, and the cure is always to build the index anew.
 */
export class DamagedIndex extends Error {
  /** What is not as it was written, as the end of a sentence: `the places of a file are not whole`. */
  readonly fault: string;

  constructor(fault: string, options?: ErrorOptions) {
    super(`The index is damaged: ${fault}.`, options);
    this.name = 'DamagedIndex';
    this.fault = fault;
  }
}
