/** Puts the numbers of a table that is full into the larger one that takes its place, and gives that. */
export function grown<Numbers extends Int32Array | Uint32Array | Uint16Array | Uint8Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
