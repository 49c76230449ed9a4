import type { Request as ExpressRequest } from 'express';
import { decodeJwt } from 'jose';
import { readAccessToken } from '../foundation/http/access-token-header.js';
import { decode } from '../foundation/http/form.js';
import { formThatWasRead } from '../foundation/http/request.js';
import { issuerIn } from '../token/assertion.js';

/** The longest client ID there can be. */
const MAX_CHARACTERS = 200;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * The client that a request names, for the log: proved by nothing, and of a bounded length without control characters
 * (OPS-008). Undefined if it names none.
 */
export function namedClient(request: ExpressRequest): string | undefined {
  const form = formThatWasRead(request);
  const assertion = form?.find('client_assertion');
  const name =
    partsOfBasic(request)?.clientId ||
    form?.find('client_id') ||
    (assertion === undefined ? undefined : issuerIn(assertion)) ||
    clientOfToken(request);
  return name?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD').slice(0, MAX_CHARACTERS);
}

/**
 * What is probably wrong with a secret that was refused. RFC 6749 §2.3.1 has both halves of the header form-url-
 * encoded, which many libraries leave out: it matters for secrets with these characters, and most of ours have none.
 */
export function hintAtEncoding(request: ExpressRequest): string | undefined {
  const secret = partsOfBasic(request)?.encodedSecret ?? '';
  return /\+|%(?![0-9A-Fa-f]{2})/.test(secret)
    ? 'The secret in the header has a raw "+" or "%": RFC 6749 §2.3.1 wants it form-url-encoded. Or send it in the body.'
    : undefined;
}

function partsOfBasic(request: ExpressRequest): { clientId: string | undefined; encodedSecret: string } | undefined {
  const encoded = BASIC.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [name = '', ...secret] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  return { clientId: decode(name), encodedSecret: secret.join(':') };
}

/** The client of the access token at userinfo; an opaque token names no client. */
function clientOfToken(request: ExpressRequest): string | undefined {
  const sent = readAccessToken(request);
  if (typeof sent === 'string') return undefined;
  try {
    const { client_id: clientId } = decodeJwt(sent.token);
    return typeof clientId === 'string' ? clientId : undefined;
  } catch {
    return undefined;
  }
}
