import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { equalDigests } from '../foundation/crypto/digest.js';
import { MasterKeys } from '../foundation/crypto/master-key.js';

/**
 * The token in each of our forms, bound to the browser and to what the form is about (a pending request, signing out):
 * a form of another site, browser or request is refused (RFC 6749 §10.12). The browser's id stays the same when its
 * cookie value changes, so that a form in a second tab still works after a sign-in in the first.
 */
@Injectable()
export class CsrfTokens {
  constructor(private readonly masterKeys: MasterKeys) {}

  tokenFor(browserId: string, about: string): string {
    return this.mac(browserId, about).toString('base64url');
  }

  isValid(token: string | undefined, browserId: string, about: string): boolean {
    return token !== undefined && equalDigests(Buffer.from(token, 'base64url'), this.mac(browserId, about));
  }

  private mac(browserId: string, about: string): Buffer {
    const { key } = this.masterKeys.current('csrf');
    return createHmac('sha256', key)
      .update(JSON.stringify([browserId, about]))
      .digest();
  }
}
