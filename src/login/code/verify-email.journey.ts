import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../attempt/attempt.service.js';
import type { Form } from '../../http/form.js';
import { RESEND, type CodeField } from '../../page/code.page.js';
import { paths } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import { AccountCodes } from '../../user/account-codes.service.js';
import { EmailProof } from '../email-proof.js';
import { mailLimit } from '../limits.js';
import type { Retry } from '../step/login-step.js';
import { once, type CodeJourney, type JourneyOutcome } from './code-journey.js';
import type { Guest } from './guest.js';

/** The link of the mail that proves an e-mail address. */
@Injectable()
export class VerifyEmailJourney implements CodeJourney {
  readonly path = paths.mailVerification;

  constructor(
    private readonly proof: EmailProof,
    private readonly codes: AccountCodes,
    private readonly attempts: AttemptService,
  ) {}

  async page(guest: Guest, retry?: Retry<CodeField>): Promise<LoginPage> {
    return {
      page: 'code', purpose: 'verifyEmail', form: guest.formTo(this.path), canResend: true,
      code: retry ? retry.form.find('code') : guest.link.code,
      asked: retry?.form.find('action') === RESEND ? 'again' : undefined,
      signInHref: guest.signInHref,
      errors: retry?.errors,
    };
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const { link, visit } = guest;
    const owner = link.userId === '' ? undefined : await this.codes.findOwner(link.userId, link.orgId);
    if (form.find('action') === RESEND) {
      await this.attempts.count([mailLimit(guest.address)]);
      if (owner) await this.codes.resendEmailCode(owner, guest.mailDetails);
      return once();
    }
    const typed = form.find('code');
    if (typed === undefined) return once({ field: 'code', reason: 'codeMissing' });
    const registration = visit && (await this.proof.findRegistration(visit));
    if (!(await this.proof.prove(owner?.userId, typed, guest.address))) return once({ field: 'code', reason: 'codeWrong' });
    // In the browser that registered: the password was typed there, and the sign-in goes on.
    if (!owner || !visit || registration?.userId !== owner.userId) return { kind: 'done', what: 'emailVerified' };
    const { userId, orgId } = owner;
    return { kind: 'done', what: 'emailVerified', cookieValue: await this.proof.finishRegistration(visit, { userId, orgId, email: registration.email }) };
  }
}
