/** Decisions as a Markdown document for people: one section each, newest first. */
import type { Decision } from './decision.ts';
import type { StatusFilter } from './parse-read.ts';

/** `decisions` as a reader sees them; `status` is what was asked for, ACTIVE when nothing was. */
export function exportMarkdown(decisions: readonly Decision[], status: StatusFilter | undefined): string {
  const kind =
    status === undefined || status === 'ACTIVE' ? 'active ' : status === 'ALL' ? '' : `${status.toLowerCase()} `;
  if (decisions.length === 0) return `# Decision Store\n\nNo ${kind}decisions.\n`;
  const count = `${decisions.length} ${kind}decision${decisions.length === 1 ? '' : 's'}`;
  return `# Decision Store\n\n${count}\n\n${decisions.map(section).join('\n')}`;
}

function section(decision: Decision): string {
  const bullets = [
    `- **Type:** ${decision.decision_type}`,
    ...(decision.status === 'ACTIVE' ? [] : [`- **Status:** ${decision.status}`]),
    `- **Confidence:** ${Math.round(decision.confidence * 100)}%`,
    `- **Commit:** ${decision.commit_sha === '' ? '-' : decision.commit_sha.slice(0, 7)}`,
    ...(decision.author === null ? [] : [`- **Author:** ${oneLine(decision.author)}`]),
    ...(decision.tags.length === 0 ? [] : [`- **Tags:** ${decision.tags.map(oneLine).join(', ')}`]),
    ...(decision.files_affected.length === 0 ? [] : [`- **Files:** ${decision.files_affected.map(code).join(', ')}`]),
    ...(decision.review_by === null ? [] : [`- **Review by:** ${decision.review_by}`]),
    ...(decision.supersedes === null ? [] : [`- **Supersedes:** ${code(decision.supersedes)}`]),
    ...(decision.superseded_by === null ? [] : [`- **Superseded by:** ${code(decision.superseded_by)}`]),
  ];
  const parts = [
    `## ${oneLine(decision.title)}`,
    bullets.join('\n'),
    decision.rationale.trim(),
    ...listed('Evidence', decision.evidence),
    ...listed('Rejected alternatives', decision.rejected_alternatives),
    ...listed('Constraints', decision.dependency_constraints),
    `*Created ${decision.created_at.slice(0, 10)}*`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function listed(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`### ${heading}`, items.map((item) => `- ${oneLine(item)}`).join('\n')];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function code(text: string): string {
  return text.includes('`') ? oneLine(text) : `\`${oneLine(text)}\``;
}
