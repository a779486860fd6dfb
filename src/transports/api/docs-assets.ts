/** Style and script of the page at `/docs`. The script shows answers as text and never as markup. */

export const pageStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 1px solid; padding-bottom: 1rem; }
h2 { text-transform: capitalize; margin-bottom: 0; }
code, pre, textarea, input { font-family: ui-monospace, monospace; font-size: 0.9em; }
details { border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 4px; margin: 0.5rem 0; padding: 0.5rem; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
label { display: block; margin-top: 0.5rem; }
input, textarea { box-sizing: border-box; width: 100%; padding: 0.3rem; }
button { margin: 0.7rem 0; padding: 0.3rem 1rem; }
pre { overflow: auto; max-height: 30rem; padding: 0.5rem; border: 1px dashed; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

export const pageScript = `'use strict';

const token = document.getElementById('token');

for (const form of document.querySelectorAll('form[data-method]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const shown = form.querySelector('pre');
    shown.hidden = false;
    shown.textContent = 'Sending ...';
    send(form).then(
      (text) => { shown.textContent = text; },
      (error) => { shown.textContent = 'No answer: ' + error.message; },
    );
  });
}

async function send(form) {
  const { target, options } = requestOf(form);
  const answer = await fetch(target, options);
  const head = [answer.status + ' ' + answer.statusText];
  for (const [name, value] of answer.headers) head.push(name + ': ' + value);
  const text = await answer.text();
  const json = (answer.headers.get('content-type') || '').startsWith('application/json');
  return head.join('\\n') + '\\n\\n' + (json ? JSON.stringify(JSON.parse(text), null, 2) : text);
}

function requestOf(form) {
  const method = form.dataset.method;
  const headers = {};
  const query = new URLSearchParams();
  let path = form.dataset.path;
  let body;
  if (token.value !== '') headers.authorization = 'Bearer ' + token.value.trim();
  for (const field of form.querySelectorAll('[data-place]')) {
    const { place, name } = field.dataset;
    const value = field.value;
    if (place === 'path') {
      if (value === '') throw new Error('the input ' + name + ' is empty');
      path = path.replace('{' + name + '}', () => encodeURIComponent(value));
    } else if (value === '') {
      continue;
    } else if (place === 'query') {
      const values = 'repeated' in field.dataset ? value.split('\\n').filter((line) => line !== '') : [value];
      for (const each of values) query.append(name, each);
    } else if (place === 'header') {
      headers[name] = value;
    } else {
      headers['content-type'] = 'application/json';
      body = value;
    }
  }
  const target = query.size === 0 ? path : path + '?' + query;
  return {
    target,
    options: { method, headers, body, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' },
  };
}
`;
