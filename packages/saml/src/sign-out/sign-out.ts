import { Injectable } from '@nestjs/common';
import { Clock, Pages, SignIns } from 'gatehouse';
import { type RegisteredApplication, RegisteredApplications } from '../application/registered-applications.js';
import type { ReceivedMessage } from '../bindings/message.js';
import { OurEntity } from '../entity/our-entity.js';
import { claimedLogoutIssuer, readLogoutRequest, writeLogoutRequest } from '../logout/logout-request.js';
import { type LogoutOutcome, readLogoutResponse, writeLogoutResponse } from '../logout/logout-response.js';
import { isSameNameId } from '../protocol/name-id.js';
import { SamlRefusal } from '../refusal.js';
import { type Exchange, RefusalPages } from '../sign-in/refusal-pages.js';
import { FrontChannel, logoutEndpoint } from './front-channel.js';
import { type LogoutOrder, LogoutOrders } from './logout-order.js';
import { type Logout, Logouts } from './logouts.js';
import { type Participant, Participants } from './participants.js';

/** SAML Profiles §4.4: an application signs a user out, here and at all others of the session. */
@Injectable()
export class SignOut {
  constructor(
    private readonly applications: RegisteredApplications,
    private readonly entity: OurEntity,
    private readonly participants: Participants,
    private readonly logouts: Logouts,
    private readonly orders: LogoutOrders,
    private readonly channel: FrontChannel,
    private readonly refusals: RefusalPages,
    private readonly pages: Pages,
    private readonly signIns: SignIns,
    private readonly clock: Clock,
  ) {}

  /** @throws SamlRefusal for a page: nobody is signed out */
  async request(exchange: Exchange, message: ReceivedMessage): Promise<void> {
    const entityId = claimedLogoutIssuer(message);
    const application = await this.applications.byEntity(entityId);
    if (!application) return this.refusals.show(exchange, 'application-unknown', entityId);
    const { id, nameId, sessionIndexes } = readLogoutRequest(message, this.expected(application));
    const { relayState } = message;
    // The database keeps no such text.
    if (relayState?.includes('\0')) throw new SamlRefusal('value_malformed', 'RelayState');
    const order: LogoutOrder = {
      clientId: application.clientId,
      requestId: id,
      nameId,
      sessionIndexes,
      ...(relayState === undefined ? {} : { relayState }),
    };
    if (message.binding === 'redirect') return this.carryOut(exchange, order);
    // A form of another site comes without our cookie; the redirect that answers it is followed with it.
    const sealed = encodeURIComponent(this.orders.seal(order));
    this.pages.redirect(exchange.request, exchange.response, `${this.entity.logoutUrl}/continue?order=${sealed}`);
  }

  /** @throws SamlRefusal if nothing was ordered */
  async continue(exchange: Exchange, sealed: string): Promise<void> {
    await this.carryOut(exchange, this.orders.open(sealed));
  }

  /**
   * What the application that was asked last has done.
   * @throws SamlRefusal `response_of_other_request`
   */
  async response(exchange: Exchange, message: ReceivedMessage): Promise<void> {
    const logout = await this.logouts.find(message.relayState);
    const asked = logout && (await this.participants.next(logout.id));
    if (!asked || logout.askedRequestId === null) throw new SamlRefusal('response_of_other_request');
    const outcome = await this.outcomeOf(message, asked, logout.askedRequestId);
    await this.logouts.told(logout.id, asked, outcome !== 'done');
    await this.goOn(exchange, logout.id);
  }

  /** Only whom the application knows under that name, and only in this browser. */
  private async carryOut(exchange: Exchange, order: LogoutOrder): Promise<void> {
    const application = await this.applications.byId(order.clientId);
    if (!application || !logoutEndpoint(application.serviceProvider))
      return this.refusals.show(exchange, 'return-address-unknown');
    const named = await this.namedBy(exchange, application, order);
    const { requestId, relayState, clientId } = order;
    const [first] = named;
    if (!first) return this.answer(exchange, application, { requestId, relayState, outcome: 'failed' });
    const sessionIds = named.map(({ sessionId }) => sessionId);
    await this.signIns.end(sessionIds);
    const { userId } = first;
    await this.goOn(exchange, await this.logouts.begin({ clientId, userId, requestId, relayState, sessionIds }));
  }

