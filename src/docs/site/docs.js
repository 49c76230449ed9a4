/* Swagger UI over our own document; Authorize is ready to use (see settings.json). */
'use strict';

/** Swagger UI puts the focus into the last form of its dialogue; what most people want stands at the top. */
function openDialogueAtTop() {
  new MutationObserver(() => {
    const dialogue = document.querySelector('.modal-ux-content:not([data-seen])');
    if (!dialogue) return;
    dialogue.dataset.seen = '';
    dialogue.querySelector('.authorize')?.focus({ preventScroll: true });
    dialogue.scrollTop = 0;
  }).observe(document.getElementById('docs'), { childList: true, subtree: true });
}

async function start() {
  const { publicUrl, redirectUrl, clientId, scopes } = await (await fetch('/docs/settings.json')).json();
  if (location.origin !== publicUrl) {
    // The way back from the sign-in leads to the public URL, and a window of another origin could not receive it.
    location.replace(`${publicUrl}/docs${location.hash}`);
    return;
  }
  const ui = window.SwaggerUIBundle({
    url: '/docs-json',
    dom_id: '#docs',
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    oauth2RedirectUrl: redirectUrl,
  });
  ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
}

openDialogueAtTop();
void start();
