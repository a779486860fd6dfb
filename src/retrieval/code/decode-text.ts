/**
 * Bytes to text: UTF-8, UTF-16 with or without a mark, and Windows-1252 (which holds Latin-1) for the rest. Whoever
 * cuts a piece out of a file by offsets must decode it with this.
 */
export type DecodedText =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
    }
  | { readonly kind: 'binary' };

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, 'utf-16be');
  if (bytes.includes(0)) {
    const order = utf16Order(bytes);
    return order === null ? { kind: 'binary' } : decoded(bytes, order);
  }
  try {
    return { kind: 'text', text: utf8.decode(bytes), encoding: 'utf-8' };
  } catch {
    // Not UTF-8: a text in an old encoding, unless it is full of control characters.
    return looksBinary(bytes) ? { kind: 'binary' } : decoded(bytes, 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be' | 'windows-1252'): DecodedText {
  return { kind: 'text', text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** Source text in UTF-16 has a zero byte in nearly every pair, always on the same side. */
function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 !== 0) return null;
  const sample = bytes.subarray(0, 4_096);
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.7 && even === 0) return 'utf-16le';
  if (even > pairs * 0.7 && odd === 0) return 'utf-16be';
  return null;
}

function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8_192);
  let controls = 0;
  for (const byte of sample)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  return controls > sample.length * 0.02;
}
