import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { JwtRefused } from '../../foundation/crypto/jwt-verifier.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { ReferencedRequests } from '../../project/client/referenced-requests.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { PageRefusal } from './page-refusal.js';
import { PushedRequests, withoutCredentials } from './pushed-request.js';
import { RequestObjects } from './request-object.js';
import { isUnsignedOrEncrypted } from './signed-request.js';

/** The parameters of an authorization request, wherever they were. */
export interface AskedRequest {
  readonly form: Form;
  /** Whether the parameters come from a signed request object. */
  readonly isSigned: boolean;
  /** The client has pushed them (RFC 9126). */
  readonly pushedId: string | undefined;
  /**
   * Why a request object cannot be used. `form` then holds the parameters beside it, which say where to send the
   * refusal.
   */
  readonly refused: OAuthError | undefined;
}

const PLAIN = { isSigned: false, pushedId: undefined, refused: undefined } as const;

/** Finds the parameters of a request: in the query or form, in a signed object, there or fetched, or pushed before. */
@Injectable()
export class AskedRequests {
  constructor(
    private readonly clients: ClientService,
    private readonly pushed: PushedRequests,
    private readonly objects: RequestObjects,
    private readonly references: ReferencedRequests,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws PageRefusal for a `request_uri` that is not this client's: there is no address yet that could be trusted
   * @throws DomainError ResourceExhausted for too many objects of one host
   */
  async read(sent: Form): Promise<AskedRequest> {
    const requestUri = sent.find('request_uri');
    if (this.pushed.isPushed(requestUri)) return this.readPushed(requestUri, sent.find('client_id'));
    const reference = this.issuer.fetchesRequestObjects ? requestUri : undefined;
    const hasObject = sent.find('request') !== undefined || reference !== undefined;
    const client = hasObject ? await this.clientOf(sent) : undefined;
    if (!client) return { ...PLAIN, form: sent };
    try {
      return await (reference === undefined
        ? this.readObject(sent, client)
        : this.readReference(reference, sent, client));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return { ...PLAIN, form: sent, refused: error };
    }
  }

  /**
   * What a client pushes.
   * @throws OAuthError `invalid_request_object`
   */
  async readPush(sent: Form, client: Client): Promise<Omit<AskedRequest, 'pushedId'>> {
    const object = sent.find('request');
    if (object === undefined) return { ...PLAIN, form: withoutCredentials(client, sent) };
    // RFC 9101 §6: the endpoint takes request objects, and this one is not good.
    if (isUnsignedOrEncrypted(object)) throw refusal.requestObjectBad(new JwtRefused('unsigned'));
    return this.readObject(sent, client);
  }

  private async readObject(sent: Form, client: Client): Promise<AskedRequest> {
    return { ...PLAIN, form: await this.objects.open(sent.find('request') ?? '', client, sent), isSigned: true };
  }

  /**
   * OIDC Core §6.2, RFC 9101 §5.2. Nothing is fetched for a request that would be refused whatever is there.
   * @throws OAuthError `invalid_request_uri` for whatever is wrong with it (RFC 9101 §7)
   */
  private async readReference(requestUri: string, sent: Form, client: Client): Promise<AskedRequest> {
    if (sent.isGiven('request')) throw refusal.requestTwice(); // OIDC Core §6.1
    if (!client.hasRequestUri(requestUri)) throw refusal.requestUriBad('unregistered');
    if (client.mustPush || this.issuer.requiresPushedRequests) throw refusal.requestNotPushed();
    const text = await this.fetch(requestUri, client);
    try {
      return { ...PLAIN, form: await this.objects.open(text, client, sent), isSigned: true };
    } catch (error) {
      throw error instanceof OAuthError ? refusal.requestUriBad('object_bad', error) : error;
    }
  }

  private async fetch(requestUri: string, client: Client): Promise<string> {
    try {
      return await this.references.read(client, requestUri);
    } catch (error) {
      const isRefused = error instanceof DomainError && error.kind !== 'Internal' && error.kind !== 'ResourceExhausted';
      throw isRefused ? refusal.requestUriBad('unreadable', error) : error;
    }
  }

  private async clientOf(sent: Form): Promise<Client | undefined> {
    const clientId = sent.find('client_id');
    return clientId === undefined ? undefined : this.clients.findActive(clientId);
  }

  /** RFC 9126 §4, RFC 9101 §6.3: besides `client_id`, which must be that of the push, no other parameter counts. */
  private async readPushed(requestUri: string, clientId: string | undefined): Promise<AskedRequest> {
    const request = this.pushed.open(requestUri);
    if (!request) throw unusable('unknown');
    if (clientId === undefined || clientId !== request.form.find('client_id')) throw unusable('of_another_client');
    const client = await this.clients.findActive(clientId);
    if (client?.hasHadEpoch(request.clientEpoch) !== true) throw unusable('of_a_former_client');
    if (request.expiresAt <= this.clock.now())
      throw new PageRefusal('invalidRequest', 'invalid_request_uri: the request_uri has expired', false, {
        because: 'expired',
      });
    return { ...PLAIN, form: request.form, isSigned: request.isSigned, pushedId: request.id };
  }
}

/** The page shows the error code; the `request_uri` itself means nothing to a reader. */
function unusable(because: string): PageRefusal {
  return new PageRefusal('invalidRequest', 'invalid_request_uri', false, { because });
}
