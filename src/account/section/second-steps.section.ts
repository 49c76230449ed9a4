import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountFrame } from '../../page/account/account-layout.js';
import { CONFIRMED } from '../../page/account/account-question.page.js';
import type { AccountFactor, AccountStepDecision } from '../../page/account/account-steps.page.js';
import type { FormError } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import { SessionChanges } from '../../session/session-changes.js';
import type { AskableFactor } from '../../session/session-factor.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { TotpService } from '../../user/factor/totp.service.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** The second steps of a user: an app, codes by mail, and the recovery codes that substitute for them. */
@Injectable()
export class SecondStepsSection implements AccountSection<never> {
  readonly name = 'steps';
  readonly path = paths.accountSteps;
  readonly kept = [];
  readonly provesFirst = true;

  constructor(
    private readonly changes: SessionChanges,
    private readonly factors: FactorService,
    private readonly totp: TotpService,
    private readonly emailCodes: EmailCodes,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  async isOpen({ session: { factor }, selfService }: SignedInVisit): Promise<boolean> {
    const codes = codesOf([...factor.usable(false), ...factor.available]);
    return selfService.manageFactors && (codes.length > 0 || factor.isHeld);
  }

  async page(visit: SignedInVisit, { frame }: Opened, errors?: readonly FormError<never>[]): Promise<LoginPage> {
    const { factor, userId } = visit.session;
    const codes = (await this.factors.list(userId)).find(({ kind }) => kind === 'recovery_codes');
    return {
      page: 'accountSteps',
      frame,
      target: visit.formTo(this.path),
      held: codesOf(factor.usable(false)),
      available: codesOf(factor.available),
      // Recovery codes substitute for keys as well, which have a page of their own.
      codesLeft: factor.isHeld ? (codes?.left ?? 0) : undefined,
      errors,
    };
  }

  async submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<never>> {
    const { factor } = visit.session;
    const named = form.find('factor');
    switch (form.find('decision') as AccountStepDecision | undefined) {
      case 'add': {
        const kind = codesOf(factor.available).find((available) => available === named);
        return kind ? this.add(visit, kind) : again('formStale');
      }
      case 'remove': {
        const kind = codesOf(factor.usable(false)).find((held) => held === named);
        return kind ? this.remove(visit, kind, form, frame) : again('formStale');
      }
      case 'new-codes':
        return factor.isHeld ? this.renewCodes(visit, form, frame) : again('formStale');
      case undefined:
        return again('formStale');
    }
  }

  /** The sign-in pages lead through the rest, and show the recovery codes. */
  private async add(visit: SignedInVisit, factor: AccountFactor): Promise<SectionOutcome<never>> {
    const { session } = visit;
    try {
      await this.changes.make(visit, async (tx) => {
        if (factor === 'otp') await this.totp.begin(tx, session, session.id);
        else {
          await this.emailCodes.begin(tx, session, session.id);
          await this.emailCodes.send(tx, session, session.id);
        }
      });
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'mail.too_many') return again('tooManyMails');
      throw error;
    }
    return { kind: 'setting-up', factor };
  }

  private async remove(
    visit: SignedInVisit,
    factor: AccountFactor,
    form: Form,
    frame: AccountFrame,
  ): Promise<SectionOutcome<never>> {
    const { session } = visit;
    // The next sign-in would require one again, and anybody who knows the password could set one up (ACC-006).
    const isForced = session.factor.isForced(session.isByProvider);
    const others = session.factor.usable(true).filter((kind) => kind !== factor);
    if (isForced && others.length === 0) return again('factorRequired');
    if (!form.hasField(CONFIRMED)) {
      const thing = visit.setting.texts.accountSteps.names[factor];
      return this.ask(visit, frame, { question: 'removeFactor', thing, fields: { decision: 'remove', factor } });
    }
    try {
      await this.changes.make(visit, async (tx) => {
        await this.factors.remove(tx, session.userId, factor, session.userId);
        // A passkey serves as a security key.
        const kinds = others.flatMap((kind) => (kind === 'u2f' ? (['u2f', 'passkey'] as const) : [kind]));
        if (isForced) await this.factors.checkHeld(tx, session.userId, kinds);
      });
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'factor.required') return again('factorRequired');
      throw error;
    }
    return { kind: 'done', what: 'factorRemoved' };
  }

  /** The old codes end now; the next page of the sign-in shows the new ones, and stores them once they are kept. */
  private async renewCodes(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<never>> {
    if (!form.hasField(CONFIRMED))
      return this.ask(visit, frame, { question: 'newCodes', fields: { decision: 'new-codes' } });
    await this.changes.make(visit, (tx) => this.recoveryCodes.renew(tx, visit.session));
    return { kind: 'done', what: 'codes' };
  }

  private ask(
    visit: SignedInVisit,
    frame: AccountFrame,
    {
      question,
      thing,
      fields,
    }: { question: 'removeFactor' | 'newCodes'; thing?: string; fields: Record<string, string> },
  ): SectionOutcome<never> {
    const target = { ...visit.formTo(this.path), fields };
    return {
      kind: 'page',
      page: { page: 'accountQuestion', frame, section: this.name, target, question, thing, backHref: this.path },
    };
  }
}

function again(reason: FormError['reason']): SectionOutcome<never> {
  return { kind: 'again', errors: [{ reason }] };
}

/** The factors whose codes are typed; keys are not set up on this page. */
function codesOf(factors: readonly AskableFactor[]): AccountFactor[] {
  return factors.flatMap((factor) => (factor === 'u2f' ? [] : [factor]));
}
