import { Injectable } from '@nestjs/common';
import { ManagedGroups } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { tooMany } from '../error/scim-error.js';
import { isStorable } from '../filter/operands.js';
import { type MemberChange, namedByFilter } from '../patch/group-patch.js';
import { MOST_MEMBERS } from '../schema/group.schema.js';
import { isAboutAll, type KnownMembers, type MemberNet, netOf } from './membership.js';

/** More members than this are not counted. */
const MOST_COUNTED = 100_000;

/** Finds what a PATCH means for the members of a group, before its transaction begins. */
@Injectable()
export class MemberPlan {
  constructor(private readonly groups: ManagedGroups) {}

  /** @throws ScimError `noTarget`, `tooMany` */
  async of(caller: Caller, groupId: string, changes: readonly MemberChange[]): Promise<MemberNet> {
    return netOf(changes, await this.known(caller, groupId, changes));
  }

  private async known(caller: Caller, groupId: string, changes: readonly MemberChange[]): Promise<KnownMembers> {
    const named = await this.namedMembers(caller, groupId, changes);
    const about = changes.filter(isAboutAll);
    if (about.length === 0) return { all: [], named };
    const isSearched = about.some(({ is }) => is === 'removeChosen');
    const limit = isSearched ? MOST_MEMBERS + 1 : MOST_COUNTED;
    const all = (await this.groups.members(caller, [groupId], { limit })).get(groupId) ?? [];
    if (isSearched && all.length > MOST_MEMBERS)
      throw tooMany(`The group has more than ${MOST_MEMBERS} members: name those to remove by their IDs.`);
    return { all, named };
  }

  /** Who is a member of those whom filters name one by one. */
  private async namedMembers(
    caller: Caller,
    groupId: string,
    changes: readonly MemberChange[],
  ): Promise<ReadonlySet<string>> {
    const named = new Set(
      changes.flatMap((change) => (change.is === 'removeChosen' ? (namedByFilter(change.filter) ?? []) : [])),
    );
    const userIds = [...named].filter(isStorable);
    if (userIds.length === 0) return new Set();
    const groups = await this.groups.ofUsers(caller, userIds);
    return new Set(userIds.filter((userId) => groups.get(userId)?.some(({ id }) => id === groupId)));
  }
}
