import type { Form } from '../../../foundation/http/form.js';
import { refusal } from '../../oidc.errors.js';

const MAX_SECONDS = 2_147_483_647;

/** OIDC Core §3.1.2.1: a number of seconds, 0 included. @throws OAuthError invalid_request */
export function parseMaxAge(form: Form): number | undefined {
  const text = form.find('max_age');
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_SECONDS) throw refusal.maxAgeMalformed();
  return Number(text);
}
