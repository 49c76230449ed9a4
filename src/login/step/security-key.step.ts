import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import type { LoginPage } from '../../page/render.js';
import { othersThan, sessionToProve } from '../factor-visit.js';
import { KeyCheck } from '../key-check.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import { PasskeyForms } from '../passkey-forms.js';
import type { Visit } from '../visit.js';

/** A security key, or a passkey in its place, as the second factor. */
@Injectable()
export class SecurityKeyStep implements LoginStep<never> {
  readonly step = 'security-key';
  readonly path = paths.securityKey;
  readonly reach = 'link';

  constructor(
    private readonly check: KeyCheck,
    private readonly forms: PasskeyForms,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const session = sessionToProve(visit, 'u2f');
    if (!session) return undefined;
    return {
      page: 'securityKey',
      passkey: await this.forms.secondFactor(visit, session),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      others: othersThan(visit, session, 'u2f'),
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const session = sessionToProve(visit, 'u2f');
    if (!session) return taken;
    const refusal = await this.check.check(visit, session, form.find(CREDENTIAL) ?? '');
    return refusal === undefined ? taken : again({ reason: refusal });
  }
}
