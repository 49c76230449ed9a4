import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import { keyName, keyTitle } from '../../page/part/key-words.js';
import type { LoginPage } from '../../page/render.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { type HeldKey, PasskeyService } from '../../user/factor/passkey.service.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** The key is there; its owner may call it something else. */
@Injectable()
export class NameKeyStep implements LoginStep<'name'> {
  readonly step = 'name-key';
  readonly path = paths.keyName;
  readonly reach = 'due';

  constructor(
    private readonly changes: SignInChanges,
    private readonly passkeys: PasskeyService,
  ) {}

  async page(visit: Visit, retry?: Retry<'name'>): Promise<LoginPage | undefined> {
    const key = visit.session && (await this.newKeyOf(visit.session));
    if (!key) return undefined;
    return {
      page: 'keyName',
      kind: key.kind,
      form: visit.formTo(this.path),
      name: retry?.form.find('name') ?? keyTitle(key, visit.setting.texts),
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'name'>> {
    const { session } = visit;
    const key = session && (await this.newKeyOf(session));
    if (!session || !key) return taken;
    const name = keyName(form.find('name') ?? '', key, visit.setting.texts);
    try {
      await this.changes.renameKey(session, key.id, name);
      return taken;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'InvalidArgument') throw error;
      return again({ field: 'name', reason: 'keyNameInvalid' });
    }
  }

  private async newKeyOf({ userId, id }: BrowserSession): Promise<HeldKey | undefined> {
    return (await this.passkeys.list(userId)).find((key) => key.newIn === id);
  }
}
