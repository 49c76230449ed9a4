import { Injectable } from '@nestjs/common';
import {
  Database,
  Journal,
  type ManagedGroup,
  type ManagedGroupMember,
  ManagedGroups,
  type SqlTransaction,
} from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { invalidValue, notFound } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import { toGroupFilter } from '../filter/group-filter.js';
import { isStorable } from '../filter/operands.js';
import { applyPatch } from '../patch/apply.js';
import { memberChanges, memberIdsOf } from '../patch/group-patch.js';
import { readPatch } from '../patch/patch-request.js';
import type { Answer, Found } from '../protocol/answer.js';
import type { Ask } from '../protocol/ask.js';
import { Searches } from '../protocol/searches.js';
import { versionOf } from '../protocol/version.js';
import { Directories } from '../provisioning/directories.js';
import { checkProvisionedBy } from '../provisioning/provisioning.errors.js';
import { groupEmptied } from '../provisioning/provisioning.events.js';
import type { Document } from '../resource/document.js';
import { Projection } from '../resource/projection.js';
import { readResource } from '../resource/read-resource.js';
import { EXTERNAL_ID } from '../schema/common.schema.js';
import { GROUP, GROUP_NAME, MEMBERS, MOST_MEMBERS } from '../schema/group.schema.js';
import type { ResourceType } from '../schema/resource-type.js';
import { MemberPlan } from './member-plan.js';
import { type MemberNet, UNCHANGED } from './membership.js';
import { type ProvisionedGroup, ProvisionedGroups } from './provisioned-groups.js';
import { shownGroup, writeGroup } from './write-group.js';

/** The most members of each group in a list: many groups may have many. */
const MOST_MEMBERS_LISTED = 1_000;

interface Change {
  readonly make: (shown: Document) => Document;
  readonly members: MemberNet;
}

/** The groups of an organization, as RFC 7643 §4.2 describes them. */
@Injectable()
export class ScimGroups {
  readonly type = GROUP;

  constructor(
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly groups: ManagedGroups,
    private readonly provisioned: ProvisionedGroups,
    private readonly plan: MemberPlan,
    private readonly journal: Journal,
    private readonly searches: Searches,
  ) {}

  /** RFC 7644 §3.4.1. */
  async get(ask: Ask, id: string): Promise<Answer> {
    const group = await this.find(ask.caller, id);
    return this.answer(ask, 200, group, (await this.provisioned.find([id])).get(id));
  }

  /** RFC 7644 §3.4.2. @param beside other resources that the same search is about */
  async list(
    ask: Ask,
    filter: Filter | undefined,
    range: { readonly offset: number; readonly limit: number },
    beside: readonly ResourceType[] = [],
  ): Promise<Found> {
    const where = filter && toGroupFilter(filter, { type: GROUP, beside }, ask.caller.userId);
    const { groups, total } = await this.searches.run(ask.caller.orgId, async () =>
      this.groups.list(ask.caller, { ...(where ? { where } : {}), ...range }),
    );
    const projection = Projection.of(GROUP, ask.asked);
    const ids = groups.map(({ id }) => id);
    const rows = await this.provisioned.find(ids);
    const members = await this.membersOf(ask.caller, ids, projection, MOST_MEMBERS_LISTED);
    const resources = groups.map((group) =>
      writeGroup({ group, row: rows.get(group.id), members: members(group.id) }, ask, projection),
    );
    return { total, resources };
  }

  /** RFC 7644 §3.3. @throws DomainError AlreadyExists: Entra needs names that are unique */
  async create(ask: Ask, body: unknown): Promise<Answer> {
    const { caller } = ask;
    const document = readResource(GROUP, body);
    const name = nameOf(document);
    const userIds = memberIdsOf(document.list(MEMBERS));
    await this.directories.check(caller);
    const [group, row] = await this.database.transaction(async (tx) => {
      const added = await this.groups.add(caller, { name }, tx);
      const said = { groupId: added.id, directoryId: caller.userId, externalId: document.text(EXTERNAL_ID) };
      const saved = await this.provisioned.save(tx, said);
      return [await this.setMembers(tx, caller, added, { ...UNCHANGED, added: userIds }), saved] as const;
    });
    return this.answer(ask, 201, group, row);
  }

  /**
   * RFC 7644 §3.5.1. Members that are not sent stay: whoever has read the group without them would else remove all of
   * them by writing it.
   */
  async replace(ask: Ask, id: string, body: unknown): Promise<Answer> {
    const document = readResource(GROUP, body);
    const members: MemberNet = hasMembers(body)
      ? { ...UNCHANGED, replaces: true, added: memberIdsOf(document.list(MEMBERS)) }
      : UNCHANGED;
    const [group, row] = await this.change(ask, id, { make: () => document, members });
    return this.answer(ask, 200, group, row);
  }

  /** RFC 7644 §3.5.2. Answered without the group, which Entra asks for: it may have many members. */
  async patch(ask: Ask, id: string, body: unknown): Promise<Answer> {
    const operations = readPatch(GROUP, body);
    const others = operations.filter(({ attribute }) => attribute !== MEMBERS);
    await this.find(ask.caller, id);
    const members = await this.plan.of(ask.caller, id, memberChanges(operations));
    const [group, row] = await this.change(ask, id, { make: (shown) => applyPatch(shown, others), members });
    if (ask.asked.attributes.length > 0) return this.answer(ask, 200, group, row);
    return { status: 204, version: versionOf(group.sequence, row.revision), location: ask.locations.of(GROUP, id) };
  }

