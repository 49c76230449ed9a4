import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { FactorChoice } from '../../page/factor-offer.page.js';
import type { LoginPage } from '../../page/render.js';
import { withWantedKey } from '../../session/auth-request/auth-request.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { FactorMail } from '../factor-mail.js';
import { isRequired } from '../factor-visit.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** Which second factor to set up, and whether to set one up at all, if that is the user's choice. */
@Injectable()
export class OfferFactorStep implements LoginStep<never> {
  readonly step = 'offer-factor';
  readonly path = paths.factorOffer;
  readonly reach = 'due';

  constructor(
    private readonly changes: SignInChanges,
    private readonly mail: FactorMail,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    const choices = choicesOf(session);
    if (choices.length === 0) return { page: 'error', reason: 'secondFactorUnavailable', backHref: paths.loginName };
    return {
      page: 'factorOffer',
      form: visit.formTo(this.path),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      choices,
      isRequired: isRequired(visit, session),
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session } = visit;
    if (!session) return taken;
    const choice = form.find('factor') as FactorChoice | undefined;
    if (choice === 'skip' && !isRequired(visit, session)) {
      await this.changes.skipFactor(session);
      return taken;
    }
    switch (choicesOf(session).find((kind) => kind === choice)) {
      case 'passkey':
      case 'u2f':
        return learned(withWantedKey(visit.request, choice === 'u2f' ? 'u2f' : 'passkey'));
      case 'otp':
        await this.changes.beginApp(session);
        return taken;
      case 'otp_email': {
        const isSent = await this.mail.send(visit, session, { begins: true });
        return isSent ? taken : again({ reason: 'tooManyMails' });
      }
      case undefined:
        return again({ reason: 'formStale' });
    }
  }
}

/** A passkey first, where it counts as both factors. */
function choicesOf({ factor }: BrowserSession): Array<Exclude<FactorChoice, 'skip'>> {
  return factor.canAddPasskey && factor.isPasskeyEnough ? ['passkey', ...factor.available] : factor.available;
}
