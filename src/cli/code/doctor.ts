/** `mnemosyne doctor`: what was checked, and the cure under each fault. */
import type { Finding } from '../../engine/code/doctor.ts';
import { type Cell, table } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';

export function doctorLines(findings: readonly Finding[], screen: Screen): readonly string[] {
  const { green, yellow, red, dim } = screen.colours;
  const paint = { ok: green, warning: yellow, fault: red };
  const rows = findings.flatMap(({ check, state, message, cure }): readonly (readonly Cell[])[] => [
    [{ text: state, paint: paint[state] }, { text: safeLine(check) }, { text: safeLine(message) }],
    ...(cure === null ? [] : [[{ text: '' }, { text: '' }, { text: `→ ${safeLine(cure)}`, paint: dim }]]),
  ]);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  return [...table(rows, screen.columns), '', verdict(faults, warnings)];
}

/** 1 when something is wrong; a warning leaves it at 0. */
export function doctorExitCode(findings: readonly Finding[]): number {
  return findings.some(({ state }) => state === 'fault') ? 1 : 0;
}

function verdict(faults: number, warnings: number): string {
  const told = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  if (faults > 0) return `${told(faults, 'fault')}${warnings === 0 ? '' : `, ${told(warnings, 'warning')}`}.`;
  return warnings > 0 ? `No fault, ${told(warnings, 'warning')}.` : 'All is well.';
}
