/** Numbers as people read them. */

/** `12,345`, of whole numbers. By hand: making a formatter takes longer than most questions. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 file`, `12,345 files`; `plural` where an s is not enough. */
export function counted(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}
