/**
 * Reads architecture decision records: one decision per Markdown file, in the Nygard and MADR forms and in plain ones.
 *
 * The title is the first heading without its number. Status and date come from front matter, from lines like
 * `Date: 2024-05-01`, or from a `Status` section. Rationale is the text without title, status and date; options that
 * were considered and not chosen become rejected alternatives. The id is made of the path, so that reading the folder
 * again finds the same decisions. Files without a heading are no decision and are reported, not guessed at.
 */
import { createHash } from 'node:crypto';
import { type Decision, type DecisionStatus, idPattern } from './decision.ts';
import { type Instant, isDay, parseInstant } from './instant.ts';

export interface AdrFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface AdrDecision {
  readonly path: string;
  readonly decision: Decision;
}

export interface AdrFolder {
  readonly decisions: readonly AdrDecision[];
  readonly skipped: readonly { readonly path: string; readonly reason: 'no_title' | 'no_content' }[];
}

/** What the file itself says; the rest of the record is free to change after an import. */
export const adrFields = [
  'title',
  'rationale',
  'status',
  'rejected_alternatives',
  'supersedes',
  'superseded_by',
] as const satisfies readonly (keyof Decision)[];

/** Only as far as they are known: the file at the other end may not be among those that were read. */
export const adrLinks: ReadonlySet<keyof Decision> = new Set(['supersedes', 'superseded_by']);

interface Section {
  readonly level: number;
  readonly heading: string;
  readonly body: string;
}

/** `commit` anchors the decisions; a file without a date was created `now`. */
export function readAdrFolder(files: readonly AdrFile[], now: Instant, commit: string): AdrFolder {
  const read: { path: string; decision: Decision; replacedBy: string | null }[] = [];
  const skipped: AdrFolder['skipped'][number][] = [];
  for (const file of files) {
    const one = readAdr(file, now, commit);
    if (typeof one === 'string') skipped.push({ path: file.path, reason: one });
    else read.push({ path: file.path, ...one });
  }
  const links = new Map<string, string>();
  for (const { path, decision, replacedBy } of read) {
    if (replacedBy === null) continue;
    const newer = read.find((other) => other.path !== path && names(replacedBy, path, other.path));
    if (newer !== undefined) links.set(decision.id, newer.decision.id);
  }
  const decisions = read.map(({ path, decision }) => {
    const replaces = [...links].find(([, newer]) => newer === decision.id)?.[0] ?? null;
    return { path, decision: { ...decision, supersedes: replaces, superseded_by: links.get(decision.id) ?? null } };
  });
  return { decisions, skipped };
}

function readAdr(
  file: AdrFile,
  now: Instant,
  commit: string,
): { decision: Decision; replacedBy: string | null } | 'no_title' | 'no_content' {
  const { fields, body } = splitFrontMatter(file.text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'));
  const sections = sectionsOf(body);
  const titled = sections.find((section) => section.level === 1) ?? sections.find((section) => section.level > 0);
  const title = (titled?.heading ?? fields.get('title') ?? '').replace(/^(?:adr[-\s]*)?\d+\s*[.:)–—-]+\s*/i, '').trim();
  if (title === '') return 'no_title';
  const statusSection = sections.find((section) => /^status$/i.test(section.heading));
  const status = (statusSection?.body.trim() || fields.get('status') || lineValue(body, 'status') || '').trim();
  const date = fields.get('date') ?? lineValue(body, 'date') ?? '';
  const rationale = rationaleOf(sections, titled, statusSection);
  if (rationale === '') return 'no_content';
  const created = parseInstant(date) ?? (isDay(date) ? parseInstant(`${date}T00:00:00Z`) : null) ?? now;
  const at = created > now ? now : created;
  return {
    decision: {
      id: idOf(file.path),
      title,
      rationale,
      commit_sha: commit,
      files_affected: [],
      decision_type: 'ARCHITECTURE',
      confidence: /^(proposed|draft)/i.test(status) ? 0.5 : 1,
      status: statusOf(status),
      author: null,
      evidence: [`Recorded in ${file.path}`, ...(status === '' ? [] : [`Status there: ${oneLine(status)}`])],
      rejected_alternatives: rejectedOf(sections),
      dependency_constraints: [],
      tags: ['adr'],
      created_at: at,
      updated_at: at,
      agent: null,
      session_id: null,
      review_by: null,
      supersedes: null,
      superseded_by: null,
    },
    replacedBy: /super[sc]eded/i.test(status) ? status : null,
  };
}

