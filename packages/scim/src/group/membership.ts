import type { ManagedGroupMember } from 'gatehouse';
import { noTarget, tooMany } from '../error/scim-error.js';
import { matches } from '../filter/matches.js';
import { type MemberChange, namedByFilter } from '../patch/group-patch.js';
import type { Complex } from '../resource/document.js';
import { subOf } from '../schema/attribute.js';
import { MEMBERS } from '../schema/group.schema.js';

/** What a request makes of the members of a group, whatever it says on the way there. */
export interface MemberNet {
  /** Whether only those who are added remain. */
  readonly replaces: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** How many went when all were removed at once (SCM-013); undefined if nothing has said that. */
  readonly emptied: number | undefined;
}

export const UNCHANGED: MemberNet = { replaces: false, added: [], removed: [], emptied: undefined };

/** What is known of the members before the changes. */
export interface KnownMembers {
  /** Everybody, if a change is about everybody; otherwise empty. */
  readonly all: readonly ManagedGroupMember[];
  /** Members among those whom filters name one by one. */
  readonly named: ReadonlySet<string>;
}

/** Filters that say more than who somebody is look at each member: a request has few of them (SCM-016). */
const MOST_SEARCHES = 10;

export function isAboutAll(change: MemberChange): boolean {
  return change.is === 'empty' || isSearch(change);
}

function isSearch(change: MemberChange): boolean {
  return change.is === 'removeChosen' && namedByFilter(change.filter) === undefined;
}

/**
 * Members are read once, and changed once: the steps of a request between them are made here (SCM-016).
 * @throws ScimError `noTarget` for a filter that finds nobody (SCM-013); `tooMany`
 */
export function netOf(changes: readonly MemberChange[], known: KnownMembers): MemberNet {
  if (changes.filter(isSearch).length > MOST_SEARCHES)
    throw tooMany(`A request has at most ${MOST_SEARCHES} filters of members that say more than their IDs.`);
  const membership = new Membership(known);
  for (const change of changes) membership.make(change);
  return membership.net;
}

class Membership {
  /** Who has been added, and who has been removed. */
  private said = new Map<string, boolean>();
  private replaces = false;
  private emptied: number | undefined;

  constructor(private readonly known: KnownMembers) {}

  make(change: MemberChange): void {
    switch (change.is) {
      case 'empty':
        this.emptied = (this.emptied ?? 0) + this.count();
        return this.replaceBy([]);
      case 'replace':
        return this.replaceBy(change.userIds);
      case 'add':
      case 'remove':
        return this.say(change.userIds, change.is === 'add');
      case 'removeChosen': {
        const chosen = this.chosen(change.filter);
        if (chosen.length === 0) throw noTarget('No member of the group fulfils the filter.');
        this.say(chosen, false);
      }
    }
  }

  get net(): MemberNet {
    const [added, removed] = [true, false].map((is) => [...this.said].flatMap(([id, said]) => (said === is ? id : [])));
    return {
      replaces: this.replaces,
      added: added ?? [],
      removed: this.replaces ? [] : (removed ?? []),
      emptied: this.emptied,
    };
  }

  private chosen(filter: Extract<MemberChange, { is: 'removeChosen' }>['filter']): readonly string[] {
    const named = namedByFilter(filter);
    if (named) return named.filter((userId) => this.has(userId, this.known.named.has(userId)));
    return this.known.all.flatMap((member) =>
      this.has(member.userId, true) && matches(filter, MEMBERS, toComplex(member)) ? member.userId : [],
    );
  }

  private has(userId: string, wasMember: boolean): boolean {
    return this.said.get(userId) ?? (wasMember && !this.replaces);
  }

  private count(): number {
    const others = this.known.all.filter(({ userId }) => !this.said.has(userId) && this.has(userId, true));
    return others.length + this.net.added.length;
  }

  private replaceBy(userIds: readonly string[]): void {
    this.replaces = true;
    this.said = new Map();
    this.say(userIds, true);
  }

  private say(userIds: readonly string[], isMember: boolean): void {
    for (const userId of userIds) this.said.set(userId, isMember);
  }
}

function toComplex({ userId, displayName }: ManagedGroupMember): Complex {
  return new Map([
    [subOf(MEMBERS, 'value'), userId],
    [subOf(MEMBERS, 'display'), displayName],
    [subOf(MEMBERS, 'type'), 'User'],
  ]);
}
