import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { type OtherWay, OtherWays } from '../../management/user/other-ways.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { type CodeField, RESEND } from '../../page/code.page.js';
import type { LoginPage } from '../../page/render.js';
import {
  withLoginName,
  withPasskeyOffer,
  withPasswordChanged,
  withUser,
} from '../../session/auth-request/auth-request.js';
import { passwordLimits, turnOf } from '../../session/proof/limits.js';
import { SessionService } from '../../session/session.service.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import type { CheckedCode } from '../../user/user-codes.js';
import { loginNameOf } from '../../user/user-name.js';
import type { Retry } from '../login-step.js';
import { MailedCodes } from '../mailed-codes.js';
import { newCookieOf } from '../new-cookie.js';
import { ownWords, passwordError } from './chosen-password.js';
import { type CodeJourney, isCodeLinked, type JourneyOutcome, once, WRONG_CODE, wantsNewCode } from './code-journey.js';
import { CodeOwners, missingIn, missingName } from './code-owners.js';
import type { Guest } from './guest.js';
import { PasswordResetRequests } from './password-reset-requests.js';

/** Sets a new password for a user who forgot the old one, by the link of the mail or by typing its code. */
@Injectable()
export class NewPasswordJourney implements CodeJourney {
  readonly path = paths.passwordInit;

  constructor(
    private readonly resets: PasswordResetRequests,
    private readonly codes: AccountCodes,
    private readonly owners: CodeOwners,
    private readonly mailed: MailedCodes,
    private readonly attempts: AttemptService,
    private readonly policies: PasswordPolicyService,
    private readonly loginPolicies: PolicyService,
    private readonly hashes: PasswordHash,
    private readonly sessions: SessionService,
    private readonly otherWays: OtherWays,
    private readonly changes: SignInChanges,
    private readonly log: Logger,
  ) {}

  async page(guest: Guest, retry?: Retry<CodeField>): Promise<LoginPage> {
    return this.resets.codePage(guest, guest.link, {
      code: retry ? retry.form.find('code') : guest.link.code,
      isCodeLinked: isCodeLinked(guest, retry),
      asked: wantsNewCode(retry)
        ? 'again'
        : retry && guest.link.userId === '' && !guest.link.asksName
          ? 'before'
          : undefined,
      errors: retry?.errors,
    });
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const owner = await this.owners.find(guest);
    if (form.find('action') === RESEND) {
      const unnamed = missingName(guest.link);
      if (unnamed.length > 0) return once(...unnamed);
      await this.resets.send(guest, owner);
      return once();
    }
    const missing = missingIn(guest, form);
    if (missing.length > 0) return once(...missing);
    const problem = passwordError(form, await this.policies.of(guest.orgId), ownWords(guest));
    if (problem) return once(problem);
    const code = await this.mailed.check(
      guest.address,
      async () => owner && this.check(owner, form.find('code') ?? ''),
    );
    if (!owner || !code) return this.refuse(guest, owner);
    // The code was right, so this is the user: from here on, answers may depend on the account.
    const broken = passwordError(form, await this.policies.of(owner.orgId), ownWords(guest, owner));
    if (broken) return once(broken);
    const passwordHash = await this.hashes.hash(
      new Secret(form.find('password') ?? ''),
      turnOf(guest.address, owner.userId),
    );
    // A sign-in that goes on shows no page on which they could stand, so that a mail names them as well (PKY-028).
    const otherWays = await this.changes.resetPassword(code, passwordHash, (tx) =>
      this.otherWays.tell(tx, owner.userId),
    );
    return otherWays ? this.goOn(guest, owner, otherWays) : this.refuse(guest, owner);
  }

  /**
   * A sign-in that is pending in this browser continues: the user has just shown the mailbox and chosen the password,
   * and is asked for everything else, such as a second factor. Without one, the page says that the password is saved.
   */
  private async goOn(
    { visit, browser, address, link }: Guest,
    owner: CodeOwner,
    otherWays: readonly OtherWay[],
  ): Promise<JourneyOutcome> {
    // A name in a link that names the user by id proves nothing.
    const loginName = (link.userId === '' ? link.loginName : undefined) ?? loginNameOf(owner);
    // The owner is proven, so failed guesses by others must not keep them out (LOG-034).
    const limits = passwordLimits(loginName, owner.userId, address);
    await this.attempts.forgive([limits.name, limits.account], []);
    const { allowUsernamePassword } = await this.loginPolicies.effective('login', owner.orgId);
    if (!visit || !allowUsernamePassword)
      return {
        kind: 'done',
        what: 'passwordDone',
        otherWays,
        request: visit && withLoginName(visit.request, loginName),
      };
    const { userId, orgId } = owner;
    const cookieValue = newCookieOf(await this.sessions.signIn(browser, { kind: 'mailed_code', userId, orgId }));
    return {
      kind: 'done',
      what: 'passwordDone',
      request: withPasswordChanged(withPasskeyOffer(withUser(visit.request, userId, loginName))),
      cookieValue,
    };
  }

  /**
   * A user who has not set the account up was sent that code instead (`PersonService.sendWayBack`), and chooses a
   * password with it.
   */
  private async check({ userId, state }: CodeOwner, typed: string): Promise<CheckedCode | undefined> {
    if (state === 'initial') return this.codes.check(userId, 'init', typed);
    return state === 'active' ? this.codes.check(userId, 'password_reset', typed) : undefined;
  }

  private refuse({ address }: Guest, owner: CodeOwner | undefined): JourneyOutcome {
    this.log.warn({ reason: 'code.password_reset_wrong', userId: owner?.userId, address }, 'code refused');
    return WRONG_CODE;
  }
}
