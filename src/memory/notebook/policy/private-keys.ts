/** The first line of a private key in its text armour. Public keys, certificates and encrypted keys are not meant. */
import { type Detector, patternDetector } from './detector.ts';

export const privateKeys: readonly Detector[] = [
  patternDetector(
    'private key block',
    'private_key_shape',
    /-----BEGIN (?:(?:(?:RSA|EC|DSA|OPENSSH) )?PRIVATE KEY|PGP PRIVATE KEY BLOCK)-----/u,
  ),
];
