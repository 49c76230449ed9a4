import { Injectable } from '@nestjs/common';
import { DomainError, type PageRefusal, Pages, SignIns } from 'gatehouse';
import { type RegisteredApplication, RegisteredApplications } from '../application/registered-applications.js';
import type { ReceivedMessage } from '../bindings/message.js';
import { OurEntity } from '../entity/our-entity.js';
import { unsolicitedAnswer } from '../idp/assertion-consumer.js';
import { type AuthnRequest, claimedServiceProvider, readAuthnRequest } from '../idp/authn-request.js';
import type { NameId } from '../protocol/name-id.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { type Exchange, RefusalPages } from './refusal-pages.js';
import { SamlProtocol } from './saml.protocol.js';
import { writeTurnState } from './turn-state.js';

/** Why `SignIns.begin` begins nothing: the project or the organization is not active, or what was sent is too long. */
const UNSTARTED: ReadonlyMap<string, PageRefusal> = new Map([
  ['client.not_found', 'application-unknown'],
  ['auth_request.too_long', 'invalid-request'],
]);

const HINTS: ReadonlySet<string> = new Set([NAME_ID_FORMAT.emailAddress, NAME_ID_FORMAT.unspecified]);

/** Makes requests of applications sign-ins of Gatehouse. */
@Injectable()
export class SignOn {
  constructor(
    private readonly applications: RegisteredApplications,
    private readonly entity: OurEntity,
    private readonly protocol: SamlProtocol,
    private readonly refusals: RefusalPages,
    private readonly pages: Pages,
    private readonly signIns: SignIns,
  ) {}

  /** @throws SamlRefusal for a page: there is no address that an answer may go to */
  async request(exchange: Exchange, message: ReceivedMessage): Promise<void> {
    const entityId = claimedServiceProvider(message);
    const application = await this.applications.byEntity(entityId);
    if (!application) return this.refusals.show(exchange, 'application-unknown', entityId);
    const { serviceProvider } = application;
    const { relayState } = message;
    const result = readAuthnRequest(message, { serviceProvider, destination: this.entity.signOnUrl });
    if (result.kind === 'failed')
      return this.protocol.fail(exchange, { answer: result.answer, relayState }, result.failure);
    const { answer, forceAuthn, isPassive } = result.request;
    // SAML Core §3.4.1: nobody proves anew who they are without any page.
    if (forceAuthn && isPassive) return this.protocol.fail(exchange, { answer, relayState }, 'noPassive');
    await this.begin(exchange, application, result.request, relayState);
  }

  /** A sign-in that begins here, without a request (SAML Profiles §4.1.5). */
  async initiate(exchange: Exchange, clientId: string): Promise<void> {
    const application = await this.applications.byId(clientId);
    if (!application) return this.refusals.show(exchange, 'application-unknown', clientId);
    if (!application.allowIdpInitiated) return this.refusals.show(exchange, 'invalid-request');
    await this.begin(
      exchange,
      application,
      {
        answer: unsolicitedAnswer(application.serviceProvider),
        forceAuthn: false,
        isPassive: false,
        nameId: { format: undefined, allowCreate: true },
        authnContext: undefined,
        subject: undefined,
      },
      undefined,
    );
  }

  /**
   * Has the browser send the form once more, from here: a form of another site comes without our cookie, and the user
   * would have to sign in each time.
   */
  async again({ request, response }: Exchange, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.pages.post(request, response, { action: this.entity.signOnUrl, fields });
  }

  /** A page too where the sign-in cannot begin: the browser waits for one. */
  private async begin(
    exchange: Exchange,
    application: RegisteredApplication,
    asked: AuthnRequest,
    relayState: string | undefined,
  ): Promise<void> {
    try {
      await this.beginTurn(exchange, application, asked, relayState);
    } catch (error) {
      const why = error instanceof DomainError ? UNSTARTED.get(error.reason) : undefined;
      if (why === undefined) throw error;
      await this.refusals.show(exchange, why, application.serviceProvider.entityId);
    }
  }

  private async beginTurn(
    { request, response }: Exchange,
    { clientId }: RegisteredApplication,
    { forceAuthn, isPassive, authnContext, subject, ...asked }: AuthnRequest,
    relayState: string | undefined,
  ): Promise<void> {
    const prompt = promptOf(forceAuthn, isPassive);
    const loginHint = subject && hintOf(subject);
    await this.signIns.begin(request, response, {
      protocol: SamlProtocol.NAME,
      applicationId: clientId,
      state: writeTurnState({ ...asked, isPassive, authnContext, subject, relayState }),
      returnUri: asked.answer.url,
      secondFactor: authnContext?.level === 2,
      ...(prompt === undefined ? {} : { prompt }),
      ...(loginHint === undefined ? {} : { loginHint }),
    });
  }
}

function promptOf(forceAuthn: boolean, isPassive: boolean): 'none' | 'login' | undefined {
  if (isPassive) return 'none';
  return forceAuthn ? 'login' : undefined;
}

function hintOf({ value, format }: NameId): string | undefined {
  return HINTS.has(format) ? value : undefined;
}
