import type { Client } from '../project/client/client.js';
import type { SigningKeyPurpose } from './key/signing-key.entity.js';

/** The purpose of the key that signs whatever we issue for an application. */
export function signingPurposeOf(client: Client | undefined): SigningKeyPurpose {
  return client?.isStrict === true ? 'strict' : 'general';
}
