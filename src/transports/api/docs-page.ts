/**
 * The page at `/docs`: every route with a form to try it. Made on the server from the rows; nothing of it comes from
 * outside, and its policy forbids the browser to load anything else.
 *
 * The page itself is open. The token is typed into it, lives in that one field and is stored nowhere.
 */
import { errorCatalogue } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Registry } from '../../operations/operation.ts';
import { type ApiOperation, apiOperations } from './api-routes.ts';
import { routeErrors } from './edge-errors.ts';
import { exampleBody } from './example-request.ts';
import { createSchemaBook } from './json-schemas.ts';
import { nounOf, nounWords } from './nouns.ts';
import { type RouteInput, routeInputs } from './route-inputs.ts';
import { typeWords } from './type-words.ts';

export function docsPage(registry: Registry): string {
  const rows = apiOperations(registry);
  const book = createSchemaBook();
  const nouns = [...new Set(rows.map(nounOf))];
  const sections = nouns.map((noun) => {
    const routes = rows
      .filter((row) => nounOf(row) === noun)
      .map((row) => routeOf(row, book.add(row.http.input, 'input')));
    return `<section><h2>${html(noun)}</h2><p>${html(nounWords(noun))}</p>${routes.join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>NeuralMind API</title>
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/page.js" defer></script>
</head>
<body>
<header>
<h1>NeuralMind API, version 1</h1>
<p>The contract as data: <a href="/v1/openapi.json">openapi.json</a>. A request that you send here is a real one.</p>
<label for="token">Token (the file <code>token</code> of the daemon home; kept in this field only)</label>
<input id="token" type="password" autocomplete="off" spellcheck="false">
</header>
<main>${sections.join('')}</main>
</body>
</html>
`;
}

function routeOf(row: ApiOperation, schema: JsonObject): string {
  const { method, path } = row.http;
  const inputs = routeInputs(row, schema);
  const fields = inputs.filter(({ place }) => place !== 'body').map((input) => fieldOf(row, input));
  const errors = routeErrors(row)
    .map((code) => `${errorCatalogue[code].http} ${code}`)
    .join(', ');
  const answers = Object.entries(row.http.success).map(([status, words]) => `${status}: ${words}`);
  return `<details id="${html(row.name)}">
<summary><b>${method}</b> <code>${html(path)}</code> ${html(row.summary)}</summary>
<p>Effects: ${html(row.effects)} Permission: <code>${html(row.permission)}</code>.</p>
<p>Answers ${html(answers.join(' '))}</p>
<p>Errors: ${html(errors)}</p>
<form data-method="${method}" data-path="${html(path)}">
${fields.join('')}${row.http.body ? bodyField(row, inputs) : ''}<button>Send ${method}</button>
<pre aria-live="polite" hidden></pre>
</form>
</details>`;
}

function fieldOf(row: ApiOperation, input: RouteInput): string {
  const id = `${row.name}.${input.sent}`;
  const words = `${input.sent} (${[input.place, typeWords(input.schema), ...(input.required ? ['required'] : [])].join(', ')}): ${input.description}`;
  const facts = `id="${html(id)}" data-place="${input.place}" data-name="${html(input.sent)}"`;
  const field = input.repeated
    ? `<textarea rows="2" ${facts} data-repeated placeholder="one value a line"></textarea>`
    : `<input ${facts} autocomplete="off" spellcheck="false">`;
  return `<label for="${html(id)}">${html(words)}</label>${field}\n`;
}

function bodyField(row: ApiOperation, inputs: readonly RouteInput[]): string {
  const lines = inputs
    .filter(({ place }) => place === 'body')
    .map(
      ({ sent, schema, required, description }) =>
        `<li><code>${html(sent)}</code> (${html(typeWords(schema))}${required ? ', required' : ''}): ${html(description)}</li>`,
    );
  const id = `${row.name}.body`;
  return `<label for="${html(id)}">Body</label>
<textarea rows="8" id="${html(id)}" data-place="body" spellcheck="false">${html(JSON.stringify(exampleBody(row), null, 2))}</textarea>
<ul>${lines.join('')}</ul>
`;
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
