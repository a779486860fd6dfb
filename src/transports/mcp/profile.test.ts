import { describe, expect, test } from 'vitest';
import { HTTP_SELECTION, parseProfile, schemaForm, selectionFrom } from './profile.ts';

const from = (query: string) => selectionFrom(new URLSearchParams(query));

describe('the query', () => {
  test('MC70 without parameters the tools of the notebook are listed and the form follows the client', () => {
    expect(from('')).toEqual({ ok: true, value: HTTP_SELECTION });
    expect(HTTP_SELECTION).toEqual({ profile: 'auto', group: 'memory' });
  });

  test('MC71 schema and tools choose what is listed', () => {
    expect(from('schema=composed&tools=memory')).toEqual({ ok: true, value: { profile: 'composed', group: 'memory' } });
    expect(from('schema=auto&tools=all&other=1')).toEqual({ ok: true, value: { profile: 'auto', group: 'all' } });
  });

  test.each([
    'schema=',
    'schema=PORTABLE',
    'schema=x',
    'schema=auto&schema=portable',
    'tools=x',
    'tools=all&tools=all',
  ])('MC72 an unknown or repeated value is an error: %s', (query) => {
    const selected = from(query);
    expect(selected.ok).toBe(false);
    if (!selected.ok) expect(selected.message).toMatch(/^The query parameter (schema|tools) takes one of: /);
  });

  test('MC72 a profile on the command line is one of the three or none', () => {
    expect(['auto', 'portable', 'composed', 'x', ''].map(parseProfile)).toEqual([
      'auto',
      'portable',
      'composed',
      undefined,
      undefined,
    ]);
  });
});

describe('the form under auto', () => {
  const names = [
    'claude-code',
    'claude-ai',
    'Claude Code/2.1.317',
    'codex-mcp-client',
    'codex_cli_rs',
    'opencode',
    'opencode/1.18.29',
    'cursor-vscode',
    'gemini-cli-mcp-client',
    'Visual Studio Code - Insiders',
    'github-copilot-developer',
    'openai-mcp',
    'llama-server',
  ];

  test.each(names)('MC73 clients that reject root combinators are shown the portable form: %s', (name) => {
    expect(schemaForm('auto', { clientName: name })).toBe('portable');
    expect(schemaForm('auto', { userAgent: name })).toBe('portable');
  });

  test.each(['', 'node', 'python-httpx/0.28', 'encoder', 'geminimal', 'mcp-conformance'])(
    'MC74 every other client is shown the composed form: "%s"',
    (name) => {
      expect(schemaForm('auto', { clientName: name, userAgent: name })).toBe('composed');
      expect(schemaForm('auto', {})).toBe('composed');
    },
  );

  test('MC75 an explicit choice wins over any name', () => {
    expect(schemaForm('composed', { clientName: 'claude-code' })).toBe('composed');
    expect(schemaForm('portable', { clientName: 'node' })).toBe('portable');
  });
});
