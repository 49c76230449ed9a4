import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { CodeDecision } from '../../page/second-factor.page.js';
import { FactorCheck } from '../../session/proof/factor-check.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import { FactorMail } from '../factor-mail.js';
import { codePage, sessionToProve, shortened } from '../factor-visit.js';
import { again, type LoginStep, type Retry, type StepOutcome, shown, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** A code by mail, sent on request: opening the page sends nothing. */
@Injectable()
export class EmailCodeStep implements LoginStep<'code'> {
  readonly step = 'email-code';
  readonly path = paths.emailCode;
  readonly reach = 'link';

  constructor(
    private readonly codes: EmailCodes,
    private readonly check: FactorCheck,
    private readonly mail: FactorMail,
  ) {}

  async page(visit: Visit, retry?: Retry<'code'>): Promise<LoginPage | undefined> {
    const session = sessionToProve(visit, 'otp_email');
    if (!session) return undefined;
    const mail = {
      address: shortened(await this.codes.addressOf(session)),
      isSent: await this.codes.isOnItsWay(session, session.id),
    };
    return { page: 'secondFactor', ...codePage(visit, session, 'otp_email'), mail, errors: retry?.errors };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'code'>> {
    const session = sessionToProve(visit, 'otp_email');
    if (!session) return taken;
    if (form.find('decision') === ('send' satisfies CodeDecision)) {
      return (await this.mail.send(visit, session)) ? shown : again({ reason: 'tooManyMails' });
    }
    const code = form.find('code');
    if (code === undefined) return again({ field: 'code', reason: 'codeMissing' });
    return (await this.check.check(visit, session, 'otp_email', code))
      ? taken
      : again({ field: 'code', reason: 'codeWrong' });
  }
}
