import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { type CodeField, RESEND } from '../../page/code.page.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import type { LoginPage } from '../../page/render.js';
import { withUser } from '../../session/auth-request/auth-request.js';
import { AccountCodes } from '../../user/account-codes.js';
import { EmailProof } from '../email-proof.js';
import { type FirstKey, FirstKeys } from '../first-keys.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import { MailedCodes } from '../mailed-codes.js';
import { ParkedVisits } from '../parked-visits.js';
import type { Visit } from '../visit.js';

/** `userId` is absent for a registration that leads nowhere, and for one that was replaced by another. */
interface Owner {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly isRegistration: boolean;
}

interface Newcomer extends Pick<FirstKey, 'userId' | 'orgId' | 'loginName' | 'code'> {
  readonly typed: string;
}

const wrongCode = again<CodeField>({ field: 'code', reason: 'codeWrong' });

/** The code of a mail to a user who has registered or signed in with an unverified address. */
@Injectable()
export class VerifyEmailStep implements LoginStep<CodeField> {
  readonly step = 'verify-email';
  readonly path = paths.emailCheck;
  readonly reach = 'due';

  constructor(
    private readonly proof: EmailProof,
    private readonly codes: AccountCodes,
    private readonly parked: ParkedVisits,
    private readonly mailed: MailedCodes,
    private readonly firstKeys: FirstKeys,
  ) {}

  async page(visit: Visit, retry?: Retry<CodeField>): Promise<LoginPage> {
    const { session } = visit;
    const owner = await this.ownerOf(visit);
    // A user who signs in may never have been sent a code: an administrator may have entered the address long ago.
    if (session && !retry) await this.codes.ensureEmailCode(session, await this.parked.of(visit));
    return {
      page: 'code',
      purpose: 'verifyEmail',
      form: visit.formTo(this.path),
      email: owner.email,
      canResend: true,
      asked: retry?.form.find('action') === RESEND ? 'again' : undefined,
      signInHref: paths.loginName,
      registerHref: owner.isRegistration ? paths.register : undefined,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<CodeField>> {
    const owner = await this.ownerOf(visit);
    const { userId, orgId, email } = owner;
    if (form.find('action') === RESEND) {
      await this.mailed.send(
        visit.address,
        userId === undefined || orgId === undefined
          ? undefined
          : async () => this.codes.resendEmailCode({ userId, orgId }, await this.parked.of(visit)),
      );
      return again();
    }
    const typed = form.find('code');
    if (typed === undefined) return again({ field: 'code', reason: 'codeMissing' });
    const code = await this.proof.check(userId, typed, visit.address);
    if (!code) return wrongCode;
    if (owner.isRegistration && orgId !== undefined && (await this.proof.needsKey(code.userId)))
      return this.takeKey(visit, form, { userId: code.userId, orgId, loginName: email ?? '', code, typed });
    if (!(await this.proof.take(code, visit.address))) return wrongCode;
    if (!owner.isRegistration || userId === undefined || orgId === undefined || email === undefined) return taken;
    return { kind: 'taken', ...(await this.proof.finishRegistration(visit, { userId, orgId, email })) };
  }

  /** The user has registered without a password: the browser makes a passkey, with which the account begins. */
  private async takeKey(visit: Visit, form: Form, newcomer: Newcomer): Promise<StepOutcome<CodeField>> {
    const { typed, ...rest } = newcomer;
    const target = visit.formTo(this.path);
    const first = {
      ...rest,
      browser: visit.sentBrowser,
      address: visit.address,
      brand: visit.setting.brand,
      form: { ...target, fields: { ...target.fields, code: typed } },
    };
    const answer = form.hasField(CREDENTIAL) ? (form.find(CREDENTIAL) ?? '') : undefined;
    const outcome = await this.firstKeys.take(first, answer, (tx) => this.proof.takeWithin(tx, newcomer.code));
    switch (outcome.kind) {
      case 'page':
        return outcome;
      case 'refused':
        return wrongCode;
      case 'signed-in': {
        const request = withUser(visit.request, newcomer.userId, newcomer.loginName);
        return { kind: 'taken', request, cookieValue: outcome.cookieValue };
      }
    }
  }

  private async ownerOf(visit: Visit): Promise<Owner> {
    const { session } = visit;
    if (session) return { email: session.email, userId: session.userId, orgId: session.orgId, isRegistration: false };
    return { ...(await this.proof.findRegistration(visit)), isRegistration: true };
  }
}
