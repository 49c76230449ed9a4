import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../signature/certificate.js';

/** What of a partner's registered metadata says which messages are theirs. */
export interface Partner {
  readonly entityId: string;
  readonly signingCertificates: readonly Certificate[];
}

export function keysOf({ signingCertificates }: Partner): KeyObject[] {
  return signingCertificates.map(({ publicKey }) => publicKey);
}
