import type { Form } from '../../../foundation/http/form.js';
import { refusal } from '../../oidc.errors.js';

/** SHA-256 in base64url (RFC 7638 §3); the last character has four bits, of which two are used. */
const THUMBPRINT = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** RFC 9449 §10, `dpop_jkt`. @throws OAuthError invalid_request: ignored, the code would be bound to nothing */
export function parseKeyThumbprint(form: Form): string | undefined {
  const thumbprint = form.find('dpop_jkt');
  if (thumbprint !== undefined && !THUMBPRINT.test(thumbprint)) throw refusal.keyThumbprintMalformed();
  return thumbprint;
}
