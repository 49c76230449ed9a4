import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock, Pages, type ProtocolTurn, type SignedIn, type SignInProtocol, type SignInRefusal } from 'gatehouse';
import { attributesOf } from '../application/attribute-mapping.js';
import { type RegisteredApplication, RegisteredApplications } from '../application/registered-applications.js';
import type { OutgoingMessage } from '../bindings/message.js';
import { toPostForm } from '../bindings/post.js';
import { Certificates } from '../certificate/certificates.js';
import { OurEntity } from '../entity/our-entity.js';
import type { AnswerAddress, Failure } from '../idp/answer.js';
import { statedAuthnContext } from '../idp/authn-context.js';
import { writeFailure, writeResponse } from '../idp/write-response.js';
import type { NameId } from '../protocol/name-id.js';
import { Participants } from '../sign-out/participants.js';
import { Names } from './names.js';
import { type Exchange, RefusalPages } from './refusal-pages.js';
import { readTurnState, type TurnState } from './turn-state.js';

/** What an application is told of a user who has signed in, or why not. */
type Statement = { readonly nameId: NameId; readonly authnContext: string } | { readonly failure: Failure };

/** Answers applications (SAML Profiles §4.1.4). */
@Injectable()
export class SamlProtocol implements SignInProtocol {
  static readonly NAME = 'saml';
  readonly name = SamlProtocol.NAME;

  constructor(
    private readonly applications: RegisteredApplications,
    private readonly entity: OurEntity,
    private readonly certificates: Certificates,
    private readonly names: Names,
    private readonly participants: Participants,
    private readonly pages: Pages,
    private readonly refusals: RefusalPages,
    private readonly clock: Clock,
  ) {}

  async answer(
    { application: { id }, outcome, state }: ProtocolTurn,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const exchange = { request, response };
    await this.refusals.around(exchange, async () => {
      const turn = readTurnState(state);
      const application = await this.applications.byId(id);
      if (!application || !isRegistered(application, turn.answer))
        return this.refusals.show(exchange, 'return-address-unknown');
      if (outcome.kind === 'refused') return this.fail(exchange, turn, failureOf(outcome.reason, turn));
      await this.tell(exchange, turn, application, outcome.signedIn);
    });
  }

  /** Tells an application that nobody has signed in. Whoever began here sees a page: nobody waits for an answer. */
  async fail(
    exchange: Exchange,
    { answer, relayState }: Pick<TurnState, 'answer' | 'relayState'>,
    failure: Failure,
  ): Promise<void> {
    if (answer.requestId === undefined) return this.refusals.show(exchange, 'account-unavailable');
    const failed = writeFailure({ issuer: this.entity.entityId, answer, now: this.clock.now() }, failure);
    await this.post(exchange, failed, relayState);
  }

  private async tell(
    exchange: Exchange,
    turn: TurnState,
    application: RegisteredApplication,
    signedIn: SignedIn,
  ): Promise<void> {
    const stated = await this.statement(turn, application, signedIn);
    if ('failure' in stated) return this.fail(exchange, turn, stated.failure);
    const outgoing = writeResponse(
      {
        ...stated,
        issuer: this.entity.entityId,
        answer: turn.answer,
        authnInstant: signedIn.authTime,
        sessionIndex: signedIn.sessionId,
        attributes: attributesOf(application.attributes, signedIn),
        now: this.clock.now(),
      },
      await this.certificates.signingKey(),
    );
    await this.participants.add(application.clientId, signedIn, stated.nameId);
    await this.post(exchange, outgoing, turn.relayState);
  }

  private async statement(
    { authnContext: demand, subject, nameId: policy }: TurnState,
    application: RegisteredApplication,
    { user, acr }: SignedIn,
  ): Promise<Statement> {
    const authnContext = statedAuthnContext(demand, acr === '2' ? 2 : 1);
    if (authnContext === undefined) return { failure: 'noAuthnContext' };
    if (subject && !(await this.names.isExpected(application, user, subject))) return { failure: 'unknownPrincipal' };
    const nameId = await this.names.of(application, user, policy);
    return nameId ? { nameId, authnContext } : { failure: 'invalidNameIdPolicy' };
  }

  private async post(
    { request, response }: Exchange,
    outgoing: OutgoingMessage,
    theirs: string | undefined,
  ): Promise<void> {
    const form = toPostForm(outgoing, theirs === undefined ? {} : { relayState: { theirs } });
    await this.pages.post(request, response, form);
  }
}

/** It was when the request came: metadata and settings may have changed since. */
function isRegistered(
  { serviceProvider, allowIdpInitiated }: RegisteredApplication,
  { url, serviceProvider: entityId, requestId }: AnswerAddress,
): boolean {
  const isListed = serviceProvider.assertionConsumers.some((one) => (one.responseUrl ?? one.url) === url);
  return isListed && serviceProvider.entityId === entityId && (requestId !== undefined || allowIdpInitiated);
}

function failureOf(reason: SignInRefusal, { isPassive }: TurnState): Failure {
  switch (reason) {
    case 'login-required':
    case 'interaction-required':
    case 'consent-required':
      return isPassive ? 'noPassive' : 'authnFailed';
    case 'acr-unmet':
      return 'noAuthnContext';
    case 'not-admitted':
    case 'declined':
      return 'authnFailed';
  }
}
