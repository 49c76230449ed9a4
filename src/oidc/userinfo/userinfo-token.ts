import type { Request as ExpressRequest } from 'express';
import { readAccessToken, type SentAccessToken } from '../../foundation/http/access-token-header.js';
import { isForm, readForm } from '../../foundation/http/request.js';
import { refusal } from '../oidc.errors.js';
import { checkParameters } from '../parameters.js';

/**
 * The access token of a request to userinfo: in the header, or in the form of a POST, never in the query
 * (RFC 6750 §2.3 calls that a last resort; URLs are logged). One in a form is a bearer token (RFC 9449 §7.1).
 * @throws OAuthError invalid_token if there is none, invalid_request if there are several or it is malformed
 */
export async function readUserinfoToken(request: ExpressRequest): Promise<SentAccessToken> {
  const inHeader = readAccessToken(request);
  const inForm = request.method === 'POST' ? await readFromForm(request) : undefined;
  if (inHeader === 'malformed' || (inHeader !== 'missing' && inForm !== undefined)) throw refusal.bearerMalformed();
  if (inHeader !== 'missing') return inHeader;
  if (inForm === undefined) throw refusal.bearerMissing();
  return { scheme: 'Bearer', token: inForm };
}

/** Only a form holds a token (RFC 6750 §2.2). Any other body is ignored: the token may still be in the header. */
async function readFromForm(request: ExpressRequest): Promise<string | undefined> {
  if (!isForm(request.headers['content-type'])) return undefined;
  const form = await readForm(request);
  checkParameters(form);
  return form.find('access_token');
}
