import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { withWantedKey } from '../../session/auth-request/auth-request.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** Offers a first passkey; the user may decline for a while. */
@Injectable()
export class OfferPasskeyStep implements LoginStep<never> {
  readonly step = 'offer-passkey';
  readonly path = paths.passkeyOffer;
  readonly reach = 'due';

  constructor(private readonly changes: SignInChanges) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    return {
      page: 'passkeyOffer',
      form: visit.formTo(this.path),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session } = visit;
    if (!session) return taken;
    switch (form.find('factor')) {
      case 'passkey':
        return learned(withWantedKey(visit.request, 'passkey'));
      case 'skip':
        await this.changes.skipFactor(session);
        return taken;
      default:
        return again({ reason: 'formStale' });
    }
  }
}
