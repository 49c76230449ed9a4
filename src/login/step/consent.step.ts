import { Injectable } from '@nestjs/common';
import { withConsent } from '../../auth-request/auth-request.js';
import type { Form } from '../../foundation/http/form.js';
import type { ConsentDecision } from '../../foundation/page/consent.page.js';
import { paths } from '../../foundation/page/paths.js';
import type { LoginPage } from '../../foundation/page/render.js';
import type { Visit } from '../visit.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from './login-step.js';

/** OIDC Core §3.1.2.4, for applications that require it: shows who asks for what, and asks for consent. */
@Injectable()
export class ConsentStep implements LoginStep<never> {
  readonly step = 'consent';
  readonly path = paths.consent;
  readonly reach = 'due';

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    if (!visit.session) return undefined;
    const { displayName, loginName } = visit.session;
    return {
      page: 'consent',
      form: visit.formTo(this.path),
      clientName: visit.clientName,
      scopes: visit.request.scopes,
      person: { displayName, loginName },
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const decision = form.find('decision') as ConsentDecision | undefined;
    if (decision === 'cancel') return { kind: 'declined' };
    if (decision !== 'continue' || !visit.session) return again({ reason: 'formStale' });
    return learned(withConsent(visit.request, visit.session.userId));
  }
}
