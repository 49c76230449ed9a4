import type { Request } from 'express';
import { readForm } from '../../http/request.js';
import { refusal } from '../oidc.errors.js';
import { checkParameters } from '../parameters.js';

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The access token of a request to a protected resource: in the header, or in the form of a POST, never in the query
 * (RFC 6750 §2.3 calls that a last resort; URLs end up in logs).
 * @throws OAuthError invalid_token when there is none, invalid_request when there are several or it is malformed
 */
export async function readBearer(request: Request): Promise<string> {
  const header = request.headers.authorization;
  const inForm = request.method === 'POST' ? await readFromForm(request) : undefined;
  if (header === undefined) {
    if (inForm === undefined) throw refusal.bearerMissing();
    return inForm;
  }
  if (inForm !== undefined || countAuthorization(request) > 1) throw refusal.bearerMalformed();
  if (!/^bearer\b/i.test(header)) throw refusal.bearerMissing();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw refusal.bearerMalformed();
  return token;
}

/** A POST without a form may still carry its token in the header. */
async function readFromForm(request: Request): Promise<string | undefined> {
  if (request.headers['content-type'] === undefined) return undefined;
  const form = await readForm(request);
  checkParameters(form);
  return form.find('access_token');
}

function countAuthorization(request: Request): number {
  return request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization').length;
}
