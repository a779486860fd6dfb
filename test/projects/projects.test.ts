import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openProjects, type Projects } from '../../src/engine/projects/projects.ts';
import { isReservedPath } from '../../src/engine/projects/reserved-path.ts';
import { projectFailure } from '../../src/operations/failures.ts';
import { afterThis } from '../after-this.ts';
import { runModules } from './run-modules.ts';
import { runGit, tempFolder, tempRepository } from './temp-repository.ts';

interface Fixture {
  readonly home: string;
  readonly projects: Projects;
  again(): Projects;
}

function fixture(): Fixture {
  const home = tempFolder('home-');
  const again = () => openProjects({ daemonHome: path.join(home, 'daemon'), userHome: home, clock: systemClock });
  return { home, projects: again(), again };
}

async function registered(projects: Projects, folder: string) {
  const result = await projects.register(folder);
  if (!result.ok) throw new Error(`${folder}: ${result.problem.kind}`);
  return result.value;
}

async function problemOf(projects: Projects, folder: string): Promise<string> {
  const result = await projects.register(folder);
  return result.ok ? 'none' : result.problem.kind;
}

test('PR1 the id is p_ and twelve digits of the hash of the real path, and a second registration finds the first', async () => {
  const { projects, again } = fixture();
  const { root } = tempRepository();
  const first = await registered(projects, root);
  const expected = createHash('sha256').update(root).digest('hex').slice(0, 12);
  expect(first).toEqual({
    project: { id: `p_${expected}`, name: path.basename(root), path: root },
    created: true,
  });
  expect(await registered(projects, root)).toEqual({ ...first, created: false });
  expect(await again().get(`p_${expected}`)).toEqual({ ok: true, value: first.project });
  expect(await again().list()).toEqual({ ok: true, value: [{ ...first.project, missing: false }] });
});

test('PR2 a link, a trailing slash, dots and a subfolder all reach the one project', async () => {
  const { projects } = fixture();
  const { root } = tempRepository();
  mkdirSync(path.join(root, 'deep', 'er'), { recursive: true });
  const link = path.join(tempFolder(), 'link');
  symlinkSync(root, link);
  const { id } = (await registered(projects, root)).project;
  for (const spelling of [link, `${root}/`, path.join(link, 'deep'), `${root}/deep/../deep/er`, `${root}/./deep`]) {
    expect(await registered(projects, spelling)).toMatchObject({ created: false, project: { id, path: root } });
    expect(await projects.locate(spelling, { marked: true })).toMatchObject({ ok: true, value: { id } });
  }
});

test('PR3 a linked work tree and a second clone of the same name are projects of their own', async () => {
  const { projects } = fixture();
  const repository = tempRepository(path.join(tempFolder(), 'app'));
  repository.commit({ 'a.txt': 'a' });
  const tree = path.join(tempFolder(), 'tree');
  repository.git('worktree', 'add', '-q', tree);
  const clone = path.join(tempFolder(), 'app');
  runGit(repository.root, 'clone', '-q', repository.root, clone);
  const found = [repository.root, tree, clone].map((folder) => registered(projects, folder));
  const ids = (await Promise.all(found)).map(({ project }) => project.id);
  expect(new Set(ids).size).toBe(3);
});

test('PR4 reserved places are refused with all below them; the root and the home only themselves', async () => {
  const { home, projects } = fixture();
  for (const name of ['.ssh/keys', '.gnupg', '.aws', '.kube', '.docker', '.config/app', 'src']) {
    mkdirSync(path.join(home, name), { recursive: true });
  }
  const link = path.join(tempFolder(), 'innocent');
  symlinkSync(path.join(home, '.ssh'), link);
  const reserved = ['/', '/proc', '/proc/self', '/sys', '/dev', '/etc', '/boot', home, link];
  for (const folder of [
    ...reserved,
    ...['.ssh', '.ssh/keys', '.config/app', '.aws'].map((name) => path.join(home, name)),
  ]) {
    if (existsSync(folder)) expect([folder, await problemOf(projects, folder)]).toEqual([folder, 'reserved']);
  }
  expect(await problemOf(projects, path.join(home, 'src'))).toBe('none');
  expect(isReservedPath('/run/user/1', homedir())).toBe(true);
  expect(isReservedPath('/etcetera', homedir())).toBe(false);
});

