import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/config/secret.js';
import type { Form } from '../foundation/http/form.js';
import { CREDENTIAL } from '../page/part/key-form.js';
import { type AuthRequest, withUser } from '../session/auth-request/auth-request.js';
import type { BrowserSession } from '../session/browser-session.js';
import { PasswordCheck } from '../session/proof/password-check.js';
import { SessionService } from '../session/session.service.js';
import { browserUnknown } from './login.errors.js';
import { PasskeyCheck } from './passkey-check.js';
import type { Visit } from './visit.js';

/**
 * A form that has signed a user in and is sent again, by a double click or because the answer was lost. The browser may
 * have missed its new cookie, so it gets the cookie again for the same proof: an attacker who planted the old value
 * before the sign-in knows that value and the form, but not the password (LOG-004).
 */
@Injectable()
export class RepeatedSignIn {
  constructor(
    private readonly passwords: PasswordCheck,
    private readonly passkeys: PasskeyCheck,
    private readonly sessions: SessionService,
  ) {}

  /**
   * @throws DomainError NotFound `login.browser_unknown` if the form does not have the password of the user who has
   * just signed in; ResourceExhausted `attempt.too_many`
   */
  async signIn(visit: Visit, form: Form): Promise<{ readonly request: AuthRequest; readonly cookieValue: string }> {
    const credential = form.find(CREDENTIAL);
    if (credential !== undefined) return this.byPasskey(visit, credential);
    const [latest] = [...visit.browser.sessions].sort((a, b) => proofMs(b) - proofMs(a));
    const typed = form.find('password');
    if (!latest || typed === undefined) throw browserUnknown();
    const { request } = visit;
    // The name that the form is about: two users may have the same password.
    const loginName = form.find('loginName') ?? request.loginName ?? latest.loginName;
    const account = await this.passwords.check({
      loginName,
      password: new Secret(typed),
      orgId: request.requiredOrgId,
      address: visit.address,
    });
    const isLatest = account?.userId === latest.userId;
    const begun = isLatest ? await this.sessions.findRepeated(visit.sentBrowser, account) : undefined;
    if (!begun) throw browserUnknown();
    return { request: withUser(request, latest.userId, loginName), cookieValue: begun.cookieValue };
  }

  /** The answer of a passkey proves as much as a password; the row of its challenge says for which cookie value. */
  private async byPasskey(
    visit: Visit,
    credential: string,
  ): Promise<{ readonly request: AuthRequest; readonly cookieValue: string }> {
    const proved = await this.passkeys.prove(visit, credential);
    const begun =
      proved.kind === 'proved' ? await this.sessions.findRepeatedPasskey(visit.sentBrowser, proved.proof) : undefined;
    if (!begun || proved.kind === 'refused') throw browserUnknown();
    this.passkeys.giveBack(proved);
    return { request: this.passkeys.requestOf(visit, proved), cookieValue: begun.cookieValue };
  }
}

function proofMs(session: BrowserSession): number {
  return session.authTime?.getTime() ?? 0;
}
