import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Form } from '../../foundation/http/form.js';
import { type CodeField, RESEND } from '../../foundation/page/code.page.js';
import { paths } from '../../foundation/page/paths.js';
import type { LoginPage } from '../../foundation/page/render.js';
import { mailLimit } from '../../proof/limits.js';
import { AccountCodes } from '../../user/account-codes.js';
import { EmailProof } from '../email-proof.js';
import { ParkedVisits } from '../parked-visits.js';
import type { Visit } from '../visit.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from './login-step.js';

/** `userId` is absent for a registration that leads nowhere, and for one that was replaced by another. */
interface Owner {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly isRegistration: boolean;
}

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
    private readonly attempts: AttemptService,
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
      await this.attempts.count([mailLimit(visit.address)]);
      if (userId !== undefined && orgId !== undefined)
        await this.codes.resendEmailCode({ userId, orgId }, await this.parked.of(visit));
      return again();
    }
    const typed = form.find('code');
    if (typed === undefined) return again({ field: 'code', reason: 'codeMissing' });
    if (!(await this.proof.prove(userId, typed, visit.address))) return again({ field: 'code', reason: 'codeWrong' });
    if (!owner.isRegistration || userId === undefined || orgId === undefined || email === undefined) return taken;
    return { kind: 'taken', ...(await this.proof.finishRegistration(visit, { userId, orgId, email })) };
  }

  private async ownerOf(visit: Visit): Promise<Owner> {
    const { session } = visit;
    if (session) return { email: session.email, userId: session.userId, orgId: session.orgId, isRegistration: false };
    return { ...(await this.proof.findRegistration(visit)), isRegistration: true };
  }
}