test('PR13 the folders in which Mnemosyne keeps its own data are never a project, nor what lies in them', async () => {
  const home = tempFolder('home-');
  const memory = path.join(tempFolder(), 'memory');
  const daemon = path.join(tempFolder(), 'daemon');
  const link = path.join(tempFolder(), 'daemon-link');
  symlinkSync(daemon, link);
  const projects = openProjects({ daemonHome: link, userHome: home, memoryRoot: () => memory, clock: systemClock });
  const own = [daemon, memory, path.join(home, '.neuralmind'), path.join(home, '.mnemosyne')];
  for (const folder of own) {
    mkdirSync(path.join(folder, 'deep'), { recursive: true });
    runGit(path.join(folder, 'deep'), 'init', '-q');
  }
  for (const folder of [link, ...own.flatMap((one) => [one, path.join(one, 'deep')])]) {
    expect([folder, await problemOf(projects, folder)]).toEqual([folder, 'own-data']);
    expect(await projects.locate(folder, { marked: true })).toMatchObject({ problem: { kind: 'own-data' } });
  }
  mkdirSync(`${daemon}-2`);
  expect(await problemOf(projects, `${daemon}-2`)).toBe('none');
  expect(await problemOf(projects, path.dirname(memory))).toBe('none');
});

test('PR27 the home and what holds it are refused alike, by path and by an id that was registered before', async () => {
  const top = tempFolder();
  const home = path.join(top, 'users', 'me');
  mkdirSync(path.join(home, 'src'), { recursive: true });
  const daemonHome = tempFolder();
  const before = openProjects({ daemonHome, userHome: '/nonexistent', clock: systemClock });
  const projects = openProjects({ daemonHome, userHome: home, clock: systemClock });
  for (const folder of [home, path.dirname(home), top]) {
    const { project } = await registered(before, folder);
    expect(await projects.get(project.id)).toEqual({ ok: false, problem: { kind: 'reserved', path: folder } });
    expect(await problemOf(projects, folder)).toBe('reserved');
    expect(await projects.locate(folder, { marked: true })).toMatchObject({ problem: { kind: 'reserved' } });
  }
  expect(await problemOf(projects, path.join(home, 'src'))).toBe('none');
  mkdirSync(path.join(top, 'users', 'me-too'));
  expect(await problemOf(projects, path.join(top, 'users', 'me-too'))).toBe('none');
});

test('PR28 a project that lies where a setting puts our data is refused at once, and the setting is named', async () => {
  const { root } = tempRepository();
  const home = tempFolder('home-');
  const daemonHome = path.join(home, '.neuralmind');
  const plain = openProjects({ daemonHome, userHome: home, clock: systemClock });
  const { project } = await registered(plain, root);
  const within = path.join(root, 'deep');
  mkdirSync(within);
  const link = path.join(tempFolder(), 'top');
  symlinkSync('/', link);
  for (const memory of [root, path.dirname(root), link, '/']) {
    const projects = openProjects({ daemonHome, userHome: home, memoryRoot: () => memory, clock: systemClock });
    const problem = { kind: 'own-data', setting: 'MNEMOSYNE_MEMORY_ROOT' };
    for (const folder of [root, within]) expect(await projects.register(folder)).toMatchObject({ problem });
    expect(await projects.get(project.id)).toMatchObject({ problem });
  }
  const moved = openProjects({ daemonHome: root, userHome: home, clock: systemClock });
  expect(await moved.locate(within)).toMatchObject({ problem: { setting: 'NEURALMIND_DAEMON_HOME' } });
  const memoryRoot = (): string => path.join(home, '.mnemosyne');
  mkdirSync(memoryRoot());
  const usual = openProjects({ daemonHome, userHome: home, memoryRoot, clock: systemClock });
  expect(await usual.locate(memoryRoot())).toMatchObject({ problem: { kind: 'own-data', setting: null } });
  const failure = projectFailure({ kind: 'own-data', path: root, setting: 'MNEMOSYNE_MEMORY_ROOT' }, 'path');
  expect(failure).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('MNEMOSYNE_MEMORY_ROOT'),
  });
});

test('PR5 what is no folder, is not there, or is named from nowhere is refused and makes nothing', async () => {
  const { home, projects } = fixture();
  const file = path.join(tempFolder(), 'file');
  writeFileSync(file, '');
  expect(await problemOf(projects, file)).toBe('not-a-folder');
  expect(await problemOf(projects, path.join(file, 'below'))).toBe('missing');
  expect(await problemOf(projects, path.join(home, 'nowhere'))).toBe('missing');
  expect(await problemOf(projects, 'src')).toBe('relative');
  expect(await problemOf(projects, '')).toBe('relative');
  expect(existsSync(path.join(home, 'daemon'))).toBe(false);
});

test('PR6 a repository at the home does not swallow the folders in it', async () => {
  const { home, projects } = fixture();
  runGit(home, 'init', '-q');
  mkdirSync(path.join(home, 'src', 'deep'), { recursive: true });
  expect(await registered(projects, path.join(home, 'src', 'deep'))).toMatchObject({
    project: { path: path.join(home, 'src', 'deep') },
  });
});

