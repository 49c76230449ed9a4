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
import { once, wantsNewCode, type CodeJourney, type JourneyOutcome } from './code-journey.js';
import { CodeOwners, missingIn, missingName } from './code-owners.js';
import type { Guest } from './guest.js';
import { unhurried } from './unhurried.js';

/** The link of the mail that proves an e-mail address. */
@Injectable()
export class VerifyEmailJourney implements CodeJourney {
  readonly path = paths.mailVerification;

  constructor(
    private readonly owners: CodeOwners,
    private readonly proof: EmailProof,
    private readonly codes: AccountCodes,
    private readonly attempts: AttemptService,
  ) {}

  async page(guest: Guest, retry?: Retry<CodeField>): Promise<LoginPage> {
    return {
      page: 'code', purpose: 'verifyEmail', form: guest.formTo(this.path), canResend: true,
      loginName: guest.link.asksName ? guest.link.loginName : undefined, asksName: guest.link.asksName,
      code: retry ? retry.form.find('code') : guest.link.code,
      asked: wantsNewCode(retry) ? 'again' : undefined,
      signInHref: guest.signInHref,
      errors: retry?.errors,
    };
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const { link, visit } = guest;
    const owner = await this.owners.find(guest);
    if (form.find('action') === RESEND) {
      const unnamed = missingName(link);
      if (unnamed.length > 0) return once(...unnamed);
      await this.attempts.count([mailLimit(guest.address)]);
      await unhurried(owner ? this.codes.resendEmailCode(owner, guest.mailDetails) : Promise.resolve());
      return once();
    }
    const missing = missingIn(guest, form);
    if (missing.length > 0) return once(...missing);
    const registration = visit && (await this.proof.findRegistration(visit));
    if (!(await this.proof.prove(owner?.userId, form.find('code') ?? '', guest.address))) return once({ field: 'code', reason: 'codeWrong' });
    // In the browser that registered: the password was typed there, and the sign-in goes on.
    if (!owner || !visit || registration?.userId !== owner.userId) return { kind: 'done', what: 'emailVerified' };
    const { userId, orgId } = owner;
    return { kind: 'done', what: 'emailVerified', cookieValue: await this.proof.finishRegistration(visit, { userId, orgId, email: registration.email }) };
  }
}