/** Plain `key: value` lines between two `---` at the start. */
function splitFrontMatter(text: string): { fields: ReadonlyMap<string, string>; body: string } {
  const match = /^---\n([\s\S]*?)\n---\n?/.exec(text);
  const fields = new Map<string, string>();
  if (match === null) return { fields, body: text };
  for (const line of (match[1] ?? '').split('\n')) {
    const pair = /^([A-Za-z][\w -]*):\s*(.*)$/.exec(line);
    const value = pair?.[2]?.trim().replace(/^(["'])(.*)\1$/, '$2') ?? '';
    if (pair?.[1] !== undefined && value !== '') fields.set(pair[1].trim().toLowerCase(), value);
  }
  return { fields, body: text.slice(match[0].length) };
}

/** The text cut at its headings; headings inside code fences are text. */
function sectionsOf(text: string): readonly Section[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [{ level: 0, heading: '', lines: [] }];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const heading = fence === null ? /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) : null;
    if (heading === null) sections.at(-1)?.lines.push(line);
    else sections.push({ level: heading[1]?.length ?? 1, heading: heading[2] ?? '', lines: [] });
  }
  return sections.map(({ level, heading, lines }) => ({ level, heading, body: lines.join('\n') }));
}

function lineValue(text: string, key: 'status' | 'date'): string | undefined {
  const line = new RegExp(`^\\s*(?:[*-]\\s+)?(?:\\*\\*)?${key}:?(?:\\*\\*)?:?\\s+(.+)$`, 'im');
  return line.exec(text)?.[1]?.replaceAll('*', '').trim();
}

function rationaleOf(sections: readonly Section[], titled: Section | undefined, status: Section | undefined): string {
  const parts: string[] = [];
  for (const section of sections) {
    if (section === status) continue;
    const body = section.body
      .split('\n')
      .filter((line) => !/^\s*(?:[*-]\s+)?(?:\*\*)?(?:status|date):?(?:\*\*)?:?\s/i.test(line))
      .join('\n')
      .trim();
    const heading = section === titled || section.level === 0 ? '' : `${'#'.repeat(section.level)} ${section.heading}`;
    if (body !== '') parts.push(heading === '' ? body : `${heading}\n\n${body}`);
  }
  return parts.join('\n\n');
}

function statusOf(status: string): DecisionStatus {
  return /^(rejected|deprecated|super[sc]eded|withdrawn|obsolete|declined)/i.test(status) ? 'INVALIDATED' : 'ACTIVE';
}

/** The list under "Considered options", without the one that "Chosen option" names. */
function rejectedOf(sections: readonly Section[]): readonly string[] {
  const options = sections.find((section) => /^(considered|alternative|options)/i.test(section.heading));
  if (options === undefined) return [];
  const chosen = sections
    .map(
      (section) =>
        /chosen option:?\s*(?:\*\*)?["“”']?([^"“”'\n]+?)["“”']?(?:\*\*)?(?:,|\.|\n|$)/i.exec(section.body)?.[1],
    )
    .find((name) => name !== undefined)
    ?.toLowerCase();
  return options.body
    .split('\n')
    .flatMap((line) => /^\s{0,3}(?:[*+-]|\d+[.)])\s+(.+)$/.exec(line)?.[1] ?? [])
    .map(oneLine)
    .filter((option) => option !== '' && (chosen === undefined || !option.toLowerCase().startsWith(chosen.trim())));
}

/** Whether a status text points to the file `other`: by a link to it or by its number. */
function names(status: string, from: string, other: string): boolean {
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
  for (const [, target] of status.matchAll(/\]\(([^)#\s]+)/g)) {
    if (target !== undefined && (target === other || `${folder}${target.replace(/^\.\//, '')}` === other)) return true;
  }
  if (status.includes('](')) return false;
  const number = /(\d+)/.exec(status.replace(/^\D*super[sc]eded/i, ''))?.[1];
  const own = /^(?:adr[-_]?)?(\d+)/i.exec(other.slice(other.lastIndexOf('/') + 1))?.[1];
  return number !== undefined && own !== undefined && Number(number) === Number(own);
}

function idOf(path: string): string {
  const id = `adr:${path.replace(/\.(md|markdown)$/i, '').replaceAll('/', ':')}`;
  return idPattern.test(id) ? id : `adr:${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
