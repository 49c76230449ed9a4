import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { ExpiryDecision } from '../../page/password-expiry.page.js';
import type { LoginPage } from '../../page/render.js';
import { withExpiryAcknowledged } from '../../session/auth-request/auth-request.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import type { Visit } from '../visit.js';

/** Warns users who have just used a password that expires soon. */
@Injectable()
export class PasswordExpiryStep implements LoginStep<never> {
  readonly step = 'password-expiry';
  readonly path = paths.passwordExpiry;
  readonly reach = 'due';

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { passwordExpiresAt } = visit.request;
    if (!passwordExpiresAt) return undefined;
    return {
      page: 'passwordExpiry',
      form: visit.formTo(this.path),
      expiresAt: passwordExpiresAt,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const decision = form.find('decision') as ExpiryDecision | undefined;
    if (decision !== 'later' && decision !== 'change') return again({ reason: 'formStale' });
    return learned(withExpiryAcknowledged(visit.request, decision === 'change'));
  }
}
