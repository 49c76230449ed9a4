import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { idpKindContract, type ProviderAccount, type ProviderMisbehaviour, startWorld } from 'gatehouse/testing';
import github from './github.extension.js';

const signedIn = new Map<string, { account: ProviderAccount; challenge: string | null }>();
let how: ProviderMisbehaviour | undefined;
let requests = 0;

/** What GitHub does, as far as it is asked: see "Authorizing OAuth apps" in its documentation. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  requests += 1;
  const say = (body: object, status = 200) => response.writeHead(status).end(JSON.stringify(body));
  if (request.method === 'POST') {
    const form = new URLSearchParams((await request.toArray()).join(''));
    const challenge = hash('sha256', String(form.get('code_verifier')), 'base64url');
    const isRight = signedIn.get(String(form.get('code')))?.challenge === challenge;
    return say(isRight ? { access_token: form.get('code') } : { error: 'bad_verification_code' });
  }
  const found = signedIn.get(String(request.headers.authorization).replace('Bearer ', ''));
  if (found === undefined || how === 'error') return say({ message: 'Bad credentials' }, 401);
  if (how === 'silence') return undefined;
  if (how === 'redirect') return response.writeHead(302, { Location: '/elsewhere' }).end();
  const { subject, userName, email, emailVerified } = found.account;
  if (request.url === '/api/v3/user/emails') return say([{ email, primary: true, verified: emailVerified }]);
  const login = how === 'two megabytes' ? 'x'.repeat(2_000_000) : userName;
  if (how === 'no subject') return say({ login });
  return say({ id: how === 'an odd subject' ? [subject] : Number(subject), login });
}

const server = createServer((request, response) => void answer(request, response));
await once(server.listen(0, '127.0.0.1'), 'listening');
const world = await startWorld({ extensions: [github], env: { OUTBOUND_ALLOW: '127.0.0.1' } });
after(() => world.close());
after(() => server.close().closeAllConnections());

for (const { name, run } of idpKindContract(world, {
  kind: 'ext:github',
  settings: { base: `http://127.0.0.1:${(server.address() as { port: number }).port}` },
  clientId: 'Iv1.0123456789abcdef',
  clientSecret: 'secret-of-the-oauth-app',
  answerTo: (url, account) => {
    const { searchParams: query } = new URL(url);
    const code = `code-${signedIn.size}`;
    signedIn.set(code, { account, challenge: query.get('code_challenge') });
    return { code, state: String(query.get('state')) };
  },
  misbehave: (next) => {
    how = next;
  },
  requests: () => requests,
}))
  void test(name, run); // not one by one: `after` would not wait for the next one
