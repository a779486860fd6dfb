/** Makes `docs/api.md`: every route with its purpose, effects, inputs, answers, errors and one example. */
import { errorCatalogue } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Registry } from '../../operations/operation.ts';
import { successOf } from './answer.ts';
import { type ApiOperation, apiOperations } from './api-routes.ts';
import { routeErrors } from './edge-errors.ts';
import { exampleRequest } from './example-request.ts';
import { createSchemaBook } from './json-schemas.ts';
import { nounOf, nounWords } from './nouns.ts';
import { bodySize } from './openapi.ts';
import { type RouteInput, routeInputs } from './route-inputs.ts';
import { typeWords } from './type-words.ts';

const head = `# The NeuralMind API, version 1

Made from the table of operations; the same as data is in \`openapi.json\` beside this page, which a running server also
answers at \`GET /v1/openapi.json\`. A page to try the routes is at \`/docs\` of a running server.

* **Where**: \`http://127.0.0.1:8000/v1\`, or the host and port of \`daemon.json\` in the daemon home (\`~/.neuralmind\`).
* **Who**: every request but those marked *open* carries \`Authorization: Bearer TOKEN\`. A token in the address is
  refused, even beside the right header. The token is in the file \`token\` of the daemon home.
* **What is sent**: UTF-8 JSON objects with \`Content-Type: application/json\`. No body counts as \`{}\` and needs no type. The
  largest body is 1 MiB (\`NEURALMIND_API_MAX_BODY_BYTES\`) unless its route says otherwise. Members that a route does not know are ignored.
* **What comes back**: \`NeuralMind-API-Version: 1\` and \`X-Request-Id\` on every answer. The id is the one that was sent when it
  is 1 to 64 letters, digits or dashes.
* **Order of checks**: Host 403, Origin 403, size 413, open routes, token 401, route 404 or method 405, permission 403,
  media type 415, JSON 400, fields 422, project or record 404.
* **Lists** answer \`{"items": […], "next_cursor": "…" or null}\`.

Inside version 1 changes only add. A deprecated route says so in the headers \`Deprecation\` and \`Link\` of its answers.

## Failures

Every failure has one shape:

\`\`\`json
{ "error": { "code": "memory_not_found", "message": "…", "status": 404, "request_id": "a1b2c3", "details": {} } }
\`\`\`

Programs read \`code\` and \`details\`; \`message\` is for people and may be reworded. \`details.errors\` lists what is wrong with the
fields of a request as \`{loc, msg, type}\`. For \`internal_error\`, \`details.exception\` is the class name of the error. Its message
is kept back, because messages of libraries can hold what was stored or asked. Retry advice for each code is in
[errors.md](errors.md).
`;

export function referencePage(registry: Registry): string {
  const rows = apiOperations(registry);
  const nouns = [...new Set(rows.map(nounOf))];
  const book = createSchemaBook();
  const schemas = new Map(rows.map((row) => [row.name, book.add(row.http.input, 'input')]));
  const sections = nouns.map((noun) => {
    const routes = rows.filter((row) => nounOf(row) === noun);
    return `## ${titleOf(noun)}\n\n${nounWords(noun)}\n\n${routes.map((row) => routeSection(row, schemas.get(row.name) ?? {})).join('\n')}`;
  });
  return `${head}\n${sections.join('\n')}`;
}

function titleOf(noun: string): string {
  return `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
}

function routeSection(row: ApiOperation, schema: JsonObject): string {
  const { http } = row;
  const facts = [
    `\`${row.name}\``,
    http.open === true ? '*open*' : `permission \`${row.permission}\``,
    ...(row.tool === undefined ? [] : [`MCP tool \`${row.tool.name}\``]),
  ];
  return [
    `### ${http.method} ${http.path}\n`,
    `${row.summary}\n`,
    ...(http.deprecated === undefined
      ? []
      : [`**Deprecated** since ${http.deprecated.since}: use \`${http.deprecated.successor}\`.\n`]),
    `${facts.join(', ')}. Effects: ${row.effects}\n`,
    ...(http.bodyBytesMax === undefined ? [] : [`Body: at most ${bodySize(http.bodyBytesMax)}.\n`]),
    ...inputTable(routeInputs(row, schema)),
    `Answers: ${Object.entries(http.success)
      .map(([status, words]) => `**${status}** ${words}`)
      .join(' ')}\n`,
    `Errors: ${routeErrors(row)
      .map((code) => `\`${code}\` ${errorCatalogue[code].http}`)
      .join(', ')}\n`,
    '```http',
    exampleRequest(row),
    '```\n',
    ...exampleAnswer(row),
  ].join('\n');
}

function inputTable(inputs: readonly RouteInput[]): readonly string[] {
  if (inputs.length === 0) return [];
  const rows = inputs.map(({ sent, place, required, repeated, schema, description }) => {
    const words = [place, ...(required ? ['required'] : []), ...(repeated ? ['repeatable'] : [])].join(', ');
    return `| \`${sent}\` | ${words} | ${cell(typeWords(schema))} | ${cell(description)} |`;
  });
  return ['| Input | Where | Type | Meaning |', '| --- | --- | --- | --- |', ...rows, ''];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function exampleAnswer(row: ApiOperation): readonly string[] {
  const success = successOf(row.http, row.example.output);
  if (success.status === 204) return [];
  return ['```json', JSON.stringify(success.body ?? row.example.output, null, 2), '```\n'];
}
