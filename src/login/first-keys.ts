import { Injectable } from '@nestjs/common';
import { newId } from '../foundation/crypto/id.js';
import type { Transaction } from '../foundation/database/database.js';
import { SignInChanges } from '../management/user/sign-in-changes.js';
import type { FormTarget } from '../page/part/form.js';
import type { FormError } from '../page/part/form-error.js';
import type { LoginPage } from '../page/render.js';
import { type SentBrowser, SessionService } from '../session/session.service.js';
import type { CheckedCode } from '../user/user-codes.js';
import { MailedKeys } from './mailed-keys.js';
import { newCookieOf } from './new-cookie.js';

/** A new user who has typed the code of a mail, and has neither a password nor a key. */
export interface FirstKey {
  readonly userId: string;
  readonly orgId: string;
  readonly loginName: string;
  /** A code that is right, and not used up yet. */
  readonly code: CheckedCode;
  readonly browser: SentBrowser;
  readonly address: string;
  readonly brand: string;
  /** The target of the browser's answer, with the code as it was typed. */
  readonly form: FormTarget;
}

export type FirstKeyOutcome =
  | { readonly kind: 'page'; readonly page: LoginPage; readonly status: number }
  /** The key was refused: another request has used the code up, or the organization no longer allows passkeys. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'signed-in'; readonly cookieValue: string };

/**
 * The passkey with which an account begins, in place of a password. The address is verified, the key is stored and the
 * code is used up at once: nobody has an account without a way in.
 */
@Injectable()
export class FirstKeys {
  constructor(
    private readonly keys: MailedKeys,
    private readonly sessions: SessionService,
    private readonly changes: SignInChanges,
  ) {}

  /**
   * @param answer what the browser has made; undefined while it is still to be asked
   * @param use uses the code up and opens the account; false if that is no longer possible
   */
  async take(
    first: FirstKey,
    answer: string | undefined,
    use: (tx: Transaction) => Promise<boolean>,
  ): Promise<FirstKeyOutcome> {
    // An account that began with a key which its policy no longer allows would have no way in.
    if (!(await this.keys.arePossible(first.orgId))) return { kind: 'refused' };
    if (answer === undefined) return this.page(first);
    const { userId, orgId, browser, address } = first;
    const sessionId = newId();
    let keyId: string | undefined;
    try {
      const checked = await this.keys.check(placeOf(first), answer);
      keyId = await this.changes.openWithKey({ userId, orgId, sessionId }, checked, use);
    } catch (error) {
      return this.page(first, this.keys.refusalOf(error, placeOf(first), address));
    }
    if (keyId === undefined) return { kind: 'refused' };
    const proof = { kind: 'new_key', userId, orgId, newKeyId: keyId, newSessionId: sessionId } as const;
    const begun = await this.sessions.signIn(browser, proof);
    return { kind: 'signed-in', cookieValue: newCookieOf(begun) };
  }

  private async page(first: FirstKey, ...errors: Array<FormError<never>>): Promise<FirstKeyOutcome> {
    const { form, brand, loginName: account } = first;
    const passkey = await this.keys.request(placeOf(first), form, brand);
    const page: LoginPage = { page: 'passkeyLink', asks: 'key', passkey, account, errors };
    return { kind: 'page', page, status: errors.length > 0 ? 400 : 200 };
  }
}

function placeOf({ browser, orgId, code }: FirstKey) {
  return { cookieValue: browser.cookieValue, orgId, code, isConfirmed: false };
}
