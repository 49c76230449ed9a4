import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountKeyDecision } from '../../page/account/account-keys.page.js';
import type { AccountFrame } from '../../page/account/account-layout.js';
import { CONFIRMED } from '../../page/account/account-question.page.js';
import type { FormError, FormErrorReason } from '../../page/part/form-error.js';
import { keyName, keyTitle } from '../../page/part/key-words.js';
import type { LoginPage } from '../../page/render.js';
import { SessionChanges } from '../../session/session-changes.js';
import type { AskableFactor } from '../../session/session-factor.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { type HeldKey, PasskeyService } from '../../user/factor/passkey.service.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

const REFUSED: Readonly<Record<string, FormErrorReason>> = {
  'passkey.last_way_in': 'lastWayIn',
  'factor.required': 'factorRequired',
};

/** Passkeys, with which the user signs in, and security keys, which are second steps. */
@Injectable()
export class KeysSection implements AccountSection<'name'> {
  readonly name = 'keys';
  readonly path = paths.accountKeys;
  readonly kept = [];

  constructor(
    private readonly changes: SessionChanges,
    private readonly passkeys: PasskeyService,
    private readonly factors: FactorService,
  ) {}

  /** Open to users with keys even if the policy has been closed since, so that they can remove them. */
  async isOpen({ session: { factor }, selfService }: SignedInVisit): Promise<boolean> {
    const isUsed = factor.allowsPasskeys || factor.allowsSecurityKeys || factor.hasKey;
    return selfService.manageFactors && this.passkeys.arePossible && isUsed;
  }

  async page(visit: SignedInVisit, { frame }: Opened, errors?: ReadonlyArray<FormError<'name'>>): Promise<LoginPage> {
    const { factor, userId: id, loginName: name, displayName } = visit.session;
    const keys = await this.of(visit);
    return {
      page: 'accountKeys',
      frame,
      target: visit.formTo(this.path),
      keys: keys.map((key) => ({ ...key, worksHere: this.passkeys.worksHere(key) })),
      addable: [
        ...(factor.allowsPasskeys ? ['passkey' as const] : []),
        ...(factor.allowsSecurityKeys ? ['u2f' as const] : []),
      ],
      signals: this.passkeys.signals({ id, name, displayName }, keys),
      errors: errors?.map(({ reason }) => ({ reason })),
    };
  }

  async submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<'name'>> {
    const { factor } = visit.session;
    switch (form.find('decision') as AccountKeyDecision | undefined) {
      case 'add-passkey':
        return factor.allowsPasskeys ? { kind: 'adding-key', key: 'passkey' } : again('formStale');
      case 'add-u2f':
        return factor.allowsSecurityKeys ? { kind: 'adding-key', key: 'u2f' } : again('formStale');
      case 'rename':
        return this.rename(visit, await this.find(visit, form), form, frame);
      case 'remove':
        return this.remove(visit, await this.find(visit, form), form, frame);
      case undefined:
        return again('formStale');
    }
  }

  private async rename(
    visit: SignedInVisit,
    key: HeldKey,
    form: Form,
    frame: AccountFrame,
  ): Promise<SectionOutcome<'name'>> {
    const { texts } = visit.setting;
    const typed = form.find('name');
    if (typed === undefined) return this.askName(visit, frame, key, keyTitle(key, texts));
    const name = keyName(typed, key, texts);
    try {
      await this.changes.make(visit, (tx) => this.passkeys.rename(tx, visit.session.userId, key.id, name));
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'InvalidArgument') throw error;
      return this.askName(visit, frame, key, typed, [{ field: 'name', reason: 'keyNameInvalid' }]);
    }
    return { kind: 'done', what: 'keyRenamed' };
  }

  private async remove(
    visit: SignedInVisit,
    key: HeldKey,
    form: Form,
    frame: AccountFrame,
  ): Promise<SectionOutcome<'name'>> {
    const { session } = visit;
    const isForced = session.factor.isForced(session.isByProvider);
    if (isForced && !(await this.hasOtherStep(visit, key))) return again('factorRequired');
    if (!form.hasField(CONFIRMED)) return this.askRemoval(visit, frame, key);
    try {
      await this.changes.make(visit, async (tx) => {
        await this.passkeys.removeOwn(tx, session.userId, key.id, key.kind);
        const kinds = [...codesOf(visit), 'u2f', 'passkey'] as const;
        if (isForced) await this.factors.checkHeld(tx, session.userId, kinds);
      });
    } catch (error) {
      const reason = error instanceof DomainError ? REFUSED[error.reason] : undefined;
      if (reason === undefined) throw error;
      return again(reason);
    }
    return { kind: 'done', what: 'keyRemoved' };
  }

  /** Whether the user has a second step besides this key; the next sign-in would require one (ACC-006). */
  private async hasOtherStep(visit: SignedInVisit, key: HeldKey): Promise<boolean> {
    const keys = (await this.of(visit)).filter((held) => held.id !== key.id && this.passkeys.worksHere(held));
    return codesOf(visit).length > 0 || keys.length > 0;
  }

  /** @throws DomainError NotFound `passkey.not_found`, also for a key of another user (ACC-003) */
  private async find(visit: SignedInVisit, form: Form): Promise<HeldKey> {
    return this.passkeys.find(visit.session.userId, form.find('key') ?? '');
  }

  private async of({ session }: SignedInVisit): Promise<readonly HeldKey[]> {
    return this.passkeys.list(session.userId);
  }

  private askName(
    visit: SignedInVisit,
    frame: AccountFrame,
    { id }: HeldKey,
    name: string,
    errors?: ReadonlyArray<FormError<'name'>>,
  ): SectionOutcome<'name'> {
    const target = { ...visit.formTo(this.path), fields: { key: id, decision: 'rename' } };
    return { kind: 'page', page: { page: 'accountKeyName', frame, target, name, errors } };
  }

  private askRemoval(visit: SignedInVisit, frame: AccountFrame, key: HeldKey): SectionOutcome<'name'> {
    return {
      kind: 'page',
      page: {
        page: 'accountQuestion',
        frame,
        section: this.name,
        target: { ...visit.formTo(this.path), fields: { key: key.id, decision: 'remove' } },
        question: 'removeKey',
        thing: keyTitle(key, visit.setting.texts),
        backHref: this.path,
      },
    };
  }
}

/** The second steps of the user whose codes are typed. */
function codesOf({ session: { factor } }: SignedInVisit): Array<Exclude<AskableFactor, 'u2f'>> {
  return factor.usable(false).flatMap((kind) => (kind === 'u2f' ? [] : [kind]));
}

function again(reason: FormError['reason']): SectionOutcome<'name'> {
  return { kind: 'again', errors: [{ reason }] };
}
