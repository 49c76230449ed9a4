import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { equalDigests } from '../foundation/crypto/digest.js';
import { macOf } from '../foundation/crypto/keyed-hash.js';
import { MasterKeys } from '../foundation/crypto/master-key.js';
import { isOfAnotherOrigin } from '../foundation/http/form-origin.js';

const PURPOSE = 'csrf';

/** The fields by which we recognize a form as ours. */
export interface SentForm {
  readonly token: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The token in each of our forms, bound to the browser and to what the form is about (a pending request, signing out):
 * a form of another site, browser or request is refused (RFC 6749 §10.12). The browser's id stays the same when its
 * cookie value changes, so that a form in a second tab still works after a sign-in in the first.
 */
@Injectable()
export class CsrfTokens {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly issuer: IssuerConfig,
  ) {}

  tokenFor(browserId: string, about: string): string {
    return macOf(this.masterKeys.current(PURPOSE).key, [browserId, about]).toString('base64url');
  }

  /**
   * Forms from before the master key was replaced are valid for as long as the previous key is. One that another origin
   * sends is refused although it has a token, which may have been read from the page (DEV-008).
   */
  isValid({ token, headers }: SentForm, browserId: string, about: string): boolean {
    if (token === undefined || isOfAnotherOrigin(headers, this.issuer.publicUrl)) return false;
    const sent = Buffer.from(token, 'base64url');
    return this.masterKeys.all(PURPOSE).some(({ key }) => equalDigests(sent, macOf(key, [browserId, about])));
  }
}

/** The subject of a form token, for a form that serves one user at one place. */
export function formOf(path: string, userId: string): string {
  return `${path}:${userId}`;
}
