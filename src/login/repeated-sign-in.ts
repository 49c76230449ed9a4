import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/crypto/secret.js';
import type { Form } from '../foundation/http/form.js';
import type { BrowserSession } from '../session/browser-session.js';
import { SessionService } from '../session/session.service.js';
import { PasswordCheck } from './password-check.js';
import { type StepOutcome, taken } from './step/login-step.js';
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
    private readonly sessions: SessionService,
  ) {}

  /** Repeats the sign-in if the form has the user's password; otherwise there is nothing to do. */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const [latest] = [...visit.browser.sessions].sort((a, b) => proofMs(b) - proofMs(a));
    const typed = form.find('password');
    if (!latest || typed === undefined) return taken;
    const { loginName, orgId, userId } = latest;
    const account = await this.passwords.check({
      loginName,
      password: new Secret(typed),
      orgId,
      address: visit.address,
    });
    if (account?.userId !== userId) return taken;
    const begun = await this.sessions.signInByPassword(visit.sentBrowser, account);
    return begun ? { kind: 'taken', cookieValue: begun.cookieValue } : taken;
  }
}

function proofMs(session: BrowserSession): number {
  return session.authTime?.getTime() ?? 0;
}
