/** Runs before each file of tests. */
import { afterEach } from 'vitest';
import { cleanUp } from './after-this.ts';

afterEach(cleanUp);
