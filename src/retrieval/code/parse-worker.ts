/** A thread that reads files and parses them, one after the other. */
import { answerFiles } from './answer-files.ts';
import { parseFile } from './parse-file.ts';

answerFiles(async (file, bytes) => ({ outcome: await parseFile(file, bytes), transfer: [] }));
