/**
 * Files inside a project that are never documents, whoever asks: what git and Mnemosyne keep there for themselves, and
 * files whose name says that they hold keys or passwords. What is indexed is shown to every agent that searches.
 *
 * Only names are looked at, in any case, because file systems may fold it.
 */

export type Withheld = 'internal' | 'secret';

/** `file` is from the root, with `/`. Null for an ordinary file. */
export function withheldReason(file: string): Withheld | null {
  const parts = file.toLowerCase().split('/');
  if (parts.some((part) => internalFolders.has(part))) return 'internal';
  const isSecret = parts.some((part) => secretFolders.has(part)) || isSecretName(parts.at(-1) ?? '');
  return isSecret ? 'secret' : null;
}

const internalFolders: ReadonlySet<string> = new Set(['.git', '.neuralmind']);
const secretFolders: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.aws', '.kube', '.docker']);
const secretFiles: ReadonlySet<string> = new Set([
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.envrc',
  'token',
]);
const secretNames: readonly RegExp[] = [
  /\.(pem|key|p12|pfx|keystore|kdbx|env)$/,
  // With what editors and people append to it; the public half is no secret.
  /^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^credentials/,
  /^secrets\.(ya?ml|json)$/,
  /^service[-_]account.*\.json$/,
  /^\.env~?$/,
  // Templates show which variables there are.
  /^\.env\.(?!example|sample|template)(?!(.*\.)?(example|sample|template|dist)$)/,
];

function isSecretName(name: string): boolean {
  return secretFiles.has(name) || secretNames.some((pattern) => pattern.test(name));
}
