/** Turns a path of this machine into an absolute one. For Node only, and without an import like `local-daemon.ts`. */

export function absolutePath(path: string): string {
  return process.getBuiltinModule('node:path').resolve(path);
}
