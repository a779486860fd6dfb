/** `mnemosyne projects list|add`: the projects that are known on this machine. */
import path from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { projectSchema } from '../operations/projects/project-schema.ts';
import { type CommandContext, perform } from './rows/perform.ts';
import { outputFor } from './rows/typed.ts';
import { table } from './screen/layout.ts';
import { safeLine } from './screen/text-width.ts';

const listed = z.object({ items: z.array(projectSchema) });
const added = projectSchema.extend({ created: z.boolean() });

export function addProjectCommands(group: Command, context: CommandContext): void {
  const list = group.command('list').description('list the known projects').option('--json', 'print JSON');
  list.action(async () => {
    await perform(context, { json: list.opts()['json'] === true }, async ({ call, answer, screen }) => {
      const body = await call('projects.list', {}, null);
      answer(body, () => {
        const { items } = listed.parse(body);
        if (items.length === 0) return ['No projects are known yet.', 'Add one with: mnemosyne projects add <path>'];
        const { dim, cyan, red } = screen.colours;
        const heading = ['NAME', 'ID', 'PATH'].map((text) => ({ text, paint: dim }));
        const rows = items.map(({ name, id, path: folder, missing }) => [
          { text: safeLine(name) },
          { text: id, paint: cyan },
          missing ? { text: `${safeLine(folder)} (missing)`, paint: red } : { text: safeLine(folder) },
        ]);
        return table([heading, ...rows], screen.columns);
      });
    });
  });

  const add = group
    .command('add')
    .description('add the project that holds a folder')
    .argument('[path]', 'a folder of the project (default: the current folder)')
    .option('--json', 'print JSON');
  add.action(async () => {
    await perform(context, outputFor(add, { path: 'path' }), async ({ call, answer }) => {
      const body = await call('projects.register', { path: path.resolve(context.folder, add.args[0] ?? '') }, null);
      answer(body, () => {
        const { name, id, path: folder, created } = added.parse(body);
        return [`${created ? 'Added' : 'Known already:'} ${safeLine(name)} (${id}) at ${safeLine(folder)}`];
      });
    });
  });
}
