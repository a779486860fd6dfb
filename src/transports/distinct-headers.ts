/** Every value of every header, by lower-case name. Node's own merging keeps one of two Host headers silently. */
export function distinctHeaders(raw: readonly string[]): Readonly<Record<string, readonly string[] | undefined>> {
  const values = new Map<string, string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    values.set(name, [...(values.get(name) ?? []), raw[index + 1] ?? '']);
  }
  return Object.fromEntries(values);
}
