import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/client.js';
import { InstanceService } from '../../instance/instance.service.js';
import { UserGrantService } from '../../user-grant/user-grant.service.js';
import { type AccessTokenFacts, parseTokenId } from '../access-token.js';
import { AccessTokens } from '../access-tokens.js';
import { AudienceRules } from '../audience-rules.js';
import { accessOf } from '../removed-access.js';
import { ScopeRules } from '../scope.js';
import { ALL_PROJECTS, type Subject } from '../subject.js';
import { TokenStatus } from '../token-status.js';
import { Urn } from '../urn.js';

/** How often a token may be exchanged in a row: each one names two ids of each one before it. */
const MOST_EXCHANGES = 3;

/** A token that a client may exchange, and the most that it can get for it. */
export interface SubjectToken {
  readonly facts: AccessTokenFacts;
  readonly familyId: string | undefined;
  readonly subject: Subject;
  /** What is exchanged for it ends with these. */
  readonly origins: readonly string[];
  /** Never for the administrative API. */
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
}

export type SubjectRefusal = 'unknown' | 'not_meant' | 'exchanged_too_often' | 'not_admitted';

/** Access tokens of ours that are exchanged for others (RFC 8693 §2.1). */
@Injectable()
export class SubjectTokens {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly status: TokenStatus,
    private readonly audiences: AudienceRules,
    private readonly scopeRules: ScopeRules,
    private readonly instances: InstanceService,
    private readonly userGrants: UserGrantService,
    private readonly urn: Urn,
  ) {}

  async find(token: string, client: Client): Promise<SubjectToken | { readonly refusal: SubjectRefusal }> {
    const facts = await this.accessTokens.read(token);
    const id = facts && parseTokenId(facts.id);
    if (!facts || !id) return { refusal: 'unknown' };
    // Only who the token is meant for: one that was seen in passing is worth nothing.
    if (!(await this.audiences.isMeantFor(facts.audience, client))) return { refusal: 'not_meant' };
    if ((facts.origins?.length ?? 0) >= 2 * MOST_EXCHANGES) return { refusal: 'exchanged_too_often' };
    const subject = await this.status.findSubject(facts, {
      projectIds: client.assertsRoles ? ALL_PROJECTS : undefined,
      metadata: facts.scopes.includes(this.urn.metadata),
    });
    if (!subject) return { refusal: 'unknown' };
    if (!(await this.isAdmitted(subject, client))) return { refusal: 'not_admitted' };
    const origins = [...(facts.origins ?? []), facts.id, accessOf(facts)];
    return { facts, familyId: id.familyId || undefined, subject, origins, ...(await this.limitsOf(facts, client)) };
  }

  /** Within what the token is for, what the client may have, and without the administrative API. */
  private async limitsOf(facts: AccessTokenFacts, client: Client): Promise<Pick<SubjectToken, 'audience' | 'scopes'>> {
    const { systemProjectId } = await this.instances.get();
    const scopes = await this.scopeRules.grantToClient(facts.scopes, client, false);
    return {
      audience: facts.audience.filter((id) => id !== systemProjectId),
      scopes: scopes.filter((scope) => {
        const named = this.urn.audienceOf(scope);
        return named !== this.urn.systemWord && named !== systemProjectId;
      }),
    };
  }

  /** As at the authorization endpoint, and as of now: a project may admit certain users only. */
  private async isAdmitted({ userId, orgId }: Subject, client: Client): Promise<boolean> {
    if (!client.admits(orgId)) return false;
    return !client.project.projectRoleCheck || this.userGrants.holdsRole(userId, client.project.id);
  }
}
