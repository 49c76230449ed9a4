import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { CodeDecision } from '../../page/second-factor.page.js';
import { FactorCheck } from '../../session/proof/factor-check.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import { FactorMail } from '../factor-mail.js';
import { codePage, shortened } from '../factor-visit.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** The first code by mail proves that the user reads the mailbox. */
@Injectable()
export class SetUpEmailCodeStep implements LoginStep<'code'> {
  readonly step = 'set-up-email-code';
  readonly path = paths.emailCodeSetUp;
  readonly reach = 'due';

  constructor(
    private readonly changes: SignInChanges,
    private readonly codes: EmailCodes,
    private readonly check: FactorCheck,
    private readonly mail: FactorMail,
  ) {}

  async page(visit: Visit, retry?: Retry<'code'>): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    return {
      page: 'secondFactor',
      ...codePage(visit, session, 'otp_email'),
      form: visit.formTo(this.path),
      mail: {
        address: shortened(await this.codes.addressOf(session)),
        isSent: await this.codes.isOnItsWay(session, session.id),
      },
      others: [],
      isSetUp: true,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'code'>> {
    const { session } = visit;
    if (!session) return taken;
    switch (form.find('decision') as CodeDecision | undefined) {
      case 'back':
        await this.changes.abandonFactor(session);
        return taken;
      case 'send':
        return (await this.mail.send(visit, session)) ? taken : again({ reason: 'tooManyMails' });
      case undefined:
        return this.confirm(visit, session, form.find('code'));
    }
  }

  private async confirm(
    visit: Visit,
    session: NonNullable<Visit['session']>,
    code: string | undefined,
  ): Promise<StepOutcome<'code'>> {
    if (code === undefined) return again({ field: 'code', reason: 'codeMissing' });
    const isRight = await this.check.confirm(visit, session, 'otp_email', async () => {
      const tried = await this.codes.tryCode(session, session.id, code);
      return tried && ((tx) => this.codes.spend(tx, tried));
    });
    return isRight ? taken : again({ field: 'code', reason: 'codeWrong' });
  }
}
