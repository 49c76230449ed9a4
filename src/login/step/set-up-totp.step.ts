import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { CodeDecision } from '../../page/second-factor.page.js';
import { FactorCheck, type Spending } from '../../session/proof/factor-check.js';
import { toKeyUri } from '../../user/factor/totp.js';
import { TotpService } from '../../user/factor/totp.service.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** The user adds the seed to an authenticator app; the first code proves that it works. */
@Injectable()
export class SetUpTotpStep implements LoginStep<'code'> {
  readonly step = 'set-up-totp';
  readonly path = paths.totpSetUp;
  readonly reach = 'due';

  constructor(
    private readonly changes: SignInChanges,
    private readonly totp: TotpService,
    private readonly check: FactorCheck,
  ) {}

  async page(visit: Visit, retry?: Retry<'code'>): Promise<LoginPage | undefined> {
    const { session } = visit;
    const seed = session && (await this.totp.findPendingSeed(session, session.id));
    if (!session || !seed) return undefined;
    return {
      page: 'totpSetUp',
      form: visit.formTo(this.path),
      keyUri: toKeyUri(seed, { issuer: visit.setting.brand, account: session.loginName }),
      seed: seed.reveal(),
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'code'>> {
    const { session } = visit;
    if (!session) return taken;
    if (form.find('decision') === ('back' satisfies CodeDecision)) {
      await this.changes.abandonFactor(session);
      return taken;
    }
    const code = form.find('code');
    if (code === undefined) return again({ field: 'code', reason: 'codeMissing' });
    const confirm: Spending = (tx) => this.totp.confirm(tx, session, session.id, code);
    const isRight = await this.check.confirm(visit, session, 'otp', async () => confirm);
    return isRight ? taken : again({ field: 'code', reason: 'codeWrong' });
  }
}
