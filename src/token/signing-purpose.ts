import type { Client } from '../project/client/client.js';
import type { SigningKeyPurpose } from './key/signing-key.entity.js';

/** With which key we sign for an application, whatever it is. */
export function signingPurposeOf(client: Client | undefined): SigningKeyPurpose {
  return client?.isStrict === true ? 'strict' : 'general';
}
