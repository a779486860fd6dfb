/**
 * A signed token in compact form: three base64url runs joined by dots. Three runs alone would be any version number,
 * file name or host, so the first run must look like the base64url of a JSON header, which begins `eyJ`.
 */
import { type Detector, patternDetector } from './detector.ts';

export const compactTokens: readonly Detector[] = [
  patternDetector(
    'compact token',
    'compact_token_shape',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]/u,
  ),
];
