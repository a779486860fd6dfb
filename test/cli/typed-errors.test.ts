/** Errors about what was typed, which can hold anything and be of any length. */
import { expect, test } from 'vitest';
import { typedLimits } from '../../src/base/limits.ts';
import { shownError } from '../../src/cli/screen/shown-error.ts';
import { commandBox } from './command-box.ts';

const esc = String.fromCharCode(27);

test('CL20: an error says what was typed in one short line that no terminal obeys', async () => {
  const box = commandBox();
  const hostile = `a${esc}[31m\u009b2J\u202eb\nmnemosyne: all is well`;
  const long = 'x'.repeat(90_000);
  for (const word of [hostile, long, `${'y'.repeat(500)}${esc}`]) {
    for (const args of [
      [word],
      ['decisions', word],
      ['query', `--${word}`, 'x'],
      ['query', '--type', word, 'x'],
      ['stats', 'one', word],
      ['start', '--port', word],
      ['start', '--host', word],
      ['daemon', word],
      ['projects', word],
    ]) {
      const { code, stdout, stderr } = await box.cli(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(stderr).not.toMatch(/^mnemosyne: all is well/m);
      for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(typedLimits.errorCharsMax);
    }
  }
  expect((await box.cli([long])).stderr).toMatch(/^error: unknown command 'xxx.*x' \(known: start, mcp, /);
});

test('CL20: what a long error leaves out is its middle, never half a character, and the advice stays below', () => {
  expect(shownError('error: unknown command deamon\n(Did you mean daemon?)\n')).toBe(
    'error: unknown command deamon\n(Did you mean daemon?)',
  );
  expect(shownError(`error: a\n(Did you mean${esc} b?)`)).toBe('error: a (Did you mean� b?)');
  for (let before = 0; before < 4; before += 1) {
    const shown = shownError(`${'a'.repeat(before)}${'😀'.repeat(1_000)}z`);
    expect(Buffer.from(shown).toString()).toBe(shown);
    expect(shown).toMatch(/^a*😀.*😀…😀.*z$/u);
  }
});