test('PR7 a folder that was moved is not found, and the list says that it is missing', async () => {
  const { projects } = fixture();
  const { root } = tempRepository(path.join(tempFolder(), 'here'));
  const { project } = await registered(projects, root);
  renameSync(root, `${root}-moved`);
  afterThis(() => rmSync(`${root}-moved`, { recursive: true, force: true }));
  expect(await projects.get(project.id)).toEqual({ ok: false, problem: { kind: 'missing', path: root } });
  expect(await projects.list()).toEqual({ ok: true, value: [{ ...project, missing: true }] });
  expect(await projects.get('p_000000000000')).toEqual({
    ok: false,
    problem: { kind: 'unknown', id: 'p_000000000000' },
  });
});

test('PR8 the list is private, keeps the order of registration, and is read again on every call', async () => {
  const { home, projects, again } = fixture();
  const roots = [tempRepository().root, tempRepository().root, tempRepository().root];
  const other = again();
  for (const root of roots) await registered(projects, root);
  const listed = await other.list();
  expect(listed.ok && listed.value.map((project) => project.path)).toEqual(roots);
  expect(statSync(path.join(home, 'daemon', 'projects.json')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(home, 'daemon')).mode & 0o777).toBe(0o700);
  expect(existsSync(path.join(home, 'daemon', 'projects.json.lock'))).toBe(false);
});

test.each([
  ['no JSON', '{"version":1,'],
  ['a later version', '{"version":2,"projects":[]}'],
  ['a wrong shape', '{"version":1,"projects":[{"id":"P!","path":"/x","registered_at":""}]}'],
  ['a relative path', '{"version":1,"projects":[{"id":"p_1","path":"x","registered_at":""}]}'],
])('PR9 a list that is %s is reported by every call and never rewritten', async (_case, text) => {
  const { home, projects } = fixture();
  const file = path.join(home, 'daemon', 'projects.json');
  mkdirSync(path.join(home, 'daemon'), { mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  const { root } = tempRepository();
  for (const result of [await projects.list(), await projects.get('p_1'), await projects.register(root)]) {
    expect(result).toMatchObject({ ok: false, problem: { kind: 'unusable' } });
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('PR9 members that a later release added to the list survive a registration', async () => {
  const { home, projects } = fixture();
  const { root } = tempRepository();
  await registered(projects, root);
  const file = path.join(home, 'daemon', 'projects.json');
  const text = readFileSync(file, 'utf8').replace('"registered_at"', '"alias": "api",\n      "registered_at"');
  writeFileSync(file, text);
  await registered(projects, tempRepository().root);
  expect(readFileSync(file, 'utf8')).toContain('"alias": "api"');
});

test('PR10 two processes that register at once lose nothing', async () => {
  const { home, again } = fixture();
  const roots = Array.from({ length: 24 }, () => tempFolder());
  const script = (mine: readonly string[]) => `
    import { openProjects } from './src/engine/projects/projects.ts';
    const projects = openProjects({
      daemonHome: ${JSON.stringify(path.join(home, 'daemon'))},
      userHome: ${JSON.stringify(home)},
      clock: { now: () => new Date() },
    });
    const results = await Promise.all(${JSON.stringify(mine)}.map((folder) => projects.register(folder)));
    if (results.some((result) => !result.ok)) throw new Error(JSON.stringify(results));`;
  await runModules([script(roots.slice(0, 12)), script(roots.slice(12)), script(roots.slice(6, 18))]);
  const listed = await again().list();
  expect(listed.ok && listed.value.map((project) => project.path).sort()).toEqual([...roots].sort());
});

test('PR11 a folder that only a door stands in must carry the mark of a repository or be known', async () => {
  const { projects } = fixture();
  const plain = tempFolder();
  expect(await projects.locate(plain, { marked: true })).toMatchObject({ ok: false, problem: { kind: 'guessed' } });
  expect(await projects.locate(plain)).toMatchObject({ ok: true, value: { path: plain } });
  await registered(projects, plain);
  expect(await projects.locate(plain, { marked: true })).toMatchObject({ ok: true, value: { path: plain } });
});

test('PR12 the spellings of a project grow with the links through which it was named', async () => {
  const { projects } = fixture();
  const { root } = tempRepository();
  const link = path.join(tempFolder(), 'link');
  symlinkSync(root, link);
  mkdirSync(path.join(root, 'sub'));
  const { project } = await registered(projects, link);
  await projects.locate(path.join(link, 'sub'));
  expect(projects.spellings(project)).toEqual([root, link]);
});
