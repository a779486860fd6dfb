import { defineConfig } from 'vitest/config';
import SlowestFirst from './test/slowest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    globalSetup: './test/global-setup.ts',
    setupFiles: './test/set-up.ts',
    pool: 'forks',
    isolate: false,
    unstubEnvs: true,
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
  },
});
