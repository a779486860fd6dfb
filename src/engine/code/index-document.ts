/** The index as the interchange document that is validated and written: nodes, edges and groups. */
import { SERVER_VERSION } from '../../base/version.ts';
import { type IrSource, irVersion } from '../../retrieval/context/ir.ts';
import { groupName } from '../../retrieval/context/summary.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';
import { schemaVersion } from '../../retrieval/index/schema.ts';
import type { ProjectPortrait } from './project-portrait.ts';

/** Good only as long as the question it is made in. */
export function indexDocument(view: IndexView, portrait: ProjectPortrait): IrSource {
  const byPath = new Map([...view.search.files.values()].map((file) => [file.path, file]));
  return {
    header: {
      ir_version: irVersion,
      generated_by: `mnemosyne ${SERVER_VERSION}`,
      source_backend: 'sqlite',
      source_schema_version: String(schemaVersion),
      coverage: 'precise',
      built_at_commit: view.facts.commit === '' ? null : view.facts.commit,
      created_at: new Date(view.facts.builtAtMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    *nodes() {
      for (const node of view.graph.allNodes()) {
        const file = node.path === null ? undefined : byPath.get(node.path);
        yield {
          id: node.id,
          label: node.qualifiedName,
          kind: node.kind,
          source_file: node.path,
          line: node.path === null ? null : node.startLine,
          language: file?.language ?? null,
          cluster: file?.community ?? null,
        };
      }
    },
    *edges() {
      for (const edge of view.graph.allEdges()) {
        yield { source: edge.from, target: edge.to, relation: edge.kind, confidence: edge.confidence };
      }
    },
    *clusters() {
      for (const group of portrait.groups) yield { id: group.id, label: groupName(group), size: group.paths.length };
    },
    *synapses() {},
  };
}