  private async namedBy(
    { request }: Exchange,
    { clientId, serviceProvider }: RegisteredApplication,
    { nameId, sessionIndexes }: LogoutOrder,
  ): Promise<readonly Participant[]> {
    const sessions = await this.signIns.sessionsOf(request);
    const parties = { identityProvider: this.entity.entityId, serviceProvider: serviceProvider.entityId };
    const ids = sessions.map(({ id }) => id);
    return (await this.participants.of(clientId, ids)).filter(
      (one) =>
        isSameNameId(one.nameId, nameId, parties) &&
        (sessionIndexes.length === 0 || sessionIndexes.includes(one.sessionId)) &&
        sessions.some(({ id, userId }) => id === one.sessionId && userId === one.userId),
    );
  }

  /** To the next application, and in the end back to the one that has begun. */
  private async goOn(exchange: Exchange, logoutId: string): Promise<void> {
    const logout = await this.logouts.find(logoutId);
    if (!logout) throw new SamlRefusal('response_of_other_request');
    const participant = await this.participants.next(logoutId);
    if (!participant) return this.finish(exchange, logout);
    const application = await this.applications.byId(participant.clientId);
    const endpoint = application && logoutEndpoint(application.serviceProvider);
    if (!endpoint) {
      await this.logouts.told(logoutId, participant, true);
      return this.goOn(exchange, logoutId);
    }
    const outgoing = writeLogoutRequest({
      issuer: this.entity.entityId,
      destination: endpoint.url,
      nameId: participant.nameId,
      sessionIndexes: [participant.sessionId],
      now: this.clock.now(),
    });
    await this.logouts.ask(logoutId, participant.clientId, outgoing.id);
    await this.channel.send(exchange, endpoint, outgoing, { ours: logoutId });
  }

  private async finish(exchange: Exchange, { id, clientId, requestId, relayState, isPartial }: Logout): Promise<void> {
    await this.logouts.end(id);
    const application = await this.applications.byId(clientId);
    if (!application) return this.refusals.show(exchange, 'return-address-unknown');
    const outcome = isPartial ? 'partial' : 'done';
    await this.answer(exchange, application, { requestId, relayState: relayState ?? undefined, outcome });
  }

  private async answer(
    exchange: Exchange,
    { serviceProvider }: RegisteredApplication,
    told: {
      readonly requestId: string;
      readonly relayState: string | undefined;
      readonly outcome: LogoutOutcome;
    },
  ): Promise<void> {
    const endpoint = logoutEndpoint(serviceProvider);
    if (!endpoint) return this.refusals.show(exchange, 'return-address-unknown');
    const { requestId, relayState: theirs, outcome } = told;
    const outgoing = writeLogoutResponse({
      issuer: this.entity.entityId,
      destination: endpoint.responseUrl ?? endpoint.url,
      requestId,
      outcome,
      now: this.clock.now(),
    });
    await this.channel.send(exchange, endpoint, outgoing, theirs === undefined ? undefined : { theirs });
  }

  /** An answer that proves nothing is one that says nothing: the others are told all the same. */
  private async outcomeOf(message: ReceivedMessage, asked: Participant, requestId: string): Promise<LogoutOutcome> {
    const application = await this.applications.byId(asked.clientId);
    if (!application) return 'failed';
    try {
      return readLogoutResponse(message, { ...this.expected(application), requestId });
    } catch (error) {
      if (!(error instanceof SamlRefusal) || error.reason === 'response_of_other_request') throw error;
      this.refusals.tell(error);
      return 'failed';
    }
  }

  private expected({ serviceProvider }: RegisteredApplication) {
    return { partner: serviceProvider, destination: this.entity.logoutUrl, now: this.clock.now() };
  }
}