  /** RFC 7644 §3.6. */
  async remove({ caller, conditions }: Ask, id: string): Promise<Answer> {
    await this.find(caller, id);
    checkProvisionedBy(caller.userId, 'group', (await this.provisioned.find([id])).get(id));
    await this.database.transaction(async (tx) => {
      await this.hold(tx, caller, id, (group, row) => {
        conditions.check(versionOf(group.sequence, row.revision));
        return { name: group.name };
      });
      await this.groups.remove(caller, id, tx);
    });
    return { status: 204 };
  }

  private async change(
    { caller, conditions }: Ask,
    id: string,
    { make, members }: Change,
  ): Promise<readonly [ManagedGroup, ProvisionedGroup]> {
    await this.find(caller, id);
    return this.database.transaction(async (tx) => {
      const held = await this.hold(tx, caller, id, (now, row) => {
        conditions.check(versionOf(now.sequence, row.revision));
        const next = make(shownGroup(now, row));
        return { name: nameOf(next), externalId: next.text(EXTERNAL_ID) };
      });
      const group = await this.setMembers(tx, caller, held.group, members);
      const { row, externalId } = held;
      if (externalId === row.externalId) return [group, row] as const;
      return [group, await this.provisioned.save(tx, { ...row, externalId })] as const;
    });
  }

  /**
   * Renames a group that the directory provisions. The group is locked before its row, as everybody does who removes
   * it: in the other order they would wait for each other.
   */
  private async hold(
    tx: SqlTransaction,
    caller: Caller,
    id: string,
    make: (
      now: ManagedGroup,
      row: ProvisionedGroup,
    ) => { readonly name: string; readonly externalId?: string | undefined },
  ) {
    let held: { readonly row: ProvisionedGroup; readonly externalId: string | undefined } | undefined;
    const group = await this.groups.change(
      caller,
      id,
      async (now) => {
        const row = checkProvisionedBy(caller.userId, 'group', await this.provisioned.lock(tx, id));
        const { name, externalId } = make(now, row);
        held = { row, externalId };
        return name === now.name ? {} : { name };
      },
      tx,
    );
    if (!held) throw new Error('The group was changed without being asked how.');
    return { group, ...held };
  }

  private async setMembers(
    tx: SqlTransaction,
    caller: Caller,
    group: ManagedGroup,
    { replaces, added, removed, emptied }: MemberNet,
  ): Promise<ManagedGroup> {
    if (emptied !== undefined) await this.tellEmptied(tx, caller, group, emptied);
    if (replaces) return this.groups.replaceMembers(caller, group.id, added, tx);
    let changed = group;
    if (removed.length > 0) changed = await this.groups.removeMembers(caller, group.id, removed, tx);
    if (added.length > 0) changed = await this.groups.addMembers(caller, group.id, added, tx);
    return changed;
  }

  /** SCM-013: one event says how many went, besides those of each. */
  private async tellEmptied(tx: SqlTransaction, caller: Caller, { id }: ManagedGroup, members: number): Promise<void> {
    await this.journal.append(tx, groupEmptied, {
      aggregateId: id,
      orgId: caller.orgId,
      editorId: caller.userId,
      payload: { directoryId: caller.userId, members },
    });
  }

  /** @throws ScimError 404, also for groups of other organizations */
  private async find(caller: Caller, id: string): Promise<ManagedGroup> {
    const group = isStorable(id) ? await this.groups.find(caller, id) : undefined;
    if (!group) throw notFound('group');
    return group;
  }

  /** The members of each group; undefined for one with more than `most`, and where nobody asks for them. */
  private async membersOf(
    caller: Caller,
    groupIds: readonly string[],
    projection: Projection,
    most: number,
  ): Promise<(groupId: string) => readonly ManagedGroupMember[] | undefined> {
    if (!projection.shows(MEMBERS) || groupIds.length === 0) return () => undefined;
    const members = await this.groups.members(caller, groupIds, { limit: most + 1 });
    return (groupId) => {
      const found = members.get(groupId) ?? [];
      return found.length > most ? undefined : found;
    };
  }

  private async answer(
    ask: Ask,
    status: 200 | 201,
    group: ManagedGroup,
    row: ProvisionedGroup | undefined,
  ): Promise<Answer> {
    const version = versionOf(group.sequence, row?.revision);
    if (ask.conditions.isKnown(version)) return { status: 304, version };
    const projection = Projection.of(GROUP, ask.asked);
    const members = await this.membersOf(ask.caller, [group.id], projection, MOST_MEMBERS);
    const body = writeGroup({ group, row, members: members(group.id) }, ask, projection);
    return { status, version, location: ask.locations.of(GROUP, group.id), body };
  }
}

function nameOf(document: Document): string {
  const name = document.text(GROUP_NAME);
  if (name === undefined) throw invalidValue('displayName', 'is missing');
  return name;
}

/** Whether the body says who the members are; an empty list says that there are none. */
function hasMembers(body: unknown): boolean {
  const names = Object.entries(body as object);
  return names.some(([name, value]) => name.toLowerCase() === MEMBERS.name && value !== null);
}
