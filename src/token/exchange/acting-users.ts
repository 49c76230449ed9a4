import { Injectable } from '@nestjs/common';
import { membershipsThrough } from '../../user/permission/calling-application.js';
import { Rights } from '../../user/permission/rights.js';
import { RoleBook } from '../../user/permission/role-book.js';
import type { TokenActor } from '../access-token.js';
import { type ActedFor, type ActingUser, TokenStatus } from '../token-status.js';
import type { GivenToken } from './given-tokens.js';

export type ActorRefusal = 'actor_unknown' | 'actor_acts_already' | 'actor_is_subject' | 'actor_not_allowed';

export interface RefusedActor {
  readonly refusal: ActorRefusal;
  /** The user whose token was sent as the actor's, for the log. */
  readonly actorId: string;
}

/** Users who act for others (RFC 8693 §1.1), as proved by a token of their own. */
@Injectable()
export class ActingUsers {
  constructor(
    private readonly status: TokenStatus,
    private readonly book: RoleBook,
  ) {}

  /**
   * `mayAct`: the only user who may, as the token of the subject says (RFC 8693 §4.4); undefined if the roles decide.
   */
  async find(
    { bonds, exchange }: GivenToken,
    subjectId: string,
    mayAct: string | undefined,
  ): Promise<TokenActor | RefusedActor> {
    const refused = (refusal: ActorRefusal): RefusedActor => ({ refusal, actorId: bonds.userId });
    // Rights that are lent are not passed on (TEX-008).
    if (exchange && exchange.actors.length > 0) return refused('actor_acts_already');
    if (bonds.userId === subjectId) return refused('actor_is_subject');
    const acting = await this.status.findActing(bonds, subjectId);
    if (!acting) return refused('actor_unknown');
    if (!this.isAllowed(acting, mayAct)) return refused('actor_not_allowed');
    return {
      userId: acting.userId,
      userEpoch: acting.userEpoch,
      sessionId: bonds.sessionId,
      since: bonds.issuedAt,
      endIds: bonds.endIds.filter((id) => id !== ''),
    };
  }

  private isAllowed({ userId, memberships, application, subject }: ActingUser, mayAct: string | undefined): boolean {
    if (!subject) return false;
    if (mayAct !== undefined) return mayAct === userId;
    // The rule of the administrative API: an application gains nothing from roles that its users hold elsewhere.
    const counting = application ? membershipsThrough(application, memberships) : memberships;
    return mayActFor(new Rights(counting, this.book), subject);
  }
}

/**
 * Whether the rights suffice to act for a user: for a manager or a service user, one must be allowed to act for
 * managers wherever that user manages something (TEX-007).
 */
function mayActFor(rights: Rights, { kind, orgId, memberships }: ActedFor): boolean {
  if (kind === 'human' && memberships.length === 0) return rights.may('user.impersonate', { orgId });
  return (
    rights.may('user.impersonate.admin', { orgId }) &&
    memberships.every((managed) =>
      managed.level === 'instance'
        ? rights.mayEverywhere('user.impersonate.admin')
        : rights.may('user.impersonate.admin', { orgId: managed.orgId }),
    )
  );
}
