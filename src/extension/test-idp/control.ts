import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '../testing/fixed-clock.js';
import type { Tokens } from '../testing/relying-party.js';
import type { FaultKind } from './fault.js';
import { FixtureError } from './fixture-mistake.js';
import { FixtureText } from './fixture-text.js';
import { InputMistake, inputMistake } from './input-mistake.js';
import type { Control } from './interference.js';
import { CONTROL, type IdpState, type IdpTime, type IdpTokens, type Operations, ROUTES } from './protocol.js';
import type { TestIdp } from './test-idp.js';

const MAX_BYTES = 4_000_000;
const MAX_WAIT_MS = 60_000;

type Given = Readonly<Record<string, unknown>>;
type Handlers = { readonly [Name in keyof Operations]: (idp: TestIdp, given: Given) => Promise<Operations[Name][1]> };

/** What a test may ask of the service besides what everybody may. */
const HANDLERS: Handlers = {
  state: async (idp) => stateOf(idp),
  reset: async (idp) => {
    await idp.reset();
    return stateOf(idp);
  },
  add: async (idp, given) => {
    await idp.add(FixtureText.of(given));
    return stateOf(idp);
  },
  signIn: async (idp, given) => {
    const user = idp.user(textOf(given, 'user'));
    const { tokens, callbackUrl } = await idp.signIns.signIn(user, applicationOf(idp, given), {
      scopes: textsIf(given, 'scopes'),
      redirectUri: textIf(given, 'redirectUri'),
      parameters: given['parameters'] as Readonly<Record<string, string>> | undefined,
      browser: textIf(given, 'browser'),
    });
    return toTokens(tokens, callbackUrl);
  },
  clientCredentials: async (idp, given) => {
    const name = textOf(given, 'user');
    const user = idp.cast.serviceUsers.get(name);
    if (!user) throw inputMistake(`There is no service user "${name}".`);
    return toTokens(await idp.signIns.clientCredentials(user.clientId, user.clientSecret, textsIf(given, 'scopes')));
  },
  browse: async (idp, given) => {
    const user = idp.user(textOf(given, 'user'));
    return idp.signIns.browse(textOf(given, 'url'), user, textIf(given, 'browser'), given['consent'] !== false);
  },
  clock: async (idp) => timeOf(idp),
  setClock: async (idp, given) => {
    const { jump, set } = given;
    if (typeof jump === 'string') idp.jump(jump as Span);
    else if (typeof set === 'string') idp.setTime(new Date(set));
    else if (given['reset'] === true) idp.clock.set();
    else throw inputMistake('Give one of jump ("2h"), set ("2030-01-01T00:00:00Z") and reset (true).');
    return timeOf(idp);
  },
  faults: async (idp) => ({ faults: idp.interference.armed() }),
  arm: async (idp, given) => idp.interference.arm(textOf(given, 'kind') as FaultKind, given),
  disarm: async (idp) => {
    idp.interference.disarm();
    return { faults: idp.interference.armed() };
  },
  rotateKey: async (idp) => ({ keyId: await idp.rotateKey(), published: await idp.keyIds() }),
  lock: async (idp, given) => idp.lock(textOf(given, 'user')),
  unlock: async (idp, given) => idp.unlock(textOf(given, 'user')),
  endSessions: async (idp, given) => idp.endSessions(textOf(given, 'user')),
  mails: async (idp, given) => {
    const waitMs = Math.min(Number(given['waitMs'] ?? 0) || 0, MAX_WAIT_MS);
    return { mails: await idp.mails.await(textIf(given, 'to'), waitMs) };
  },
};

/** Answers below `/_test`, to programs of this machine alone. */
export function controlOf(idp: TestIdp): Control {
  return (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (path !== CONTROL && !path.startsWith(`${CONTROL}/`)) return false;
    void answer(idp, request, response, path.slice(CONTROL.length), query).catch((error: unknown) =>
      fail(response, error),
    );
    return true;
  };
}

async function answer(
  idp: TestIdp,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const refused = whyRefused(request, new URL(idp.issuer).port);
  if (refused !== undefined) return send(response, 403, { error: refused });
  const named = Object.entries(ROUTES).filter(([, [, at]]) => at === path.replace(/\/$/, ''));
  const [name] = named.find(([, [method]]) => method === request.method) ?? [];
  if (name === undefined) {
    const error =
      named.length > 0 ? `Send ${named.map(([, [method]]) => method).join(' or ')}.` : 'There is no such operation.';
    return send(response, named.length > 0 ? 405 : 404, { error });
  }
  const given = request.method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : await bodyOf(request);
  send(response, 200, await HANDLERS[name as keyof Operations](idp, given));
}

/**
 * Pages of others reach the ports of this machine by the browser of whoever sits in front of it, also under a name of
 * their own (DNS rebinding). A program sends none of the headers that a browser adds by itself (TST-001, TST-002).
 */
function whyRefused({ headers }: IncomingMessage, port: string): string | undefined {
  const { host = '', origin } = headers;
  if (!['localhost', '127.0.0.1', '[::1]'].some((name) => host.toLowerCase() === `${name}:${port}`))
    return `The control surface answers to localhost:${port} and 127.0.0.1:${port} alone, not to "${host}".`;
  if (origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return 'The control surface is for programs, and answers no page in a browser.';
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Given> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw inputMistake('The body is too large.');
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw inputMistake('Send JSON, with the Content-Type application/json.');
  try {
    const given: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Given;
  } catch {
    // said below
  }
  throw inputMistake('The body is no JSON object.');
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const isMistake = error instanceof InputMistake || error instanceof FixtureError;
  send(response, isMistake ? 400 : 500, { error: (error as Error).message });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(JSON.stringify(body));
}

function stateOf(idp: TestIdp): IdpState {
  const { users, applications, serviceUsers } = idp.cast;
  return {
    issuer: idp.issuer,
    discoveryUrl: `${idp.issuer}/.well-known/openid-configuration`,
    users: Object.fromEntries(users),
    applications: Object.fromEntries(applications),
    serviceUsers: Object.fromEntries(serviceUsers),
    admin: { url: idp.issuer, token: idp.token },
  };
}

function timeOf({ clock }: TestIdp): IdpTime {
  return { now: clock.now().toISOString(), offsetSeconds: clock.offsetSeconds };
}

function toTokens(tokens: Partial<Tokens>, callbackUrl?: string): IdpTokens {
  return {
    accessToken: tokens.access_token ?? '',
    idToken: tokens.id_token,
    refreshToken: tokens.refresh_token,
    expiresIn: tokens.expires_in ?? 0,
    scope: tokens.scope ?? '',
    callbackUrl,
  };
}

function applicationOf(idp: TestIdp, given: Given): ReturnType<TestIdp['application']> {
  return idp.application(textIf(given, 'application'));
}

function textOf(given: Given, name: string): string {
  const value = textIf(given, name);
  if (value === undefined) throw inputMistake(`${name} is missing.`);
  return value;
}

function textIf(given: Given, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || typeof value === 'string') return value;
  throw inputMistake(`${name} must be a text.`);
}

function textsIf(given: Given, name: string): readonly string[] | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw inputMistake(`${name} must be a list of texts.`);
}
