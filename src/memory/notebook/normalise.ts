/**
 * Turns one raw value into the one form in which the notebook keeps it, or answers `undefined` when there is none.
 * The same functions read arguments and files, and a normalised value passes through unchanged.
 *
 * Refused everywhere: text with a lone surrogate, since it cannot be written as UTF-8 and read back.
 */
import { notebookLimits } from '../../base/limits.ts';
import { foldCase, hasAtMost, isAscii, isWellFormed, splitWhitespace, trim } from './text.ts';

const identifierShape = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
const languageShape = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/;
const timestampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Text of 1 to `charsMax` code points: line ends become LF, composed (NFC), trimmed. Whitespace and control characters
 * inside are kept.
 */
export function normaliseText(value: unknown, charsMax: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const lines = value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
  const text = trim(compose(lines));
  return text !== '' && hasAtMost(text, charsMax) && isWritable(text) ? text : undefined;
}

/** As `normaliseText`, with null staying null. */
export function normaliseNullableText(value: unknown, charsMax: number): string | null | undefined {
  return value === null ? null : normaliseText(value, charsMax);
}

/**
 * A list of 0 to 10 tags of 1 to 50 code points: composed, each run of whitespace one space. Order and case are kept.
 * Two tags with the same `tagKey` make the list invalid.
 */
export function normaliseTags(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > notebookLimits.tagsMax) return undefined;
  const tags: string[] = [];
  const keys = new Set<string>();
  for (const element of value as readonly unknown[]) {
    if (typeof element !== 'string') return undefined;
    const tag = splitWhitespace(compose(element)).join(' ');
    if (tag === '' || !hasAtMost(tag, notebookLimits.tagCharsMax) || !isWritable(tag)) return undefined;
    tags.push(tag);
    keys.add(tagKey(tag));
  }
  return keys.size === tags.length ? tags : undefined;
}

/** What is the same for two normalised tags exactly when they are the same tag. */
export function tagKey(tag: string): string {
  return foldCase(tag);
}

/** A namespace or collection id of 1 to 64 characters. Never trimmed or folded: it is a directory name. */
export function normaliseIdentifier(value: unknown): string | undefined {
  return typeof value === 'string' && identifierShape.test(value) ? value : undefined;
}

/** A language tag in lower case, at most 35 characters; null is `und`, the tag for an undetermined language. */
export function normaliseLanguage(value: unknown): string | undefined {
  if (value === null) return 'und';
  if (typeof value !== 'string') return undefined;
  const language = trim(value).toLowerCase();
  return language.length <= notebookLimits.languageCharsMax && languageShape.test(language) ? language : undefined;
}

/**
 * A moment as whole seconds in UTC, `YYYY-MM-DDTHH:MM:SSZ`, years 0001 to 9999, on the real calendar. No leap second
 * and no hour 24.
 */
export function normaliseTimestamp(value: unknown): string | undefined {
  if (typeof value !== 'string' || !timestampShape.test(value)) return undefined;
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  const hour = Number(value.slice(11, 13));
  const minute = Number(value.slice(14, 16));
  const second = Number(value.slice(17, 19));
  const isDate = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isDate && hour <= 23 && minute <= 59 && second <= 59 ? value : undefined;
}

/** The time of a new event. Files may speak of any year from 1 on, but nothing before the year 1000 is written. */
export function normaliseOccurredAt(value: unknown): string | undefined {
  const timestamp = normaliseTimestamp(value);
  return timestamp !== undefined && timestamp >= '1000' ? timestamp : undefined;
}

/** An integer from 1 up to the largest that is exact. Booleans and numerals in text are not numbers. */
export function normaliseRevision(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}

/**
 * The revision a caller expects: any integer from 1 on. One beyond the exact range is rounded on its way here, which
 * does no harm: no record can be at it, so it is stale rather than wrong.
 */
export function normaliseExpectedRevision(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : undefined;
}

function compose(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

function isWritable(text: string): boolean {
  return isAscii(text) || isWellFormed(text);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
