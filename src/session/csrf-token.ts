import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { equalDigests } from '../foundation/crypto/digest.js';
import { MasterKeys, type PurposeKey } from '../foundation/crypto/master-key.js';

const PURPOSE = 'csrf';

/**
 * The token in each of our forms, bound to the browser and to what the form is about (a pending request, signing out):
 * a form of another site, browser or request is refused (RFC 6749 §10.12). The browser's id stays the same when its
 * cookie value changes, so that a form in a second tab still works after a sign-in in the first.
 */
@Injectable()
export class CsrfTokens {
  constructor(private readonly masterKeys: MasterKeys) {}

  tokenFor(browserId: string, about: string): string {
    return macOf(this.masterKeys.current(PURPOSE), browserId, about).toString('base64url');
  }

  /** Forms from before the master key was replaced are valid for as long as the previous key is. */
  isValid(token: string | undefined, browserId: string, about: string): boolean {
    if (token === undefined) return false;
    const sent = Buffer.from(token, 'base64url');
    return this.masterKeys.all(PURPOSE).some((key) => equalDigests(sent, macOf(key, browserId, about)));
  }
}

function macOf({ key }: PurposeKey, browserId: string, about: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([browserId, about]))
    .digest();
}
