import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { type CodeField, RESEND } from '../../page/code.page.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import { PASSKEY_INSTEAD } from '../../page/part/passkey-instead.js';
import type { LoginPage } from '../../page/render.js';
import { withLoginName, withPasskeyOffer, withUser } from '../../session/auth-request/auth-request.js';
import { turnOf } from '../../session/proof/limits.js';
import { SessionService } from '../../session/session.service.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import type { CheckedCode } from '../../user/user-codes.js';
import { loginNameOf } from '../../user/user-name.js';
import { FirstKeys } from '../first-keys.js';
import type { Retry } from '../login-step.js';
import { MailedCodes } from '../mailed-codes.js';
import { MailedKeys } from '../mailed-keys.js';
import { newCookieOf } from '../new-cookie.js';
import { ParkedVisits } from '../parked-visits.js';
import { ownWords, passwordError } from './chosen-password.js';
import { type CodeJourney, isCodeLinked, type JourneyOutcome, once, WRONG_CODE, wantsNewCode } from './code-journey.js';
import { CodeOwners, missingIn, missingName } from './code-owners.js';
import type { Guest } from './guest.js';

/** First use of an account that another user created: a code from an e-mail, and a password or a passkey. */
@Injectable()
export class SetUpJourney implements CodeJourney {
  readonly path = paths.userInit;

  constructor(
    private readonly owners: CodeOwners,
    private readonly codes: AccountCodes,
    private readonly parked: ParkedVisits,
    private readonly mailed: MailedCodes,
    private readonly policies: PolicyService,
    private readonly passwordPolicies: PasswordPolicyService,
    private readonly hashes: PasswordHash,
    private readonly sessions: SessionService,
    private readonly keys: MailedKeys,
    private readonly firstKeys: FirstKeys,
    private readonly changes: SignInChanges,
    private readonly log: Logger,
  ) {}

  async page(guest: Guest, retry?: Retry<CodeField>): Promise<LoginPage> {
    const { link } = guest;
    const asksPassword = this.asksPassword(guest, retry);
    return {
      page: 'code',
      purpose: 'setUp',
      form: guest.formTo(this.path),
      canResend: true,
      loginName: link.loginName,
      asksName: link.asksName,
      code: retry ? retry.form.find('code') : link.code,
      isCodeLinked: isCodeLinked(guest, retry),
      rules: asksPassword ? await this.passwordPolicies.of(guest.orgId) : undefined,
      mayUsePasskey: asksPassword && (await this.keys.arePossible(guest.orgId)),
      asked: wantsNewCode(retry) ? 'again' : undefined,
      errors: retry?.errors,
    };
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const owner = await this.owners.find(guest);
    if (form.find('action') === RESEND) return this.resend(guest, owner);
    const missing = missingIn(guest, form);
    if (missing.length > 0) return once(...missing);
    if (form.hasField(PASSKEY_INSTEAD) || form.hasField(CREDENTIAL)) return this.takePasskey(guest, owner, form);
    const isChoosing = this.asksPassword(guest) || form.hasField('password');
    const problem = isChoosing
      ? passwordError(form, await this.passwordPolicies.of(guest.orgId), ownWords(guest))
      : undefined;
    if (problem) return once(problem);
    const code = await this.check(guest, owner, form);
    if (!owner || !code) return this.refuse(guest, owner);
    // The code was right, so this is the user: from here on, answers may depend on the account.
    if (!isChoosing && !owner.hasPassword) return once({ field: 'password', reason: 'newPasswordMissing' });
    const broken = isChoosing
      ? passwordError(form, await this.passwordPolicies.of(owner.orgId), ownWords(guest, owner))
      : undefined;
    if (broken) return once(broken);
    const password = isChoosing ? form.find('password') : undefined;
    const passwordHash =
      password === undefined
        ? undefined
        : await this.hashes.hash(new Secret(password), turnOf(guest.address, owner.userId));
    if (!(await this.changes.setUp(code, passwordHash))) return this.refuse(guest, owner);
    return this.goOn(guest, owner, passwordHash !== undefined);
  }

