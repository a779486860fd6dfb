/** Which versions of Node can run the program. Must stay readable by very old versions: they are the ones it speaks to. */
export const supportedNodeText = '22.22.2 or newer 22, 24.15 or newer 24, or any from 26';

/** `version` is `major.minor.patch`, as in `process.versions.node`. */
export function isSupportedNode(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}
