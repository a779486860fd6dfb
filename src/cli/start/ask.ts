/** Asks a repository the questions that its own index suggests, and prints what comes back. */

import { counted } from '../../base/numbers.ts';
import type { QueryAnswer } from '../../engine/code/answers.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { codeRows } from '../../operations/code/rows.ts';
import { answerOf } from '../code/commands.ts';
import { hitsLines } from '../code/shown-hits.ts';
import { apiOperation } from '../rows/api-operation.ts';
import type { Performance } from '../rows/perform.ts';
import { safeLine } from '../screen/text-width.ts';
import { questionsAbout } from './questions.ts';
import { repositoryFacts } from './repository-facts.ts';

const hitsShownMax = 3;

export async function askQuestions({ call, terminal, screen }: Performance, project: Project): Promise<void> {
  const facts = repositoryFacts(project.path);
  const questions = facts === null ? [] : questionsAbout(facts);
  const { bold, dim } = screen.colours;
  if (questions.length === 0) terminal.print('There is nothing to ask: no file of it is indexed.');
  for (const question of questions) {
    const began = performance.now();
    // A demonstration is no use of the code.
    const body = await call('code.query', { question, learn: false }, project);
    const { top_search_hits: hits, tokens } = answerOf(apiOperation(codeRows, 'code.query'), body)<QueryAnswer>();
    const tookMs = Math.round(performance.now() - began);
    terminal.print('');
    terminal.print(bold(`? ${safeLine(question)}`));
    for (const line of hitsLines(hits.slice(0, hitsShownMax), screen)) terminal.print(`  ${line}`);
    terminal.print(dim(`  ${counted(tokens.total, 'token')} for an agent, ${tookMs} ms`));
  }
}
