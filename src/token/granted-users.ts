import { Injectable } from '@nestjs/common';
import { newId } from '../foundation/crypto/id.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { journalSql } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { Client } from '../project/client/client.js';
import { UserGrantService } from '../project/user-grant/user-grant.service.js';
import { acrOf } from './acr.js';
import { ALL_PROJECTS, type Subject } from './claims/subject.js';
import { Urn } from './claims/urn.js';
import { SubjectReader } from './subject-reader.js';
import { familyKeyOf } from './token-family.entity.js';
import { askedBy } from './token-status.js';

/** An application is to get tokens for a user whom an extension has named. */
export interface UserClaim {
  readonly userId: string;
  readonly client: Client;
  /** The name of the grant. */
  readonly grantType: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The only organization whose users may get tokens; undefined for any. */
  readonly orgId: string | undefined;
  readonly amr: readonly string[];
  readonly authTime: Date;
  /** The thumbprint of the key that the request has proved. */
  readonly thumbprint: string | undefined;
}

export interface GrantedAccess {
  readonly subject: Subject;
  /** The family of its refresh tokens; undefined without `offline_access`. */
  readonly familyId: string | undefined;
}

export type UserRefusal = 'not-active' | 'of-another-organization' | 'not-admitted' | 'second-factor-missing';

/**
 * Records the sign-in and begins the family of its refresh tokens, if the user is still the one who was read. There is
 * no session: nothing was left in a browser.
 */
const BEGIN = statement<{
  readonly userId: string;
  readonly userEpoch: number;
  readonly familyId: string | null;
  readonly clientId: string;
  readonly grantType: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly amr: readonly string[];
  readonly authTime: Date;
  readonly boundTo: string | null;
  readonly now: Date;
  readonly idleExpiresAt: Date;
  readonly expiresAt: Date;
}>(
  'granted_user.begin',
  `WITH living AS (
     SELECT
       u.id,
       u.org_id,
       u.token_epoch
     FROM user_account u
     JOIN org o ON o.id = u.org_id AND o.state = 'active'
     WHERE u.id = :userId AND u.state = 'active' AND u.token_epoch = :userEpoch),
   family AS (
     INSERT INTO token_family (
       id, client_id, user_id, session_id, scopes, resources, claims, auth_time, amr, acr_requested, token_epoch,
       dpop_jkt, created_at, spent_at, idle_expires_at, expires_at)
     SELECT
       :familyId::text,
       :clientId::text,
       l.id,
       '',
       :scopes::text[],
       :resources::text[],
       NULL,
       :authTime::timestamptz,
       :amr::text[],
       false,
       l.token_epoch,
       :boundTo::text,
       :now::timestamptz,
       :now::timestamptz,
       :idleExpiresAt::timestamptz,
       :expiresAt::timestamptz
     FROM living l
     WHERE :familyId::text IS NOT NULL)
   ${journalSql(
     {
       aggregateType: "'user'",
       aggregateId: 'l.id',
       type: "'user.signed_in'",
       orgId: 'l.org_id',
       editorId: 'l.id',
       at: ':now::timestamptz',
       payload: `jsonb_build_object('clientId', :clientId::text, 'grantType', :grantType::text, 'amr', to_jsonb(:amr::text[]))`,
     },
     'living l',
   )}
   RETURNING aggregate_id AS "userId"`,
).rows<{ readonly userId: string }>();

/** The users whom extensions name (RFC 6749 §4.5), by the rules that hold for every sign-in. */
@Injectable()
export class GrantedUsers {
  constructor(
    private readonly database: Database,
    private readonly subjects: SubjectReader,
    private readonly policies: PolicyService,
    private readonly userGrants: UserGrantService,
    private readonly instances: InstanceService,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {}

  async grant(claim: UserClaim): Promise<GrantedAccess | { readonly refusal: UserRefusal }> {
    const { client, userId, scopes } = claim;
    const subject = await this.subjects.find(userId, {
      projectIds: client.assertsRoles ? ALL_PROJECTS : undefined,
      ...askedBy(scopes, this.urn),
    });
    // Service users have grants of their own.
    if (subject?.kind !== 'human') return { refusal: 'not-active' };
    const refusal = await this.refusalOf(subject, claim);
    return refusal === undefined ? this.begin(subject, claim) : { refusal };
  }

  /** Why the user is not admitted to the application; the rules are those of the authorization endpoint. */
  private async refusalOf(
    { userId, orgId }: Subject,
    { client, orgId: requiredId, amr, authTime }: UserClaim,
  ): Promise<UserRefusal | undefined> {
    if (requiredId !== undefined && orgId !== requiredId) return 'of-another-organization';
    if (!client.admits(orgId)) return 'not-admitted';
    if (client.project.projectRoleCheck && !(await this.userGrants.holdsRole(userId, client.project.id)))
      return 'not-admitted';
    const { forceMfa, forceMfaLocalOnly, secondFactorCheckLifetimeSeconds } = await this.policies.effective(
      'login',
      orgId,
    );
    if (!forceMfa && !forceMfaLocalOnly) return undefined;
    const isRecent = secondsAfter(authTime, secondFactorCheckLifetimeSeconds) > this.clock.now();
    return acrOf(amr) === '2' && isRecent ? undefined : 'second-factor-missing';
  }

  private async begin(
    subject: Subject,
    { client, grantType, scopes, resources, amr, authTime, thumbprint }: UserClaim,
  ): Promise<GrantedAccess | { readonly refusal: UserRefusal }> {
    const instance = await this.instances.get();
    const now = this.clock.now();
    const familyId = scopes.includes('offline_access') ? newId() : undefined;
    const begun = await this.database.atomically(BEGIN, {
      userId: subject.userId,
      userEpoch: subject.userEpoch,
      familyId: familyId ?? null,
      clientId: client.id,
      grantType,
      scopes,
      resources,
      amr,
      authTime,
      boundTo: familyKeyOf(client, thumbprint),
      now,
      idleExpiresAt: secondsAfter(now, instance.refreshIdleSeconds),
      expiresAt: secondsAfter(now, instance.refreshAbsoluteSeconds),
    });
    return begun.length > 0 ? { subject, familyId } : { refusal: 'not-active' };
  }
}
