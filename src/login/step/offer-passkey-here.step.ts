import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { PasskeyHereChoice } from '../../page/passkey-here.page.js';
import type { LoginPage } from '../../page/render.js';
import { withoutPasskeyHere, withWantedKey } from '../../session/auth-request/auth-request.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import { PasskeyHereCookie } from '../passkey-here-cookie.js';
import type { Visit } from '../visit.js';

/** Offers a passkey for this device to a user who has signed in with that of another one. */
@Injectable()
export class OfferPasskeyHereStep implements LoginStep<never> {
  readonly step = 'offer-passkey-here';
  readonly path = paths.passkeyHere;
  readonly reach = 'due';

  constructor(private readonly cookie: PasskeyHereCookie) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    return {
      page: 'passkeyHere',
      form: visit.formTo(this.path),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session, request } = visit;
    if (!session) return taken;
    switch (form.find('decision') as PasskeyHereChoice | undefined) {
      case 'add':
        return learned(withWantedKey(request, 'passkey'));
      case 'skip':
        return this.decline(visit, this.cookie.toSetCookie(session.factor.offerPauseSeconds));
      case 'never':
        return this.decline(visit, this.cookie.toSetCookie());
      default:
        return again({ reason: 'formStale' });
    }
  }

  private decline({ request }: Visit, setCookie: string): StepOutcome<never> {
    return { ...learned(withoutPasskeyHere(request)), setCookie };
  }
}
