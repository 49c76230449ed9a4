import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { seconds } from '../../foundation/time/duration.js';
import { MyData } from '../../management/user/my-data.js';
import { paths } from '../../org/instance/paths.js';
import type { FormError } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** A file with what is stored about the user. */
@Injectable()
export class DataSection implements AccountSection<never> {
  readonly name = 'data';
  readonly path = paths.accountData;
  readonly kept = [];
  readonly provesFirst = true;

  constructor(
    private readonly data: MyData,
    private readonly attempts: AttemptService,
  ) {}

  async isOpen({ selfService }: SignedInVisit): Promise<boolean> {
    return selfService.downloadData;
  }

  async page(visit: SignedInVisit, { frame }: Opened, errors?: readonly FormError<never>[]): Promise<LoginPage> {
    return { page: 'accountData', frame, target: visit.formTo(this.path), errors };
  }

  async submit({ session: { userId } }: SignedInVisit): Promise<SectionOutcome<never>> {
    await this.attempts.count([
      { what: 'account-download', whom: userId, failures: 1, windowSeconds: seconds.perHour },
    ]);
    return { kind: 'file', name: 'account.json', pieces: await this.data.of(userId) };
  }
}
