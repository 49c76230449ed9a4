import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../../foundation/config/config.js';
import { newId } from '../../foundation/crypto/id.js';
import type { Purge } from '../../foundation/database/purge.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { DeviceRequest } from '../../session/auth-request/auth-request.js';
import type { BrowserSession } from '../../session/browser-session.js';
import {
  deviceAnswered,
  deviceExpired,
  deviceUserNotAdmitted,
  noFreeUserCode,
  tooManyOpenCodes,
} from './device.errors.js';
import { type Decision, DeviceAuthorizationRepository, type PendingDevice } from './device-authorization.repository.js';
import { DeviceCodes } from './device-code.js';
import { newUserCode, parseUserCode, shownUserCode, UserCodeHashes } from './user-code.js';

const MOST_CLASHES = 3;
const RETRY_FULL_SECONDS = 60;

/** What a client asks for, checked. */
export interface NewDevice {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly requiredOrgId: string | undefined;
  /** The address of the device. */
  readonly address: string;
}

/** RFC 8628 §3.2. */
export interface BegunDevice {
  readonly deviceCode: string;
  /** The code in the spelling that devices and pages show. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** A device whose code was typed, and its client as it is now. */
export interface FoundByUserCode {
  readonly device: PendingDevice;
  readonly client: Client;
  /** The code in the spelling that devices and pages show. */
  readonly userCode: string;
}

/** Who decides, for which application, and since when their sign-in here has been under way. */
export interface DecidedBy {
  readonly client: Client;
  readonly session: BrowserSession;
  readonly typedAt: Date;
}

/** Requests of devices, from their two codes to the decision of a user (RFC 8628). */
@Injectable()
export class DeviceAuthorizations implements Purge {
  constructor(
    private readonly devices: DeviceAuthorizationRepository,
    private readonly codes: DeviceCodes,
    private readonly hashes: UserCodeHashes,
    private readonly clients: ClientService,
    private readonly userGrants: UserGrantService,
    private readonly tallies: Tallies,
    private readonly config: TokenConfig,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError ResourceExhausted `device.too_many_open_codes` */
  async begin({ client, scopes, resources, requiredOrgId, address }: NewDevice): Promise<BegunDevice> {
    const createdAt = this.clock.now();
    const expiresAt = secondsAfter(createdAt, this.config.deviceSeconds);
    const id = newId();
    for (let clashes = 0; clashes < MOST_CLASHES; clashes += 1) {
      const userCode = newUserCode();
      const outcome = await this.devices.add({
        id,
        userCodeHash: this.hashes.of(userCode),
        clientId: client.id,
        scopes: [...scopes],
        resources: [...resources],
        requiredOrgId: requiredOrgId ?? null,
        network: networkOf(address),
        createdAt,
        expiresAt,
      });
      if (outcome === 'full') throw tooManyOpenCodes(RETRY_FULL_SECONDS);
      if (outcome === 'taken') continue;
      return {
        deviceCode: this.codes.seal({ id, client, expiresAt }),
        userCode: shownUserCode(userCode),
        expiresInSeconds: this.config.deviceSeconds,
        intervalSeconds: this.config.deviceIntervalSeconds,
      };
    }
    throw noFreeUserCode();
  }

  /**
   * The device whose code was typed, if its user can still decide: unknown, expired and used codes look the same (RFC
   * 8628 §5.1), and so do those of applications that may not use them any more. The caller limits guessing.
   */
  async find(typed: string): Promise<FoundByUserCode | undefined> {
    const code = parseUserCode(typed);
    if (code === undefined) return undefined;
    const device = await this.devices.findPending(this.hashes.all(code), this.clock.now());
    const client = device && (await this.clients.findActive(device.clientId));
    if (!device || client?.mayUse('device_code') !== true) return undefined;
    return { device, client, userCode: shownUserCode(code) };
  }

  /**
   * The user's decision, which is the only one: a repeated form of the same session changes nothing.
   * @throws DomainError FailedPrecondition `device.answered`, `device.expired`; PermissionDenied
   * `device.user_not_admitted`
   */
  async decide(
    { id }: DeviceRequest,
    state: Decision['state'],
    { client, session, typedAt }: DecidedBy,
  ): Promise<void> {
    if (state === 'approved') await this.checkRole(session.userId, client);
    const now = this.clock.now();
    const isDecided = await this.devices.decide({
      id,
      state,
      userId: session.userId,
      orgId: session.orgId,
      sessionId: session.id,
      authTime: session.authTime ?? now,
      amr: session.amrAt(now, typedAt),
      tokenEpoch: session.userEpoch,
      now,
    });
    if (isDecided) return this.tallies.add('devices', state);
    const row = await this.devices.find(id);
    if (!row || row.expiresAt <= now) throw deviceExpired();
    if (row.state !== state || row.sessionId !== session.id) throw deviceAnswered();
  }

  /** A project may admit only users who have one of its roles. */
  private async checkRole(userId: string, { project }: Client): Promise<void> {
    if (!project.projectRoleCheck) return;
    if (!(await this.userGrants.holdsRole(userId, project.id))) throw deviceUserNotAdmitted();
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return this.devices.purge(on, now);
  }
}
