import { randomBytes } from 'node:crypto';

/** SAML Core §1.3.4: 160 random bits, behind a letter or an underscore as xs:ID wants. */
export function newMessageId(): string {
  return `_${randomBytes(20).toString('hex')}`;
}
