import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { MyRemoval } from '../../management/user/my-removal.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountDeletionField } from '../../page/account/account-deletion.page.js';
import type { FormError, FormErrorReason } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import { SessionChanges } from '../../session/session-changes.js';
import { UserService } from '../../user/user.service.js';
import { toNameKey } from '../../user/user-name.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** The user's epoch, which every change of what signs the user in raises, and so does the deletion. */
const EPOCH = 'epoch';

const REASONS: Readonly<Record<string, FormErrorReason>> = {
  'member.last_owner': 'lastOwner',
  'member.last_org_owner': 'lastOwner',
  'user.changed': 'formStale',
  'mail.too_many': 'tooManyMails',
};

/** The end of the account, where the organization leaves it to its users. */
@Injectable()
export class DeletionSection implements AccountSection<AccountDeletionField> {
  readonly name = 'deletion';
  readonly path = paths.accountDeletion;
  readonly kept = [];
  readonly provesFirst = true;

  constructor(
    private readonly changes: SessionChanges,
    private readonly users: UserService,
    private readonly removal: MyRemoval,
  ) {}

  async isOpen({ selfService }: SignedInVisit): Promise<boolean> {
    return selfService.deleteAccount;
  }

  async page(
    visit: SignedInVisit,
    { frame }: Opened,
    errors?: readonly FormError<AccountDeletionField>[],
  ): Promise<LoginPage> {
    const { accountDeletionGraceDays: graceDays } = visit.selfService;
    const target = { ...visit.formTo(this.path), fields: { [EPOCH]: String(visit.session.userEpoch) } };
    return { page: 'accountDeletion', frame, target, graceDays, errors };
  }

  /** A form from before the account was taken back, or from before a change of the password, is refused (ACC-010). */
  async submit(visit: SignedInVisit, form: Form): Promise<SectionOutcome<AccountDeletionField>> {
    const { userId, orgId, userEpoch, loginName } = visit.session;
    if (toNameKey((form.find('loginName') ?? '').trim()) !== toNameKey(loginName))
      return { kind: 'again', errors: [{ field: 'loginName', reason: 'loginNameDiffers' }] };
    if (form.find(EPOCH) !== String(userEpoch)) return { kind: 'again', errors: [{ reason: 'formStale' }] };
    try {
      const { dueAt } = await this.changes.make(visit, async (tx) =>
        this.removal.close(tx, await this.users.getOf(tx, orgId, userId)),
      );
      return { kind: 'closed', dueAt };
    } catch (error) {
      const reason = error instanceof DomainError ? REASONS[error.reason] : undefined;
      if (reason === undefined) throw error;
      return { kind: 'again', errors: [{ reason }] };
    }
  }
}
