import type { Form } from '../../../foundation/http/form.js';
import type { ResponseType } from '../../../project/client/client.entity.js';
import { refusal } from '../../oidc.errors.js';
import { isTooLong } from './length.check.js';

/** OIDC Core §3.2.2.1: without a code to redeem, only the nonce ties the id_token to the request. @throws OAuthError */
export function parseNonce(form: Form, responseType: ResponseType): string | undefined {
  const nonce = form.find('nonce');
  if (nonce === undefined && responseType !== 'code') throw refusal.nonceMissing();
  if (isTooLong(form, 'nonce')) throw refusal.nonceTooLong();
  return nonce;
}
