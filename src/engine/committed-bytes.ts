/**
 * What git would commit for the bytes of a file in the working tree: line ends converted and keywords folded, as
 * `convert.c` of git does it. Git itself is not asked, since for the same answer it would also run filters.
 */

/** How the attributes and the configuration of a repository have a file converted. */
export interface Conversion {
  /** `always` for text; `if-text` where the bytes decide, and what is in the index. */
  readonly lineEnds: 'never' | 'always' | 'if-text';
  /** `$Id: …$` is committed as `$Id$`. */
  readonly foldsKeywords: boolean;
}

export const asIs: Conversion = { lineEnds: 'never', foldsKeywords: false };

export const conversionAttributes = ['filter', 'working-tree-encoding', 'text', 'crlf', 'eol', 'ident'] as const;
export type Attributes = ReadonlyMap<string, string>;

/** Undefined when the content would pass through a filter or another encoding: then it cannot be told. */
export function conversionOf(
  attributes: Attributes,
  configuration: ReadonlyMap<string, string>,
): Conversion | undefined {
  if (mayBeFiltered(attributes.get('filter'), configuration)) return undefined;
  if (!/^(unspecified|utf-?8)$/i.test(attributes.get('working-tree-encoding') ?? '')) return undefined;
  return { lineEnds: lineEndsOf(attributes, configuration), foldsKeywords: attributes.get('ident') === 'set' };
}

/** What git prints for an attribute without a string. A filter may bear such a name, and then these tell nothing. */
const states: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set']);

function mayBeFiltered(filter: string | undefined, configuration: ReadonlyMap<string, string>): boolean {
  if (filter === undefined || !states.has(filter)) return true;
  return [...configuration.keys()].some((key) => key.startsWith(`filter.${filter}.`));
}

function lineEndsOf(attributes: Attributes, configuration: ReadonlyMap<string, string>): Conversion['lineEnds'] {
  const named = textOf(attributes.get('text')) ?? textOf(attributes.get('crlf'));
  if (named !== undefined) return named;
  if (/^(lf|crlf)$/.test(attributes.get('eol') ?? '')) return 'always';
  const auto = configuration.get('core.autocrlf') ?? 'false';
  return /^(input|true|yes|on|[+-]?0*[1-9]\d*)$/i.test(auto) ? 'if-text' : 'never';
}

function textOf(value: string | undefined): Conversion['lineEnds'] | undefined {
  if (value === 'set' || value === 'input') return 'always';
  if (value === 'unset') return 'never';
  return value === 'auto' ? 'if-text' : undefined;
}

/** Whether only the index can tell if line ends are converted: a file that was committed with CRLF keeps it. */
export function dependsOnIndex(bytes: Buffer, conversion: Conversion): boolean {
  return conversion.lineEnds === 'if-text' && bytes.includes('\r\n') && !isBinary(bytes);
}

export function committedBytes(bytes: Buffer, conversion: Conversion): Buffer {
  const { lineEnds, foldsKeywords } = conversion;
  const converts = lineEnds === 'always' || (lineEnds === 'if-text' && !isBinary(bytes));
  let content = bytes;
  if (converts && content.includes('\r\n')) content = replaced(content, /\r\n/g, '\n');
  if (foldsKeywords && content.includes('$Id:')) content = replaced(content, /\$Id:[^$\n]*\$/g, '$$Id$$');
  return content;
}

/** Each byte is one character meanwhile. */
function replaced(bytes: Buffer, pattern: RegExp, by: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(pattern, by), 'latin1');
}

/** A lone CR or a NUL makes a file binary, and more than one control character for every 128 others. */
function isBinary(bytes: Buffer): boolean {
  let printable = 0;
  let controls = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0) return true;
    if (byte === 13) {
      if (bytes[at + 1] !== 10) return true;
      at += 1;
    } else if (byte !== 10) {
      if (byte === undefined || byte === 127 || (byte < 32 && !printableControls.has(byte))) controls += 1;
      else printable += 1;
    }
  }
  // The end mark of old text files.
  if (bytes.at(-1) === 26) controls -= 1;
  return Math.floor(printable / 128) < controls;
}

/** Backspace, tab, form feed and escape. */
const printableControls: ReadonlySet<number> = new Set([8, 9, 12, 27]);
