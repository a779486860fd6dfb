import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcessError } from '../base/errors.ts';
import type { Environment } from './home.ts';
import { gateSettings, readGates, type SettingsFault, type SettingsProbe, settingsFaultMessages } from './settings.ts';

let home: string;
let file: string;
const off = { remember: false, archive_restore: false, forget: false, revise: false };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'settings-'));
  file = join(home, '.mnemosyne', 'config.toml');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(content: string | Uint8Array, mode = 0o600): void {
  mkdirSync(join(home, '.mnemosyne'), { recursive: true, mode: 0o700 });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function failure(env: Environment = {}, probe: SettingsProbe = {}): ProcessError {
  try {
    readGates({ HOME: home, ...env }, probe);
  } catch (error) {
    if (error instanceof ProcessError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

function expectFault(fault: SettingsFault, probe: SettingsProbe = {}): void {
  const error = failure({}, probe);
  expect({ code: error.code, exit: error.exitCode, message: error.message }).toEqual({
    code: 'invalid_settings',
    exit: 2,
    message: settingsFaultMessages[fault],
  });
  expect(error.message).not.toContain(home);
}

describe('variables', () => {
  test('ST1 unset everywhere means off, and nothing is created', () => {
    expect(readGates({ HOME: home })).toEqual(off);
    expect(readdirSync(home)).toEqual([]);
  });

  test.each(gateSettings.map(({ gate, variable }) => [variable, gate] as const))(
    'ST1 %s switches its own gate and no other',
    (variable, gate) => {
      expect(readGates({ HOME: home, [variable]: 'true' })).toEqual({ ...off, [gate]: true });
      expect(readGates({ HOME: home, [variable]: 'false' })).toEqual(off);
    },
  );

  test.each(['', 'True', 'TRUE', '1', 'yes', ' true', 'true\n', 'zebra_quokka'])(
    'ST2 the value %j is refused by naming the variable and not the value',
    (value) => {
      for (const { variable } of gateSettings) {
        const error = failure({ [variable]: value });
        expect(error.code).toBe('invalid_settings');
        expect(error.exitCode).toBe(2);
        expect(error.message).toBe(`${variable} must be exactly true or false`);
      }
    },
  );

  test('ST9 the root of the file system is no place for memories, however it is written', () => {
    for (const value of ['/', '//', '/tmp/..', '~/../../../../../../../../..']) {
      const error = failure({ MNEMOSYNE_MEMORY_ROOT: value });
      expect(error.code).toBe('invalid_settings');
      expect(error.message).toMatch(/^MNEMOSYNE_MEMORY_ROOT must name a folder .* the root of the file system$/);
    }
    expect(readGates({ HOME: home, MNEMOSYNE_MEMORY_ROOT: join(home, 'memories') })).toEqual(off);
    expect(readGates({ HOME: home, MNEMOSYNE_MEMORY_ROOT: '' })).toEqual(off);
  });

  test('ST2 variables are checked in order and before the file', () => {
    write('not toml at all [');
    const all = Object.fromEntries(gateSettings.map(({ variable }) => [variable, 'x']));
    expect(failure(all).message).toContain('REMEMBER');
    expect(failure({ ...all, MNEMOSYNE_MEMORY_REMEMBER_ENABLED: 'true' }).message).toContain('ARCHIVE_RESTORE');
    expect(failure({ MNEMOSYNE_MEMORY_FORGET_ENABLED: 'x', MNEMOSYNE_MEMORY_REVISE_ENABLED: 'x' }).message).toContain(
      'FORGET',
    );
    expect(failure({ MNEMOSYNE_MEMORY_REVISE_ENABLED: 'x' }).message).toContain('REVISE');
  });

  test('ST3 with all four variables set the file is not looked at', () => {
    write('not toml at all [');
    let opened = false;
    const all = Object.fromEntries(gateSettings.map(({ variable }) => [variable, 'true']));
    const probe = {
      beforeOpen: () => {
        opened = true;
      },
    };
    expect(readGates({ HOME: home, ...all }, probe)).toEqual({
      remember: true,
      archive_restore: true,
      forget: true,
      revise: true,
    });
    expect(opened).toBe(false);
  });

  test('ST3 a variable beats its key, the other keys stay', () => {
    write('[memory]\nremember_enabled = false\nrevise_enabled = true\nforget_enabled = true\n');
    expect(
      readGates({
        HOME: home,
        MNEMOSYNE_MEMORY_REMEMBER_ENABLED: 'true',
        MNEMOSYNE_MEMORY_FORGET_ENABLED: 'false',
      }),
    ).toEqual({ ...off, remember: true, revise: true });
  });

  test('ST3 the file is opened once', () => {
    write('[memory]\nremember_enabled = true\n');
    let opened = 0;
    const beforeOpen = () => {
      opened += 1;
    };
    readGates({ HOME: home }, { beforeOpen });
    expect(opened).toBe(1);
  });
});

describe('the file', () => {
  test.each([
    ['an empty file', ''],
    ['an empty table', '[memory]\n'],
    ['comments and dotted keys', '# switches\nmemory.revise_enabled = false # no\n'],
    ['an inline table', 'memory = { forget_enabled = false }\n'],
  ])('ST4 %s is fine', (_name, text) => {
    write(text);
    expect(readGates({ HOME: home })).toEqual(off);
  });

  test('ST4 a directory without the file is fine and stays as it is', () => {
    mkdirSync(join(home, '.mnemosyne'), { mode: 0o700 });
    expect(readGates({ HOME: home })).toEqual(off);
    expect(readdirSync(join(home, '.mnemosyne'))).toEqual([]);
  });

  test('ST4 every key switches its own gate, and others may read the file', () => {
    for (const { gate, key } of gateSettings) {
      write(`[memory]\n${key} = true\n`, 0o644);
      chmodSync(join(home, '.mnemosyne'), 0o755);
      expect(readGates({ HOME: home })).toEqual({ ...off, [gate]: true });
    }
  });

  test.each([
    ['an unclosed table', '[memory\n'],
    ['a capital True', '[memory]\nremember_enabled = True\n'],
    ['a key given twice', '[memory]\nremember_enabled = true\nremember_enabled = true\n'],
    ['a byte order mark', '\ufeff[memory]\nforget_enabled = false\n'],
    ['bytes that are not UTF-8', Uint8Array.from([0x5b, 0x6d, 0x5d, 0x0a, 0xff, 0xfe])],
  ])('ST5 %s is invalid_toml', (_name, content) => {
    write(content);
    expectFault('invalid_toml');
  });

  test.each([
    ['an unknown key', '[memory]\nzebra_quokka = true\n'],
    ['an unknown table', '[zebra]\n'],
    ['a second table', '[memory]\n[zebra]\n'],
    ['a string for a boolean', '[memory]\nremember_enabled = "true"\n'],
    ['a number for a boolean', '[memory]\nremember_enabled = 1\n'],
    ['memory that is no table', 'memory = true\n'],
    ['memory that is a list', '[[memory]]\nremember_enabled = true\n'],
    ['memory that is a date', 'memory = 2026-01-01\n'],
    ['an inherited name', '[memory]\n__proto__ = true\n'],
    ['an inherited table', '[__proto__]\nremember_enabled = true\n'],
  ])('ST5 %s is invalid_schema', (_name, content) => {
    write(content);
    expectFault('invalid_schema');
  });

  test('ST5 one byte over the limit is too_large, the limit itself is fine', () => {
    const text = '[memory]\nforget_enabled = true\n';
    write(text.padEnd(16_384));
    expect(readGates({ HOME: home }).forget).toBe(true);
    write(text.padEnd(16_385));
    expectFault('too_large');
  });

  test('ST5 a file that grows after the check is too_large', () => {
    write('[memory]\n');
    expectFault('too_large', { beforeOpen: () => writeFileSync(file, '[memory]\n'.padEnd(20_000), { flag: 'w' }) });
  });

  test.each([0o620, 0o602, 0o666])('ST6 file mode %o is unsafe_permissions', (mode) => {
    write('', mode);
    expectFault('unsafe_permissions');
  });

  test.each([0o770, 0o707, 0o722])('ST6 directory mode %o is unsafe_permissions', (mode) => {
    write('');
    chmodSync(join(home, '.mnemosyne'), mode);
    expectFault('unsafe_permissions');
  });

  test('ST6 a file that others may write by the time it is opened is unsafe_permissions', () => {
    write('');
    expectFault('unsafe_permissions', { beforeOpen: () => chmodSync(file, 0o602) });
  });

  test('ST6 a directory in place of the file is not_regular', () => {
    mkdirSync(file, { recursive: true, mode: 0o700 });
    chmodSync(join(home, '.mnemosyne'), 0o700);
    expectFault('not_regular');
  });

  test('ST7 a linked file is unsafe_path, whether or not it leads anywhere', () => {
    mkdirSync(join(home, '.mnemosyne'), { mode: 0o700 });
    symlinkSync(join(home, 'nowhere'), file);
    expectFault('unsafe_path');
    writeFileSync(join(home, 'nowhere'), '[memory]\n');
    expectFault('unsafe_path');
  });

  test('ST7 a linked directory is unsafe_path, whether or not it leads anywhere', () => {
    symlinkSync(join(home, 'elsewhere'), join(home, '.mnemosyne'));
    expectFault('unsafe_path');
    mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
    expectFault('unsafe_path');
  });

  test('ST7 a file in place of the directory is unsafe_path', () => {
    writeFileSync(join(home, '.mnemosyne'), '');
    expectFault('unsafe_path');
  });

  test.each<[string, () => void]>([
    [
      'another file',
      () => {
        writeFileSync(`${file}.new`, '[memory]\n');
        renameSync(`${file}.new`, file);
      },
    ],
    [
      'a link',
      () => {
        renameSync(file, `${file}.old`);
        symlinkSync(`${file}.old`, file);
      },
    ],
    ['nothing', () => rmSync(file)],
  ])('ST7 a file swapped for %s between check and opening is unsafe_path', (_name, swap) => {
    write('[memory]\nremember_enabled = true\n');
    expectFault('unsafe_path', { beforeOpen: swap });
  });

  test('ST7 a place that cannot be examined is unreadable', () => {
    const error = failure({ HOME: join(home, 'x'.repeat(300)) });
    expect(error.message).toBe(settingsFaultMessages.unreadable);
  });

  test.skipIf(process.getuid?.() === 0)('ST7 a file that cannot be read is unreadable', () => {
    write('', 0o200);
    expectFault('unreadable');
  });
});
