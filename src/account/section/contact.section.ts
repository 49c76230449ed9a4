import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { readQuery } from '../../foundation/http/request.js';
import { emailProblem, toStoredEmail } from '../../org/email-address.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountContactDecision, AccountContactField } from '../../page/account/account-contact.page.js';
import type { FormError } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import { codeLimits } from '../../session/proof/limits.js';
import { SessionChanges } from '../../session/session-changes.js';
import { PendingEmails } from '../../user/pending-emails.js';
import { PersonService } from '../../user/person.service.js';
import { toPhoneNumber } from '../../user/phone-number.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory } from '../../user/user-directory.js';
import { UserMails } from '../../user/user-mails.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

type Outcome = SectionOutcome<AccountContactField>;

/** The e-mail address, which changes once the code that was sent to the new one is typed, and the phone number. */
@Injectable()
export class ContactSection implements AccountSection<AccountContactField> {
  readonly name = 'contact';
  readonly path = paths.accountContact;
  readonly kept = ['email', 'phone'];
  readonly provesFirst = true;

  constructor(
    private readonly changes: SessionChanges,
    private readonly users: UserService,
    private readonly people: PersonService,
    private readonly directory: UserDirectory,
    private readonly pending: PendingEmails,
    private readonly mails: UserMails,
    private readonly attempts: AttemptService,
  ) {}

  async isOpen({ selfService }: SignedInVisit): Promise<boolean> {
    return selfService.changeEmail || selfService.changePhone;
  }

  async page(
    visit: SignedInVisit,
    { frame, typed, form }: Opened,
    errors?: readonly FormError<AccountContactField>[],
  ): Promise<LoginPage> {
    const { userId, orgId } = visit.session;
    const user = await this.directory.get(orgId, userId);
    const linked = visit.http.method === 'GET' ? readQuery(visit.http).find('code') : undefined;
    return {
      page: 'accountContact',
      frame,
      target: visit.formTo(this.path),
      email: user.email,
      pending: await this.pending.find(userId),
      mayChange: { email: visit.selfService.changeEmail, phone: visit.selfService.changePhone },
      typed: {
        email: form?.find('email') ?? typed?.['email'] ?? '',
        code: form?.find('code') ?? linked ?? '',
        phone: form?.find('phone') ?? (typed?.['phone'] || user.phone),
      },
      errors,
    };
  }

  async submit(visit: SignedInVisit, form: Form): Promise<Outcome> {
    const decision = form.find('decision') as AccountContactDecision | undefined;
    const { changeEmail, changePhone } = visit.selfService;
    if (!(decision === 'phone' ? changePhone : changeEmail)) throw pageNotFound();
    switch (decision) {
      case 'email':
        return this.askEmail(visit, form.find('email')?.trim());
      case 'code':
        return this.changeEmail(visit, form.find('code'));
      case 'cancel':
        await this.changes.make(visit, (tx) => this.pending.drop(tx, visit.session.userId));
        return { kind: 'done', what: 'emailCancelled' };
      case 'phone':
        return this.changePhone(visit, form.find('phone')?.trim() ?? '');
      case undefined:
        return again({ reason: 'formStale' });
    }
  }

  /** The answer is the same, no matter who has the address: only its mailbox learns of it. */
  private async askEmail(visit: SignedInVisit, email: string | undefined): Promise<Outcome> {
    const { userId, orgId } = visit.session;
    if (email === undefined) return again({ field: 'email', reason: 'emailMissing' });
    if (emailProblem(email) !== undefined) return again({ field: 'email', reason: 'emailInvalid' });
    try {
      return await this.changes.make(visit, async (tx): Promise<Outcome> => {
        const user = await this.users.getOf(tx, orgId, userId);
        if (user.emailVerified && user.email === toStoredEmail(email))
          return again({ field: 'email', reason: 'emailSame' });
        await this.pending.begin(tx, user, email);
        return { kind: 'done', what: 'emailAsked' };
      });
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'mail.too_many') return again({ reason: 'tooManyMails' });
      throw error;
    }
  }

  private async changeEmail(visit: SignedInVisit, code: string | undefined): Promise<Outcome> {
    const { session, address } = visit;
    const { userId, orgId } = session;
    if (code === undefined) return again({ field: 'code', reason: 'codeMissing' });
    const limits = codeLimits(userId, address);
    const isDone = await this.attempts.attempt([limits.account, limits.address], async () => {
      const checked = await this.pending.check(userId, code);
      return (
        checked !== undefined &&
        this.changes.make(visit, async (tx) =>
          this.pending.spend(tx, await this.users.getOf(tx, orgId, userId), checked),
        )
      );
    });
    if (!isDone) return again({ field: 'code', reason: 'codeWrong' });
    await this.attempts.forgive([limits.account], [limits.address]);
    return { kind: 'done', what: 'email' };
  }

  /** Stores the number as not proven, since nothing is sent to phones. An empty one removes it. */
  private async changePhone(visit: SignedInVisit, phone: string): Promise<Outcome> {
    const { userId, orgId } = visit.session;
    if (phone !== '' && toPhoneNumber(phone) === undefined) return again({ field: 'phone', reason: 'phoneInvalid' });
    await this.changes.make(visit, async (tx) => {
      const user = await this.users.getOf(tx, orgId, userId);
      if (user.phone === (toPhoneNumber(phone) ?? '')) return;
      if (phone === '') await this.people.removePhone(tx, user, userId);
      else await this.people.changePhone(tx, user, phone, false, userId);
      await this.mails.tellAccountChanged(tx, user, 'phoneChanged');
    });
    return { kind: 'done', what: 'phone' };
  }
}

function again(...errors: FormError<AccountContactField>[]): Outcome {
  return { kind: 'again', errors };
}
