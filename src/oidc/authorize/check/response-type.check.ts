import type { Form } from '../../../foundation/http/form.js';
import type { ResponseType } from '../../../project/client/client.entity.js';
import type { Client } from '../../../project/client/client.js';
import { refusal } from '../../oidc.errors.js';
import { required } from '../../parameters.js';

/** OAuth Multiple Response Types §3: a set of words, in any order. @throws OAuthError */
export function parseResponseType(form: Form, client: Client): ResponseType {
  required(form, 'response_type');
  const words = form.words('response_type').sort().join(' ');
  if (words !== 'code' && words !== 'id_token' && words !== 'id_token token') throw refusal.responseTypeUnsupported();
  if (!client.mayAskFor(words)) throw refusal.responseTypeNotAllowed();
  return words;
}
