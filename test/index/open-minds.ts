/** Code minds over folders, as a process of its own opens them. */
import { systemClock } from '../../src/base/clock.ts';
import type { CodeMind } from '../../src/engine/code/code-mind.ts';
import { type CodeMinds, openCodeMinds } from '../../src/engine/code/code-minds.ts';
import { git } from '../../src/engine/git.ts';
import { projectIdOf } from '../../src/engine/projects/project-id.ts';
import type { Project } from '../../src/engine/projects/projects.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';

export function answerOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

/** The code and reason of a failure, or `ok`. */
export function outcomeOf(result: Result<unknown>): string {
  if (result.ok) return 'ok';
  const { failure } = result;
  return failure.code === 'unavailable' ? `unavailable ${failure.reason}` : failure.code;
}

export function openMinds(troubles: string[] = [], userHome = '/nonexistent'): CodeMinds {
  const onTrouble = (what: string, fault: string): void => {
    troubles.push(`${what}: ${fault}`);
  };
  return openCodeMinds({ clock: systemClock, git, userHome, onTrouble });
}

export function projectAt(root: string): Project {
  return { id: projectIdOf(root), name: 'box', path: root };
}

export function queryOf(question: string, budget: number | null = null): Parameters<CodeMind['query']>[0] {
  return { question, query_type: 'auto', context_budget: budget, trace: false, trace_verbose: false, learn: false };
}
