import { Injectable } from '@nestjs/common';
import {
  Callers,
  Database,
  DomainError,
  ManagedGroups,
  type ManagedUser,
  type ManagedUserChange,
  ManagedUsers,
  Secret,
  type SqlTransaction,
  type UserFilter,
} from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { notFound } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import { narrowed } from '../filter/narrowed.js';
import { isStorable } from '../filter/operands.js';
import { EVERYBODY, toUserFilter } from '../filter/user-filter.js';
import { applyPatch } from '../patch/apply.js';
import { readPatch } from '../patch/patch-request.js';
import type { Answer, Found } from '../protocol/answer.js';
import type { Ask } from '../protocol/ask.js';
import { Searches } from '../protocol/searches.js';
import { versionOf } from '../protocol/version.js';
import { Directories } from '../provisioning/directories.js';
import { checkProvisionedBy } from '../provisioning/provisioning.errors.js';
import type { Document } from '../resource/document.js';
import { Projection } from '../resource/projection.js';
import { readResource } from '../resource/read-resource.js';
import type { ResourceType } from '../schema/resource-type.js';
import { ACTIVE, GROUPS, PASSWORD, USER } from '../schema/user.schema.js';
import { ScimSettings } from '../scim.settings.js';
import { accountOf, toAccount } from './account.js';
import { AccountChanges, type Settled } from './account-changes.js';
import { EmailTrust } from './email-trust.js';
import { type ProvisionedUser, ProvisionedUsers } from './provisioned-users.js';
import { Turns } from './turns.js';
import { shownUser, writeUser } from './write-user.js';

/** What a request makes of the resource as it is shown. */
type Make = (shown: Document) => Document;

/** The people of an organization, as RFC 7643 §4.1 describes them. */
@Injectable()
export class ScimUsers {
  readonly type = USER;

  constructor(
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly users: ManagedUsers,
    private readonly groups: ManagedGroups,
    private readonly callers: Callers,
    private readonly provisioned: ProvisionedUsers,
    private readonly emails: EmailTrust,
    private readonly changes: AccountChanges,
    private readonly settings: ScimSettings,
    private readonly turns: Turns,
    private readonly searches: Searches,
  ) {}

  /** RFC 7644 §3.4.1. */
  async get(ask: Ask, id: string): Promise<Answer> {
    const user = await this.find(ask.caller, id);
    return this.answer(ask, 200, user, (await this.provisioned.find([id])).get(id));
  }

  /** RFC 7644 §3.4.2. @param beside other resources that the same search is about */
  async list(
    ask: Ask,
    filter: Filter | undefined,
    range: { readonly offset: number; readonly limit: number },
    beside: readonly ResourceType[] = [],
  ): Promise<Found> {
    const wanted = filter ? toUserFilter(filter, { type: USER, beside }, ask.caller.userId) : EVERYBODY;
    const { users, total } = await this.searches.run(ask.caller.orgId, async () => {
      const where = await narrowed({ sql: this.database, idsOf: this.idsOf(ask.caller) }, wanted);
      return this.users.list(ask.caller, { where: { all: [{ field: 'kind', in: ['human'] }, where] }, ...range });
    });
    const projection = Projection.of(USER, ask.asked);
    const ids = users.map(({ id }) => id);
    const rows = await this.provisioned.find(ids);
    const groups = await this.groupsOf(ask.caller, ids, projection);
    const resources = users.map((user) => {
      const row = rows.get(user.id);
      return writeUser({ user, row, groups: groups.get(user.id) ?? [] }, ask, projection);
    });
    return { total, resources };
  }

  /**
   * RFC 7644 §3.3. An `id` that is sent means nothing, and a name that is taken is refused, whoever has it.
   * @throws DomainError AlreadyExists
   */
  async create(ask: Ask, body: unknown): Promise<Answer> {
    const { caller } = ask;
    const document = readResource(USER, body);
    const account = toAccount(document);
    await this.directories.check(caller);
    await this.emails.checkFree(caller, account.email);
    const emailVerified = await this.emails.isVerified(caller.orgId, account.email);
    const password = this.passwordOf(caller, document);
    const [user, row] = await this.database.transaction(async (tx) => {
      const added = await this.users.add(
        caller,
        {
          ...account,
          emailVerified,
          ...(password === undefined ? {} : { password }),
          invite: this.settings.invites && password === undefined && document.flag(ACTIVE) !== false,
        },
        tx,
      );
      const isShut = document.flag(ACTIVE) === false;
      const now = isShut ? await this.users.deactivate(caller, added.id, tx) : added;
      const said = { userId: now.id, directoryId: caller.userId, document, became: accountOf(now), wasLocked: false };
      return [now, await this.provisioned.save(tx, said)] as const;
    });
    return this.answer(ask, 201, user, row);
  }

  /** RFC 7644 §3.5.1. An `active` that is not sent leaves the state as it is. */
  async replace(ask: Ask, id: string, body: unknown): Promise<Answer> {
    const document = readResource(USER, body);
    return this.change(ask, id, () => document);
  }

