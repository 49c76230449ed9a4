import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { DeliveryLanes } from '../../foundation/delivery/delivery-lanes.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Logger } from '../../foundation/log/logger.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { Clock } from '../../foundation/time/clock.js';
import { runningSpan } from '../../foundation/trace/span.js';
import { Tracer } from '../../foundation/trace/tracer.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { type ClaimedNotice, LogoutQueue } from '../../session/logout-queue.js';
import { KeyService } from '../key/key.service.js';
import { type CallOutcome, delayAfter, outcomeOfError, outcomeOfStatus } from './logout-call.js';
import { LOGOUT_TOKEN_TYPE, logoutClaims } from './logout-token.js';

/** Calls at once: more than one session usually has applications, so that one that hangs delays no other. */
const LANES = 20;
/** The limit for a whole call. An application only has to delete a session. */
const CALL_LIMIT_MS = 5_000;
/** How long a stopping process waits for the calls that are under way. */
const STOP_MS = 2_000;

/** Tells applications that sessions have ended (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class LogoutWorker implements OnModuleDestroy {
  private readonly stop = new AbortController();
  private readonly lanes: DeliveryLanes<ClaimedNotice>;

  constructor(
    private readonly queue: LogoutQueue,
    private readonly clients: ClientService,
    private readonly keys: KeyService,
    private readonly outbound: OutboundClient,
    private readonly issuer: IssuerConfig,
    private readonly changes: ChangeChannel,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
    private readonly log: Logger,
    tracer: Tracer,
  ) {
    const deliveries = {
      noun: 'logout notice' as const,
      lanes: LANES,
      claim: async (free: number, underWay: ReadonlySet<ClaimedNotice>) =>
        this.queue.claim(
          free,
          [...underWay].map(({ clientId }) => clientId),
        ),
      deliver: async (notice: ClaimedNotice) => this.deliver(notice),
      describe: ({ id, clientId }: ClaimedNotice) => ({ noticeId: id, clientId }),
    };
    this.lanes = new DeliveryLanes(deliveries, log, tracer);
  }

  /** Starts calling in the background; resolves when it has looked for what is due. */
  async start(): Promise<void> {
    this.changes.on('logout-notice', () => void this.lanes.fill());
    await this.lanes.fill();
  }

  /** Delivers what is due, and resolves when nothing is. */
  async run(): Promise<void> {
    await this.lanes.run();
  }

  /** Nest closes the database after this hook: the outcomes must still be stored. */
  async onModuleDestroy(): Promise<void> {
    await this.lanes.stop(STOP_MS, () => this.stop.abort());
  }

  private async deliver(notice: ClaimedNotice): Promise<void> {
    const client = await this.clients.findActive(notice.clientId);
    // The address is the one of this moment, and another application may have the client id by now.
    if (!client?.isToldOfLogout || client.clientEpoch !== notice.clientEpoch) {
      await this.queue.settle(notice, 'withdrawn', 'The application is gone, or has no back-channel logout URI.');
      return;
    }
    const outcome = await this.call(notice, client);
    // The call was broken off by the end of this process: another one repeats it when the claim expires.
    if (outcome.kind !== 'accepted' && this.stop.signal.aborted) return;
    await this.record(notice, outcome);
  }

  /** Back-Channel Logout 1.0 §2.5. The token is made for this attempt, with the key of this moment. */
  private async call(notice: ClaimedNotice, client: Client): Promise<CallOutcome> {
    try {
      const signer = await this.keys.signer(client.isStrict ? 'strict' : 'general');
      const ended = { ...notice, issuer: this.issuer.publicUrl };
      const token = await signer.sign(LOGOUT_TOKEN_TYPE, logoutClaims(ended, this.clock.nowSeconds()));
      const { status } = await this.outbound.send({
        url: client.settings.backChannelLogoutUri,
        ownerId: client.project.orgId,
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
        timeoutMs: CALL_LIMIT_MS,
        signal: this.stop.signal,
        isBodyIgnored: true,
      });
      return outcomeOfStatus(status);
    } catch (error) {
      if (!(error instanceof DomainError)) this.log.error({ err: error, noticeId: notice.id }, 'logout call not made');
      return outcomeOfError(error);
    }
  }

  private async record(notice: ClaimedNotice, outcome: CallOutcome): Promise<void> {
    const { id: noticeId, clientId, tries } = notice;
    if (outcome.kind === 'accepted') {
      await this.queue.markDelivered(notice);
      this.tallies.add('logoutCalls', 'accepted');
      return;
    }
    this.tallies.add('logoutCalls', outcome.kind);
    runningSpan()?.fail(outcome.kind);
    const { reason } = outcome;
    const retryInSeconds = outcome.kind === 'failed' ? delayAfter(tries) : undefined;
    if (retryInSeconds === undefined) {
      await this.queue.settle(notice, 'dead', reason);
      this.log.warn({ noticeId, clientId, tries }, 'logout notice given up; ListLogoutNotices says why');
    } else {
      await this.queue.postpone(notice, retryInSeconds, reason);
      this.log.info({ noticeId, clientId, tries, retryInSeconds }, 'logout notice not delivered');
    }
  }
}
