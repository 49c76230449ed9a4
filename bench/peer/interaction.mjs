import { checkPassword } from './account.mjs';

const MOST_BYTES = 10_000;

/**
 * The sign-in pages: login name, then password, each rendered here and answered by a redirect, so that a whole sign-in
 * has the steps that ours has. Consent is granted beforehand (`loadExistingGrant`).
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>}
 */
export function interactionPages(provider, pool) {
  return async (request, response) => {
    const url = new URL(request.url, provider.issuer);
    const [, , uid, step] = url.pathname.split('/');
    const interaction = await provider.interactionDetails(request, response);
    if (interaction.uid !== uid) return void response.writeHead(400).end('another sign-in');
    // Asked for by `prompt=consent`: everything is granted already.
    if (interaction.prompt.name === 'consent') return provider.interactionFinished(request, response, { consent: {} });

    if (request.method === 'GET') {
      const loginName = url.searchParams.get('loginName') ?? '';
      return void sendPage(response, step === 'password' ? passwordPage(uid, loginName) : loginNamePage(uid));
    }
    const form = new URLSearchParams(await readBody(request));
    if (step === 'login-name') {
      const query = new URLSearchParams({ loginName: form.get('loginName') ?? '' });
      return void response
        .writeHead(303, { Location: `/interaction/${uid}/password?${query}`, 'Content-Length': '0' })
        .end();
    }
    const accountId = await checkPassword(pool, form.get('loginName') ?? '', form.get('password') ?? '');
    if (!accountId)
      return void sendPage(response, passwordPage(uid, form.get('loginName') ?? '', 'Wrong name or password.'), 401);
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

function loginNamePage(uid) {
  return page(`<form method="post" action="/interaction/${uid}/login-name">
      <label for="loginName">Login name</label>
      <input id="loginName" name="loginName" autocomplete="username" required autofocus>
      <button id="submit">Next</button>
    </form>`);
}

function passwordPage(uid, loginName, message = '') {
  return page(`<p role="alert">${escape(message)}</p>
    <form method="post" action="/interaction/${uid}/password">
      <input type="hidden" name="loginName" value="${escape(loginName)}">
      <label for="password">Password of ${escape(loginName)}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
      <button id="submit">Next</button>
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
