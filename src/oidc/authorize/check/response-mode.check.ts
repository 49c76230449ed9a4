import type { Form } from '../../../foundation/http/form.js';
import type { ResponseType } from '../../../project/client/client.entity.js';
import type { ResponseMode } from '../../../session/auth-request/auth-request.js';
import { refusal } from '../../oidc.errors.js';

export function defaultResponseMode(responseType: ResponseType): ResponseMode {
  return responseType === 'code' ? 'query' : 'fragment';
}

/**
 * The requested mode, or else the default of the response type.
 * OAuth Multiple Response Types §3.0: tokens never travel in a query, where servers and proxies log them.
 * @throws OAuthError invalid_request
 */
export function parseResponseMode(form: Form, responseType: ResponseType, redirectUri: string): ResponseMode {
  const mode = form.find('response_mode');
  if (mode === undefined) return defaultResponseMode(responseType);
  if (mode !== 'query' && mode !== 'fragment' && mode !== 'form_post') throw refusal.responseModeUnsupported();
  if (mode === 'query' && responseType !== 'code') throw refusal.responseModeUnsupported();
  if (mode === 'form_post' && !takesForms(redirectUri)) throw refusal.responseModeUnsupported();
  return mode;
}

/** A form can only be posted to a web server; an application with a scheme of its own gets a redirect. */
export function takesForms(redirectUri: string): boolean {
  return /^https?:/.test(redirectUri);
}
