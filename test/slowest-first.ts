/** The order of the test files: those that take longest come first, so that none of them is left over at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slowest first; every other file takes less than these. */
const slowest: readonly string[] = [
  'test/index/processes.test.ts',
  'test/cli/code.test.ts',
  'test/conformance/notebook-cases.test.ts',
  'test/lessons/agent-memory.test.ts',
  'test/daemon/server.test.ts',
  'test/doctor/doctor.test.ts',
  'test/lessons/decision-memory.test.ts',
  'src/retrieval/embeddings/minilm.test.ts',
  'src/engine/code/watcher.test.ts',
  'test/cli/both-ways.test.ts',
  'test/projects/decision-scan.test.ts',
  'test/cli/decisions.test.ts',
  'test/daemon/commands.test.ts',
  'test/crash/load.test.ts',
  'test/index/hostile.test.ts',
  'test/api/code.test.ts',
  'test/crash/daemon-kill.test.ts',
  'test/index/lessons.test.ts',
  'test/index/incremental.test.ts',
  'test/decisions/search.test.ts',
  'test/conformance/mcp-suite.test.ts',
  'test/client/daemon.test.ts',
  'test/mcp/clients.test.ts',
  'test/operations/memories.test.ts',
  'test/crash/notebook-kill.test.ts',
  'test/lessons/example.test.ts',
  'test/index/trust.test.ts',
  'src/retrieval/documents/document-reader.test.ts',
  'test/edge/http.test.ts',
  'test/lessons/hostile.test.ts',
  'test/lessons/command-line.test.ts',
  'test/crash/replay.test.ts',
];

export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slowest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? slowest.length : at;
    };
    return files.toSorted((one, other) => place(one) - place(other));
  }
}
