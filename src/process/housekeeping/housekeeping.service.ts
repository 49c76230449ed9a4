import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { tryLock } from '../../foundation/database/advisory-lock.js';
import { Database } from '../../foundation/database/database.js';
import type { Purge } from '../../foundation/database/purge.js';
import { DayCounts } from '../../foundation/day-count/day-counts.js';
import { Logger } from '../../foundation/log/logger.js';
import { Clock } from '../../foundation/time/clock.js';
import { Tracer } from '../../foundation/trace/tracer.js';
import { IdpLogins } from '../../idp/idp-logins.js';
import { ClientUses } from '../../project/client/client-uses.js';
import { RegistrationTokens } from '../../project/client/registration/registration-tokens.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import { LogoutQueue } from '../../session/logout-queue.js';
import { SessionService } from '../../session/session.service.js';
import { AssertionUse } from '../../token/assertion-use.js';
import { DeviceAuthorizations } from '../../token/device/device-authorizations.js';
import { ProofsOfKeys } from '../../token/proof/proofs-of-keys.js';
import { TokenEnds } from '../../token/token-ends.js';
import { AccountRemovals } from '../../user/account-removals.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { Outbox } from '../../user/outbox/outbox.js';
import { PasswordMixes } from '../../user/password-mixes.js';
import { PendingEmails } from '../../user/pending-emails.js';
import { Registrations } from '../../user/registrations.js';
import { WebhookQueue } from '../../webhook/webhook-queue.js';

const EVERY_MS = 60_000;

/** Deletes expired rows. One process at a time; in small batches, so that no request waits for it. */
@Injectable()
export class HousekeepingService implements OnApplicationShutdown {
  private readonly purges: readonly Purge[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    requests: AuthRequestService,
    devices: DeviceAuthorizations,
    sessions: SessionService,
    notices: LogoutQueue,
    deliveries: WebhookQueue,
    ends: TokenEnds,
    assertions: AssertionUse,
    proofs: ProofsOfKeys,
    attempts: AttemptService,
    outbox: Outbox,
    idpLogins: IdpLogins,
    registrations: Registrations,
    factors: FactorService,
    keys: PasskeyService,
    pendingEmails: PendingEmails,
    clientUses: ClientUses,
    counts: DayCounts,
    registrationTokens: RegistrationTokens,
    private readonly removals: AccountRemovals,
    private readonly mixes: PasswordMixes,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly tracer: Tracer,
  ) {
    this.purges = [
      requests,
      devices,
      sessions,
      notices,
      deliveries,
      ends,
      assertions,
      proofs,
      attempts,
      outbox,
      idpLogins,
      registrations,
      factors,
      keys,
      pendingEmails,
      clientUses,
      counts,
      registrationTokens,
    ];
  }

  /** Starts cleaning up in the background. */
  start(): void {
    this.timer = setInterval(() => {
      this.clean().catch((error: unknown) => this.log.error({ err: error }, 'housekeeping failed'));
    }, EVERY_MS);
    this.timer.unref();
  }

  /** What happens once a minute. */
  async clean(): Promise<void> {
    await this.tracer.job('housekeeping', async () => {
      await this.run();
      await this.mixes.countIfDue();
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One round: batches of every kind until nothing is left. Returns the number of deleted rows and accounts. */
  async run(): Promise<number> {
    let total = 0;
    for (;;) {
      const deleted = await this.runOnce();
      if (deleted === 0) return total + (await this.removals.removeDue());
      total += deleted;
    }
  }

  private async runOnce(): Promise<number> {
    return this.database.transaction(async (tx) => {
      if (!(await tryLock(tx, 'purge'))) return 0;
      const now = this.clock.now();
      let deleted = 0;
      for (const purge of this.purges) deleted += await purge.purge(tx, now);
      return deleted;
    });
  }
}
