/**
 * The bearer token of the local daemon: 256 random bits, made once, kept over restarts so that client configurations
 * stay valid, changed only on request.
 *
 * It lives in one file that nobody but its owner may read. A file that others could have read or written is refused,
 * never used and never repaired.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { ProcessError } from '../base/errors.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from '../base/private-file.ts';
import { ensureDaemonHome } from './home.ts';

const shape = /^[A-Za-z0-9_-]{43}$/;

export function tokenPath(home: string): string {
  return join(home, 'token');
}

/** The token of `home`, made when there is none. Two processes that start together get the same one. */
export function loadToken(home: string): string {
  ensureDaemonHome(home);
  const present = readToken(home);
  if (present !== null) return present;
  createPrivateFile(tokenPath(home), newToken());
  // Read back: another process may have been first, and then its token is the one.
  const made = readToken(home);
  if (made === null) throw new ProcessError('unsafe_home', 'the token file vanished while it was made');
  return made;
}

/** A fresh token in place of the old one. The caller makes sure that no daemon is running. */
export function rotateToken(home: string): string {
  ensureDaemonHome(home);
  const token = newToken();
  replacePrivateFile(tokenPath(home), token);
  return token;
}

/** Compares in time that does not depend on where the two differ. */
export function createTokenCheck(token: string): (presented: string) => boolean {
  const expected = digest(token);
  return (presented) => timingSafeEqual(digest(presented), expected);
}

function readToken(home: string): string | null {
  const file = readPrivateFile(tokenPath(home));
  switch (file.kind) {
    case 'missing':
      return null;
    case 'unsafe':
      throw new ProcessError('unsafe_home', `the token file ${file.fault}; correct it or make a new token`);
    case 'text':
      if (!shape.test(file.text)) {
        throw new ProcessError(
          'unsafe_home',
          'the token file is damaged; "mnemosyne daemon token rotate" makes a new one',
        );
      }
      return file.text;
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
