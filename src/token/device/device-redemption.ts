import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../../foundation/config/config.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Client } from '../../project/client/client.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import { type RememberedValues, sessionParts } from '../../session/session-client-sql.js';
import { ALL_PROJECTS, SUBJECT_JOINS, type Subject, subjectColumn } from '../claims/subject.js';
import { Urn } from '../claims/urn.js';
import { isRemovedSince } from '../removed-access.js';
import { familyKeyOf } from '../token-family.entity.js';
import { DeviceAuthorization } from './device-authorization.entity.js';
import { DeviceAuthorizationRepository, type PolledState } from './device-authorization.repository.js';
import { type DeviceCode, DeviceCodes } from './device-code.js';
import { PollIntervals } from './poll-intervals.js';

/** A device code that was exchanged: who has approved it, and for what. */
export interface RedeemedDevice {
  readonly subject: Subject;
  readonly id: string;
  readonly grantedScopes: readonly string[];
  readonly grantedResources: readonly string[];
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly sessionId: string;
  readonly hasFamily: boolean;
}

export type DeviceRefusal =
  | 'unknown'
  | 'of-another-client'
  | 'too-early'
  | 'expired'
  | 'pending'
  | 'denied'
  | 'user-not-active'
  | 'used';

/**
 * Like the redemption of a code (`code-redemption.ts`), one statement whose row count decides: the device code is used
 * up, its refresh tokens begin if `offline_access` was granted, and the user is read if nothing about them has changed
 * since they approved it (CVE-2026-88770 was a server that did not look again).
 */
function redeemSql(isRemembered: boolean): string {
  const session = sessionParts(isRemembered);
  return `WITH redeemed AS (
     UPDATE device_authorization SET redeemed_at = :now
     WHERE id = :id AND client_id = :clientId AND state = 'approved' AND redeemed_at IS NULL AND expires_at > :now
     RETURNING *),${session.held}
   living AS (
     SELECT r.*, ${subjectColumn(':projectIds', ':metadataScope = ANY(r.scopes)', `'groups' = ANY(r.scopes)`)}
     FROM redeemed r
     JOIN user_account u ON u.id = r.user_id AND u.state = 'active' AND u.token_epoch = r.token_epoch
     ${SUBJECT_JOINS}
     WHERE ${session.isLiving} AND NOT ${isRemovedSince('created_at')}),${session.remembered}
   family AS (
     INSERT INTO token_family (
       id, client_id, user_id, session_id, scopes, resources, claims, auth_time, amr, acr_requested, token_epoch,
       dpop_jkt, created_at, spent_at, idle_expires_at, expires_at)
     SELECT
       id,
       client_id,
       user_id,
       session_id,
       scopes,
       resources,
       NULL,
       auth_time,
       amr,
       false,
       token_epoch,
       :boundTo,
       :now,
       :now,
       :idleExpiresAt,
       :expiresAt
     FROM living
     WHERE 'offline_access' = ANY(scopes) AND :mayRefresh::boolean
     RETURNING id)
   SELECT
     l.subject,
     l.scopes AS "grantedScopes",
     l.resources AS "grantedResources",
     ${columnsOf(DeviceAuthorization, 'l', ['id', 'authTime', 'amr', 'sessionId'])},
     EXISTS (SELECT 1 FROM family) AS "hasFamily"
   FROM redeemed r
   LEFT JOIN living l ON l.id = r.id`;
}

interface RedeemValues {
  readonly id: string;
  readonly now: Date;
  /** The thumbprint of the key to which the family of refresh tokens is bound. */
  readonly boundTo: string | null;
  readonly clientId: string;
  /** Refresh tokens may have been taken from the application since. */
  readonly mayRefresh: boolean;
  readonly projectIds: readonly string[] | null;
  readonly metadataScope: string;
  readonly idleExpiresAt: Date;
  readonly expiresAt: Date;
}

const REDEEM = statement<RedeemValues>('device_authorization.redeem', redeemSql(false)).rows<
  RedeemedDevice | { id: null }
>();

/** Also records the application, for those that must be told of the end of the session. */
const REDEEM_AND_REMEMBER = statement<RedeemValues & RememberedValues>(
  'device_authorization.redeem_and_remember',
  redeemSql(true),
).rows<RedeemedDevice | { id: null }>();

/** Answers the questions of devices, and exchanges what their users have approved (RFC 8628 §3.4, §3.5). */
@Injectable()
export class DeviceRedemption {
  private readonly polls: PollIntervals;

  constructor(
    private readonly devices: DeviceAuthorizationRepository,
    private readonly codes: DeviceCodes,
    private readonly userGrants: UserGrantService,
    private readonly instances: InstanceService,
    private readonly database: Database,
    private readonly urn: Urn,
    private readonly clock: Clock,
    config: TokenConfig,
  ) {
    this.polls = new PollIntervals(config.deviceIntervalSeconds);
  }

  async redeem(
    text: string,
    client: Client,
    thumbprint: string | undefined,
  ): Promise<RedeemedDevice | { readonly refusal: DeviceRefusal }> {
    const code = this.codes.open(text);
    if (!code) return { refusal: 'unknown' };
    // The code of another client is neither spent nor looked at: its own client must still succeed (CVE-2026-55672).
    if (code.clientId !== client.id || code.clientEpoch !== client.clientEpoch) return { refusal: 'of-another-client' };
    const now = this.clock.now();
    if (this.polls.isTooEarly(code.id, now)) return { refusal: 'too-early' };
    if (code.expiresAt <= now) return { refusal: 'expired' };
    const polled = await this.devices.findState(code.id);
    if (!polled) return { refusal: 'unknown' };
    if (polled.isRedeemed) return { refusal: 'used' }; // The statement decides which of several polls at the same moment wins.
    if (polled.state !== 'approved') return { refusal: polled.state };
    if (!(await this.isAdmitted(polled, client))) return { refusal: 'user-not-active' };
    return this.exchange(code, client, { now, boundTo: familyKeyOf(client, thumbprint) });
  }

  private async exchange(
    { id }: DeviceCode,
    client: Client,
    { now, boundTo }: { readonly now: Date; readonly boundTo: string | null },
  ): Promise<RedeemedDevice | { readonly refusal: DeviceRefusal }> {
    const instance = await this.instances.get();
    const values = {
      id,
      now,
      mayRefresh: client.mayUse('refresh_token'),
      clientId: client.id,
      boundTo,
      projectIds: client.assertsRoles ? ALL_PROJECTS : null,
      metadataScope: this.urn.metadata,
      idleExpiresAt: secondsAfter(now, instance.refreshIdleSeconds),
      expiresAt: secondsAfter(now, instance.refreshAbsoluteSeconds),
    };
    const [row] = client.isToldOfLogout
      ? await this.database.query(REDEEM_AND_REMEMBER, { ...values, clientEpoch: client.clientEpoch })
      : await this.database.query(REDEEM, values);
    if (!row) return { refusal: 'used' };
    return row.id === null ? { refusal: 'user-not-active' } : row;
  }

  /** Whether the project still admits the user; the rules are those of the authorization endpoint. */
  private async isAdmitted({ userId, orgId }: PolledState, client: Client): Promise<boolean> {
    if (userId === null || orgId === null || !client.admits(orgId)) return false;
    return !client.project.projectRoleCheck || this.userGrants.holdsRole(userId, client.project.id);
  }
}
