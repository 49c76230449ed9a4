import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { type CodeField, type CodeProps, RESEND } from '../../page/code.page.js';
import type { FormError } from '../../page/part/form-error.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import type { LoginPage } from '../../page/render.js';
import { withUser } from '../../session/auth-request/auth-request.js';
import { PasswordCheck } from '../../session/proof/password-check.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { Registrations } from '../../user/registrations.js';
import type { CheckedCode } from '../../user/user-codes.js';
import { loginNameOf } from '../../user/user-name.js';
import { EmailProof } from '../email-proof.js';
import { FirstKeys } from '../first-keys.js';
import type { Retry } from '../login-step.js';
import { MailedCodes } from '../mailed-codes.js';
import { ParkedVisits } from '../parked-visits.js';
import { type CodeJourney, type JourneyOutcome, once, WRONG_CODE, wantsNewCode } from './code-journey.js';
import { type CodeLink, resetHref } from './code-link.js';
import { CodeOwners, missingIn, missingName } from './code-owners.js';
import type { Guest } from './guest.js';
import { PasswordResetRequests } from './password-reset-requests.js';

/** The link that verifies an e-mail address. */
@Injectable()
export class VerifyEmailJourney implements CodeJourney {
  readonly path = paths.mailVerification;

  constructor(
    private readonly owners: CodeOwners,
    private readonly proof: EmailProof,
    private readonly codes: AccountCodes,
    private readonly parked: ParkedVisits,
    private readonly mailed: MailedCodes,
    private readonly passwords: PasswordCheck,
    private readonly registrations: Registrations,
    private readonly resets: PasswordResetRequests,
    private readonly firstKeys: FirstKeys,
  ) {}

  async page(guest: Guest, retry?: Retry<CodeField>): Promise<LoginPage> {
    return this.pageFor(guest, guest.link, retry ? retry.form.find('code') : guest.link.code, {
      // A form that had the field keeps it.
      asksPassword: retry?.form.hasField('password') === true,
      asked: wantsNewCode(retry) ? 'again' : undefined,
      errors: retry?.errors,
    });
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const { link, visit } = guest;
    const owner = await this.owners.find(guest);
    if (form.find('action') === RESEND) {
      const unnamed = missingName(link);
      if (unnamed.length > 0) return once(...unnamed);
      await this.mailed.send(
        guest.address,
        owner && (async () => this.codes.resendEmailCode(owner, await this.parked.of(guest.visit))),
      );
      return once();
    }
    const missing = missingIn(guest, form);
    if (missing.length > 0) return once(...missing);
    const typed = form.find('code') ?? '';
    const code = await this.proof.check(owner?.userId, typed, guest.address);
    if (!owner || !code) return WRONG_CODE;
    const registration = visit && (await this.proof.findRegistration(visit));
    if (await this.proof.needsKey(owner.userId)) return this.takeKey(guest, owner, { code, typed, form });
    const isOfHere = registration?.userId === owner.userId;
    if (!isOfHere && visit?.session?.userId !== owner.userId && (await this.registrations.isUnproven(owner.userId))) {
      const refusal = await this.checkPassword(guest, owner, form, typed);
      if (refusal) return refusal;
    }
    if (!(await this.proof.take(code, guest.address))) return WRONG_CODE;
    // The sign-in continues only in the browser of the registration, where the password was typed.
    if (!visit || !isOfHere) return { kind: 'done', what: 'emailVerified' };
    const { userId, orgId } = owner;
    return {
      kind: 'done',
      what: 'emailVerified',
      ...(await this.proof.finishRegistration(visit, { userId, orgId, email: registration.email })),
    };
  }

  /** The user has registered without a password: the browser makes a passkey, and the user is signed in with it. */
  private async takeKey(
    guest: Guest,
    owner: CodeOwner,
    { code, typed, form }: { readonly code: CheckedCode; readonly typed: string; readonly form: Form },
  ): Promise<JourneyOutcome> {
    const { visit, browser, address, setting, link } = guest;
    const { userId, orgId } = owner;
    const loginName = loginNameOf(owner);
    const target = guest.formTo(this.path, { ...link, asksName: false });
    const formWithCode = { ...target, fields: { ...target.fields, code: typed } };
    const outcome = await this.firstKeys.take(
      { userId, orgId, loginName, code, browser, address, brand: setting.brand, form: formWithCode },
      form.hasField(CREDENTIAL) ? (form.find(CREDENTIAL) ?? '') : undefined,
      (tx) => this.proof.takeWithin(tx, code),
    );
    switch (outcome.kind) {
      case 'page':
        return outcome;
      case 'refused':
        return WRONG_CODE;
      case 'signed-in': {
        const request = visit && withUser(visit.request, userId, loginName);
        return { kind: 'done', what: 'emailVerified', request, cookieValue: outcome.cookieValue };
      }
    }
  }

  /**
   * Somebody may register with another person's address, whose owner reads the mail; so the password must show that the
   * visitor is the one who registered. It is requested only after the code was right, so that no page reveals whose
   * address it is. Returns the reason for a refusal, if any.
   */
  private async checkPassword(
    guest: Guest,
    owner: CodeOwner,
    form: Form,
    code: string,
  ): Promise<JourneyOutcome | undefined> {
    const password = form.find('password');
    const loginName = loginNameOf(owner);
    const account =
      password === undefined || password === ''
        ? undefined
        : await this.passwords.check({
            loginName,
            password: new Secret(password),
            orgId: owner.orgId,
            address: guest.address,
          });
    if (account?.userId === owner.userId) return undefined;
    const errors: FormError<CodeField>[] = !form.hasField('password')
      ? []
      : [
          {
            field: 'password',
            reason: password === undefined || password === '' ? 'passwordMissing' : 'oldPasswordWrong',
          },
        ];
    const link = guest.link.asksName ? guest.link : { ...guest.link, loginName };
    return {
      kind: 'page',
      page: await this.pageFor(guest, link, code, { asksPassword: true, errors }),
      status: errors.length > 0 ? 400 : 200,
    };
  }

  private async pageFor(
    guest: Guest,
    link: CodeLink,
    code: string | undefined,
    props: Pick<CodeProps, 'asksPassword' | 'asked' | 'errors'>,
  ): Promise<LoginPage> {
    const mayReset = props.asksPassword === true && (await this.resets.wayBackIn(guest.orgId)) === 'password';
    return {
      page: 'code',
      purpose: 'verifyEmail',
      form: guest.formTo(this.path, link),
      canResend: true,
      loginName: link.asksName || props.asksPassword === true ? link.loginName : undefined,
      asksName: link.asksName,
      code,
      resetHref: mayReset ? resetHref(link) : undefined,
      signInHref: guest.signInHref,
      ...props,
    };
  }
}
