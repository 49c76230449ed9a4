import { checkPassword } from './account.mjs';

const MOST_BYTES = 10_000;

/**
 * The sign-in page, as the peer's own example and most who use it have it: one form asks for name and password. Consent is granted
 * beforehand (`loadExistingGrant`).
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>}
 */
export function interactionPages(provider, pool) {
  return async (request, response) => {
    const url = new URL(request.url, provider.issuer);
    const [, , uid] = url.pathname.split('/');
    const interaction = await provider.interactionDetails(request, response);
    if (interaction.uid !== uid) return void response.writeHead(400).end('another sign-in');
    // Asked for by `prompt=consent`: everything is granted already.
    if (interaction.prompt.name === 'consent') return provider.interactionFinished(request, response, { consent: {} });

    if (request.method === 'GET') return void sendPage(response, loginPage(uid));
    const form = new URLSearchParams(await readBody(request));
    const loginName = form.get('loginName') ?? '';
    const accountId = await checkPassword(pool, loginName, form.get('password') ?? '');
    if (!accountId) return void sendPage(response, loginPage(uid, loginName, 'Wrong name or password.'), 401);
    return provider.interactionFinished(request, response, { login: { accountId, amr: ['pwd'] } });
  };
}

async function readBody(request) {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    body += chunk;
    if (body.length > MOST_BYTES) throw new Error('the form is too long');
  }
  return body;
}

function sendPage(response, html, status = 200) {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'",
  });
  response.end(html);
}

function loginPage(uid, loginName = '', message = '') {
  return page(`<p role="alert">${escape(message)}</p>
    <form method="post" action="/interaction/${uid}">
      <label for="loginName">Login name</label>
      <input id="loginName" name="loginName" value="${escape(loginName)}" autocomplete="username" required autofocus>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <button id="submit">Sign in</button>
    </form>`);
}

function page(content) {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in</title></head>
  <body><main><h1>Sign in</h1>
    ${content}
  </main></body>
</html>
`;
}

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
