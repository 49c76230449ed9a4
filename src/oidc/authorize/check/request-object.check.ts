import type { Form } from '../../../http/form.js';
import { refusal } from '../../oidc.errors.js';

/** OIDC Core §6: not supported, and said so. Ignoring them would ignore what the client wants. @throws OAuthError */
export function checkNoRequestObject(form: Form): void {
  if (form.find('request') !== undefined) throw refusal.requestUnsupported();
  if (form.find('request_uri') !== undefined) throw refusal.requestUriUnsupported();
}
