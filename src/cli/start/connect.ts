/** How to connect an agent to what runs here, ready to copy: `docs/connect.md` has each client. */
import { launcherPath } from '../../base/package-root.ts';
import type { Screen } from '../screen/screen.ts';

export interface Reachable {
  /** Of the server; null when none runs. */
  readonly url: string | null;
  readonly tokenFile: string;
}

/** With full paths, so that nothing has to be on the PATH. */
export function connectLines({ url, tokenFile }: Reachable, { colours }: Screen): readonly string[] {
  const command = process.execPath;
  const args = [launcherPath, 'mcp', '--schema', 'portable'];
  const server = { mcpServers: { mnemosyne: { command, args } } };
  return [
    colours.bold('Connect an agent'),
    `  Claude Code:   claude mcp add mnemosyne -- ${[command, ...args].map(quoted).join(' ')}`,
    `  Other clients: ${JSON.stringify(server)}`,
    ...(url === null
      ? []
      : [
          `  By URL:        ${url}/mcp?schema=portable&tools=all`,
          `                 with the header Authorization: Bearer <content of ${tokenFile}>`,
        ]),
    '  Each client in its own words: docs/connect.md',
  ];
}

/** As a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
