/** The name that an unresolved reference ends in: `run` of `?.run`, `Flask().run()` and `crate::net::run`. */
export function lastNameOf(target: string): string {
  return /([\p{L}\p{N}_$]+)[^\p{L}\p{N}_$]*$/u.exec(target)?.[1] ?? target;
}
