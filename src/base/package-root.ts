/** Where the package lies: the folder of `package.json`, `bin/` and `assets/`. */
import { fileURLToPath } from 'node:url';

/** With a slash at its end. The build puts every file straight into `dist/`, the sources are a folder deeper. */
export const packageRoot = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url);

/** The command, for whoever starts it anew. */
export const launcherPath = fileURLToPath(new URL('bin/mnemosyne.mjs', packageRoot));
