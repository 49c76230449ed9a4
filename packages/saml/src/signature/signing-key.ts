import type { KeyObject } from 'node:crypto';
import type { Certificate } from './certificate.js';

/** What we sign with. Partners know the certificate from our metadata. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly certificate: Certificate;
}