  /** RFC 7644 §3.5.2. */
  async patch(ask: Ask, id: string, body: unknown): Promise<Answer> {
    const operations = readPatch(USER, body);
    return this.change(ask, id, (shown) => applyPatch(shown, operations));
  }

  /** RFC 7644 §3.6. */
  async remove({ caller, conditions }: Ask, id: string): Promise<Answer> {
    await this.find(caller, id);
    checkProvisionedBy(caller.userId, 'user', (await this.provisioned.find([id])).get(id));
    const remove = async (tx: SqlTransaction): Promise<void> => {
      await this.hold(tx, caller, id, (user, row) => {
        conditions.check(versionOf(user.sequence, row.revision));
        return { next: row.said, change: {} };
      });
      await this.users.remove(caller, id, tx);
    };
    await this.turns.take(caller.orgId, async () => this.database.transaction(remove));
    return { status: 204 };
  }

  private async change(ask: Ask, id: string, make: Make): Promise<Answer> {
    const { caller } = ask;
    const seen = await this.find(caller, id);
    const seenRow = checkProvisionedBy(caller.userId, 'user', (await this.provisioned.find([id])).get(id));
    // What needs other connections is asked before the transaction has one.
    const email = toAccount(make(shownUser(seen, seenRow))).email;
    if (email !== toAccount(shownUser(seen, seenRow)).email) await this.emails.checkFree(caller, email);
    const isVerified = await this.emails.isVerified(caller.orgId, email);
    const [user, row] = await this.database.transaction(async (tx) => {
      const held = await this.hold(tx, caller, id, (now, locked) => {
        ask.conditions.check(versionOf(now.sequence, locked.revision));
        const shown = shownUser(now, locked);
        const next = make(shown);
        if (toAccount(next).email !== email) throw changedMeanwhile();
        return { next, change: this.changes.between(now, toAccount(shown), toAccount(next), isVerified) };
      });
      const password = this.passwordOf(caller, held.next);
      if (password) await this.users.setPassword(caller, id, password, { changeRequired: false }, tx);
      return this.changes.settle(tx, caller, held);
    });
    return this.answer(ask, 200, user, row);
  }

  /**
   * Changes the account of somebody whom the directory provisions. The account is locked before its row, as everybody
   * does who removes it: in the other order they would wait for each other.
   */
  private async hold(
    tx: SqlTransaction,
    caller: Caller,
    id: string,
    make: (now: ManagedUser, row: ProvisionedUser) => { readonly next: Document; readonly change: ManagedUserChange },
  ): Promise<Settled> {
    let held: { readonly before: ProvisionedUser; readonly next: Document } | undefined;
    const user = await this.users.change(
      caller,
      id,
      async (now) => {
        const before = checkProvisionedBy(caller.userId, 'user', await this.provisioned.lock(tx, id));
        const { next, change } = make(now, before);
        held = { before, next };
        return change;
      },
      tx,
    );
    if (!held) throw new Error('The account was changed without being asked how.');
    return { user, ...held };
  }

  /** What a directory says is a password of its own choice, for which it needs a right of its own. */
  private passwordOf(caller: Caller, document: Document): Secret | undefined {
    const password = document.text(PASSWORD);
    if (password === undefined || !this.callers.may(caller, 'user.credential.write')) return undefined;
    return new Secret(password);
  }

  /** @throws ScimError 404, also for service users and for people of other organizations */
  private async find(caller: Caller, id: string): Promise<ManagedUser> {
    const user = isStorable(id) ? await this.users.find(caller, id) : undefined;
    if (user?.kind !== 'human') throw notFound('user');
    return user;
  }

  private idsOf(caller: Caller) {
    return async (where: UserFilter, most: number): Promise<readonly string[] | undefined> => {
      const { users, total } = await this.users.list(caller, { where, offset: 0, limit: most });
      return total > most ? undefined : users.map(({ id }) => id);
    };
  }

  private async groupsOf(caller: Caller, userIds: readonly string[], projection: Projection) {
    const isShown = projection.shows(GROUPS) && this.callers.may(caller, 'group.read');
    return isShown && userIds.length > 0 ? this.groups.ofUsers(caller, userIds) : new Map<string, []>();
  }

  private async answer(
    ask: Ask,
    status: 200 | 201,
    user: ManagedUser,
    row: ProvisionedUser | undefined,
  ): Promise<Answer> {
    const version = versionOf(user.sequence, row?.revision);
    const location = ask.locations.of(USER, user.id);
    if (ask.conditions.isKnown(version)) return { status: 304, version };
    const projection = Projection.of(USER, ask.asked);
    const groups = (await this.groupsOf(ask.caller, [user.id], projection)).get(user.id) ?? [];
    return { status, version, location, body: writeUser({ user, row, groups }, ask, projection) };
  }
}

function changedMeanwhile(): DomainError {
  return new DomainError('Aborted', 'scim.changed_meanwhile', 'The user has changed in the meantime: try again.');
}
