import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { LoginConfig } from '../../foundation/config/config.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { maxAgeOf } from '../../foundation/http/cache-control.js';
import { type DocumentPlace, RemoteDocuments } from '../../foundation/jwk-set/remote-documents.js';
import { Logger } from '../../foundation/log/logger.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { statusUnexpected } from '../../foundation/outbound/outbound.errors.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from './client.js';
import { withoutFragment } from './request-uri.js';

/** Longer request objects are refused before anything is parsed. */
export const MAX_OBJECT_CHARACTERS = 16_384;
/** A short limit, because a browser is waiting. */
const MAX_MS = 5_000;
/**
 * Anybody can send a browser here with a client's address; without this pause, each request would call a failing server
 * again.
 */
const REST_AFTER_FAILURE_SECONDS = 10;
/** Per organization and host: the most load that strangers can make us put on a host. */
const FETCHES_PER_SECOND = 20;
const MAX_CACHE_SECONDS = 3_600;
/** RFC 9101 §5.2.3, and what servers of files say. What counts is whether a signed object is there. */
const ACCEPT = 'application/oauth-authz-req+jwt, application/jwt, */*;q=0.1';

interface Fetched {
  readonly text: string;
  readonly validSeconds: number;
}

/** The result of too many requests: it is no failure of the server, and ends with the second. */
interface Limited {
  readonly limited: DomainError;
  readonly validSeconds: 0;
}

/** Request objects at the addresses that clients have registered (OIDC Core §6.2, RFC 9101 §5.2). */
@Injectable()
export class ReferencedRequests {
  private readonly documents: RemoteDocuments<Fetched | Limited>;
  private readonly rate = new RequestRate(FETCHES_PER_SECOND, 1);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly limits: LoginConfig,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.documents = new RemoteDocuments(
      clock,
      (place) => this.load(place),
      REST_AFTER_FAILURE_SECONDS,
      ({ validSeconds }) => validSeconds,
    );
  }

  /**
   * Reads one of the client's addresses, whatever it contains. Requests at the same time share what is fetched, and it
   * is kept for as long as its server says; another fragment is another address (OIDC Core §6.2).
   * @throws DomainError `outbound.…` which says what failed; ResourceExhausted `request.too_many`
   */
  async read(client: Client, requestUri: string): Promise<string> {
    const found = await this.documents.get({ url: requestUri, ownerId: client.project.orgId });
    if ('limited' in found) throw found.limited;
    return found.text;
  }

  private async load({ url, ownerId }: DocumentPlace): Promise<Fetched | Limited> {
    const address = withoutFragment(url);
    try {
      this.count(ownerId, address);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.tallies.add('requestObjects', 'limited');
      return { limited: error, validSeconds: 0 };
    }
    try {
      const fetched = await this.fetch(address, ownerId);
      this.tallies.add('requestObjects', 'read');
      return fetched;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'Internal') throw error;
      this.tallies.add('requestObjects', 'refused');
      this.log.warn(
        { reason: 'client.request_object_unreadable', detail: error.reason, problem: error.message, url: address },
        'request object of an application unreadable',
      );
      throw error;
    }
  }

  private count(ownerId: string, address: string): void {
    if (this.limits.limits) this.rate.count(`${ownerId} ${new URL(address).host}`, this.clock.now());
  }

  private async fetch(url: string, ownerId: string): Promise<Fetched> {
    const { status, headers, body } = await this.outbound.send({
      url,
      ownerId,
      share: shareOf(ownerId),
      headers: { Accept: ACCEPT },
      maxBytes: MAX_OBJECT_CHARACTERS,
      timeoutMs: MAX_MS,
    });
    if (status !== 200) throw statusUnexpected(new URL(url).host, status);
    // A JWT is ASCII; any other byte is none of its characters (RFC 7515 §7.1). Files end with a line break.
    const validSeconds = validSecondsOf(headers['cache-control'], Number(headers.age ?? 0));
    return { text: body.toString('latin1').trim(), validSeconds };
  }
}

/**
 * A share of connections of its own: browsers decide when these calls are made, and slow servers must not delay what
 * else is fetched for the organization, such as the keys of its applications and providers. Names are looked up as for
 * everything else of it.
 */
function shareOf(orgId: string): string {
  return `${orgId} request objects`;
}

/**
 * How long the object may be kept, at most an hour; not at all unless its server says so (RFC 9111 §5.2.2). A cache on
 * the way may have had it for `ageSeconds` (RFC 9111 §4.2.3).
 */
function validSecondsOf(cacheControl: string | undefined, ageSeconds: number): number {
  return Math.max(0, Math.min((maxAgeOf(cacheControl) ?? 0) - (ageSeconds || 0), MAX_CACHE_SECONDS));
}
