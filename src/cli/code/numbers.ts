/** Times and sizes as people read them. */
import { counted, grouped } from '../../base/numbers.ts';

/** `0.04 s`, `3.2 s`, `2 min 5 s` */
export function secondsWords(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `812 bytes`, `4.1 MB`: powers of ten. */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

/** `260 times smaller`, `1.4 times smaller`; `ratio` is that of the whole to the part, at least 1. */
export function timesSmaller(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(1) : grouped(Math.round(ratio))} times smaller`;
}
