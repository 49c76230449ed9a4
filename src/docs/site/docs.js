/* Swagger UI over our own document; Authorize is ready to use (see settings.json). */
import { ExampleIds } from './examples.js';

/** Swagger UI focuses the last form of its dialogue; the one that most people want is at the top. */
function openDialogueAtTop() {
  new MutationObserver(() => {
    const dialogue = document.querySelector('.modal-ux-content:not([data-seen])');
    if (!dialogue) return;
    dialogue.dataset.seen = '';
    dialogue.querySelector('.authorize')?.focus({ preventScroll: true });
    dialogue.scrollTop = 0;
  }).observe(document.getElementById('docs'), { childList: true, subtree: true });
}

const MEMORY = 'example-ids';

/** Makes requests refer to objects that were added here: see examples.js. */
function examplesOneAfterTheOther(document) {
  const ids = new ExampleIds(document['x-example-ids'], JSON.parse(sessionStorage.getItem(MEMORY) ?? '[]'));
  const asked = new Map();
  return {
    requestInterceptor(request) {
      request.url = ids.fill(request.url);
      if (typeof request.body === 'string') request.body = ids.fill(request.body);
      for (const [name, value] of Object.entries(request.headers)) request.headers[name] = ids.fill(String(value));
      asked.set(request.url, request.method);
      return request;
    },
    responseInterceptor(response) {
      const { pathname } = new URL(response.url, location.href);
      if (response.ok && ids.learn(asked.get(response.url) ?? 'GET', pathname, response.body)) {
        sessionStorage.setItem(MEMORY, JSON.stringify([...ids.known]));
      }
      return response;
    },
  };
}

async function read(path) {
  return (await fetch(path)).json();
}

async function start() {
  // Parsed here: Swagger UI would parse it as YAML, which takes seconds.
  const [{ publicUrl, redirectUrl, clientId, scopes }, spec] = await Promise.all([
    read('/docs/settings.json'),
    read('/docs-json'),
  ]);
  if (location.origin !== publicUrl) {
    // The sign-in redirects to the public URL, and a window of another origin could not receive the result.
    location.replace(`${publicUrl}/docs${location.hash}`);
    return;
  }
  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    oauth2RedirectUrl: redirectUrl,
    ...examplesOneAfterTheOther(spec),
  });
  ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
}

openDialogueAtTop();
void start();
