import { Injectable } from '@nestjs/common';
import { type ManagedGroupMember, ManagedGroups } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { noTarget, tooMany } from '../error/scim-error.js';
import { matches } from '../filter/matches.js';
import { type MemberChange, namedByFilter } from '../patch/group-patch.js';
import type { Complex } from '../resource/document.js';
import { subOf } from '../schema/attribute.js';
import { MEMBERS, MOST_MEMBERS } from '../schema/group.schema.js';

/** A change of the members that is known by their ids. */
export interface MemberStep {
  readonly is: 'add' | 'remove' | 'replace' | 'empty';
  readonly userIds: readonly string[];
}

/** More members than this are not counted. */
const MOST_COUNTED = 100_000;

/** Finds the members whom the filters of a PATCH mean, before its transaction begins. */
@Injectable()
export class MemberPlan {
  constructor(private readonly groups: ManagedGroups) {}

  /** @throws ScimError `noTarget` for a filter that finds nobody (SCM-013) */
  async of(caller: Caller, groupId: string, changes: readonly MemberChange[]): Promise<readonly MemberStep[]> {
    const steps: MemberStep[] = [];
    const isMember = await this.membership(caller, groupId, changes);
    for (const change of changes) {
      if (change.is !== 'removeChosen') {
        const userIds = 'userIds' in change ? change.userIds : await this.all(caller, groupId);
        steps.push({ is: change.is, userIds });
        continue;
      }
      const named = namedByFilter(change.filter);
      const chosen = named ?? (await this.chosen(caller, groupId, change.filter));
      const userIds = chosen.filter((userId) => isMemberAfter(steps, userId, isMember.has(userId) || !named));
      if (userIds.length === 0) throw noTarget('No member of the group fulfils the filter.');
      steps.push({ is: 'remove', userIds });
    }
    return steps;
  }

  /** Which of the users that filters name one by one are members. */
  private async membership(
    caller: Caller,
    groupId: string,
    changes: readonly MemberChange[],
  ): Promise<ReadonlySet<string>> {
    const named = changes.flatMap((change) =>
      change.is === 'removeChosen' ? (namedByFilter(change.filter) ?? []) : [],
    );
    if (named.length === 0) return new Set();
    const groups = await this.groups.ofUsers(caller, [...new Set(named)]);
    return new Set(named.filter((userId) => groups.get(userId)?.some(({ id }) => id === groupId)));
  }

  private async all(caller: Caller, groupId: string): Promise<readonly string[]> {
    const members = (await this.groups.members(caller, [groupId], { limit: MOST_COUNTED })).get(groupId) ?? [];
    return members.map(({ userId }) => userId);
  }

  private async chosen(
    caller: Caller,
    groupId: string,
    filter: Parameters<typeof matches>[0],
  ): Promise<readonly string[]> {
    const members = (await this.groups.members(caller, [groupId], { limit: MOST_MEMBERS + 1 })).get(groupId) ?? [];
    if (members.length > MOST_MEMBERS)
      throw tooMany(`The group has more than ${MOST_MEMBERS} members: name those to remove by their IDs.`);
    return members.filter((member) => matches(filter, MEMBERS, toComplex(member))).map(({ userId }) => userId);
  }
}

/** Whether somebody is a member once the steps are made. */
function isMemberAfter(steps: readonly MemberStep[], userId: string, isMember: boolean): boolean {
  return steps.reduce((is, step) => {
    const isNamed = step.userIds.includes(userId);
    if (step.is === 'replace' || step.is === 'empty') return step.is === 'replace' && isNamed;
    return isNamed ? step.is === 'add' : is;
  }, isMember);
}

function toComplex({ userId, displayName }: ManagedGroupMember): Complex {
  return new Map([
    [subOf(MEMBERS, 'value'), userId],
    [subOf(MEMBERS, 'display'), displayName],
    [subOf(MEMBERS, 'type'), 'User'],
  ]);
}
