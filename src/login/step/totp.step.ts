import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { FactorCheck } from '../../session/proof/factor-check.js';
import { codePage, sessionToProve } from '../factor-visit.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** A code from the user's authenticator app (RFC 6238). */
@Injectable()
export class TotpStep implements LoginStep<'code'> {
  readonly step = 'totp';
  readonly path = paths.totp;
  readonly reach = 'link';

  constructor(private readonly check: FactorCheck) {}

  async page(visit: Visit, retry?: Retry<'code'>): Promise<LoginPage | undefined> {
    const session = sessionToProve(visit, 'otp');
    return session && { page: 'secondFactor', ...codePage(visit, session, 'otp'), errors: retry?.errors };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'code'>> {
    const session = sessionToProve(visit, 'otp');
    if (!session) return taken;
    const code = form.find('code');
    if (code === undefined) return again({ field: 'code', reason: 'codeMissing' });
    return (await this.check.check(visit, session, 'otp', code))
      ? taken
      : again({ field: 'code', reason: 'codeWrong' });
  }
}
