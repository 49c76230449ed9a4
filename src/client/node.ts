import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Fetch, Token, TokenRequest } from './call.js';
import { connect } from './connection.js';
import { issueToken } from './generated/operations.js';

/** The key of a service user, as `AddMachineKey` returns it. @public */
export interface ServiceKey {
  readonly type: 'serviceaccount';
  readonly keyId: string;
  /** The private key in PEM. */
  readonly key: string;
  readonly userId: string;
}

/** @public */
export interface ServiceKeyOptions {
  /** The issuer of the service: its `PUBLIC_URL`. */
  readonly url: string | URL;
  /** Scopes besides those that the administrative API asks for. */
  readonly scope?: string | undefined;
  /** `URN_WORD` of the service, if it has another one than `service`. */
  readonly urnWord?: string | undefined;
  readonly fetch?: Fetch | undefined;
}

const ASSERTION_SECONDS = 300;
/** A token is not used until its last moment: the call has to arrive. */
const MARGIN_MS = 30_000;

interface Held {
  readonly token: string;
  readonly endsMs: number;
}

/**
 * Tokens of a service user by its key (RFC 7523 §2.1): each is used until shortly before its end, and calls that need
 * one at the same time wait for the same request.
 * @throws TypeError if it is not such a key
 * @public
 */
export function serviceKey(key: ServiceKey, options: ServiceKeyOptions): Token {
  const privateKey = privateKeyOf(key);
  let held: Held | undefined;
  let asked: Promise<Held> | undefined;
  return async ({ refused }: TokenRequest) => {
    if (held && (held.token === refused || held.endsMs <= Date.now())) held = undefined;
    if (held) return held.token;
    // Not ended by the signal of one call: others may wait for it, too.
    asked ??= issue(key, privateKey, options).finally(() => (asked = undefined));
    held = await asked;
    return held.token;
  };
}

/**
 * The personal access token in a file, which is read for each call: another one may take its place.
 * @public
 */
export function tokenFile(path: string | URL): Token {
  return async () => readFile(path, 'utf8');
}

/**
 * Tokens by the key of a service user in a file, which is read when the first token is needed.
 * @public
 */
export function keyFile(path: string | URL, options: ServiceKeyOptions): Token {
  let token: Promise<Token> | undefined;
  return async (request) => {
    token ??= readFile(path, 'utf8').then((text) => serviceKey(parse(text), options));
    // What was not there may come; what is read once is kept.
    token.catch(() => (token = undefined));
    const found = await token;
    return typeof found === 'string' ? found : found(request);
  };
}

async function issue({ keyId, userId }: ServiceKey, privateKey: KeyObject, options: ServiceKeyOptions): Promise<Held> {
  const { url, scope = '', urnWord = 'service', fetch: ask } = options;
  const gatehouse = connect({ url, fetch: ask, retry: { attempts: 3 } });
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: userId,
    sub: userId,
    aud: gatehouse.url,
    iat: now,
    exp: now + ASSERTION_SECONDS,
    jti: randomUUID(),
  };
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(claims)}`;
  const { access_token: token, expires_in: seconds } = await issueToken(gatehouse, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`,
    scope: `openid urn:${urnWord}:iam:org:project:id:${urnWord}:aud ${scope}`.trim(),
  });
  return { token, endsMs: Date.now() + Number(seconds) * 1_000 - MARGIN_MS };
}

function parse(text: string): ServiceKey {
  try {
    return JSON.parse(text) as ServiceKey;
  } catch {
    throw notAKey();
  }
}

function privateKeyOf({ type, keyId, key, userId }: Partial<ServiceKey>): KeyObject {
  if (type !== 'serviceaccount' || !keyId || !key || !userId) throw notAKey();
  try {
    return createPrivateKey(key);
  } catch {
    throw notAKey();
  }
}

/** The cause would show what was read. */
function notAKey(): TypeError {
  return new TypeError('This is not the key of a service user, as AddMachineKey returns it.');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
