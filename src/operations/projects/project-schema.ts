/** A project on the wire. */
import { z } from 'zod';
import type { Engine } from '../../engine/engine.ts';
import type { ListedProject, Project } from '../../engine/projects/projects.ts';

export const projectSchema = z
  .object({
    id: z.string().describe('Opaque, the same for one folder however it is reached.'),
    name: z.string().describe('The name of its folder.'),
    path: z.string().describe('Absolute, links resolved.'),
    built: z.boolean().describe('Whether its code is indexed.'),
    warm: z.boolean().describe('Whether this server has its decisions or its code open.'),
    missing: z.boolean().describe('Whether its folder has been moved or deleted.'),
  })
  .meta({ id: 'Project' });

export const projectExample = {
  id: 'p_3f9a1c2b7d4e',
  name: 'atlas',
  path: '/home/me/src/atlas',
  built: false,
  warm: true,
  missing: false,
};

export function shownProject(engine: Engine, project: Project & Partial<ListedProject>) {
  const { id, name, path, missing = false } = project;
  return { id, name, path, built: engine.isBuilt(project), warm: engine.isWarm(project), missing };
}