  private async check(guest: Guest, owner: CodeOwner | undefined, form: Form): Promise<CheckedCode | undefined> {
    return this.mailed.check(guest.address, async () =>
      owner?.state === 'initial' ? this.codes.check(owner.userId, 'init', form.find('code') ?? '') : undefined,
    );
  }

  /** A passkey instead of a password: the browser makes one, and the user is signed in with it. */
  private async takePasskey(guest: Guest, owner: CodeOwner | undefined, form: Form): Promise<JourneyOutcome> {
    const code = await this.check(guest, owner, form);
    if (!owner || !code) return this.refuse(guest, owner);
    // An import may have brought a second factor, which a key of the mailbox must not replace (PKY-021).
    if (!(await this.keys.arePossible(owner.orgId)) || (await this.keys.needsConfirmation(owner.userId)))
      return once({ field: 'password', reason: 'newPasswordMissing' });
    const { visit, browser, address, setting, link } = guest;
    const { userId, orgId } = owner;
    const loginName = loginNameOf(owner);
    const target = guest.formTo(this.path, { ...link, asksName: false });
    const formWithCode = { ...target, fields: { ...target.fields, code: form.find('code') ?? '' } };
    const outcome = await this.firstKeys.take(
      { userId, orgId, loginName, code, browser, address, brand: setting.brand, form: formWithCode },
      form.hasField(CREDENTIAL) ? (form.find(CREDENTIAL) ?? '') : undefined,
      (tx) => this.codes.setUp(tx, code, undefined, { getsPasskey: true }),
    );
    switch (outcome.kind) {
      case 'page':
        return outcome;
      case 'refused':
        return this.refuse(guest, owner);
      case 'signed-in': {
        const request = visit && withUser(visit.request, userId, loginName);
        return { kind: 'done', what: 'setUpDone', request, cookieValue: outcome.cookieValue };
      }
    }
  }

  /** A user who has just chosen a password is signed in with it; a user who had one types it. */
  private async goOn({ visit, browser }: Guest, owner: CodeOwner, hasChosen: boolean): Promise<JourneyOutcome> {
    const loginName = loginNameOf(owner);
    const { allowUsernamePassword } = await this.policies.effective('login', owner.orgId);
    if (!hasChosen || !allowUsernamePassword) {
      return { kind: 'done', what: 'setUpDone', request: visit && withLoginName(visit.request, loginName) };
    }
    const { userId, orgId } = owner;
    const cookieValue = newCookieOf(await this.sessions.signIn(browser, { kind: 'mailed_code', userId, orgId }));
    const request = visit && withPasskeyOffer(withUser(visit.request, userId, loginName));
    return { kind: 'done', what: 'setUpDone', request, cookieValue };
  }

  private async resend(guest: Guest, owner: CodeOwner | undefined): Promise<JourneyOutcome> {
    const unnamed = missingName(guest.link);
    if (unnamed.length > 0) return once(...unnamed);
    await this.mailed.send(
      guest.address,
      owner && (async () => this.codes.resendInit(owner, await this.parked.of(guest.visit))),
    );
    return once();
  }

  private refuse({ address }: Guest, owner: CodeOwner | undefined): JourneyOutcome {
    this.log.warn({ reason: 'code.init_wrong', userId: owner?.userId, address }, 'code refused');
    return WRONG_CODE;
  }

  /** The link says whether the page asks for a password; a form that comes back keeps the fields that it had. */
  private asksPassword({ link }: Guest, retry?: Retry<CodeField>): boolean {
    return (
      !link.isPasswordSet ||
      retry?.form.hasField('password') === true ||
      retry?.errors.some(({ field }) => field === 'password') === true
    );
  }
}
