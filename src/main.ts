/** Reads arguments and environment, nothing else. */
import { runCommandLine } from './cli/command-line.ts';

const exitCode = await runCommandLine(process.argv.slice(2), process.env);
// Through the stream, so that nothing printed is lost when standard output is a pipe.
process.stdout.write('', () => process.exit(exitCode));
