import type { AdminApi, Arrival, World } from 'gatehouse/testing';
import type { OutgoingMessage } from '../../src/bindings/message.js';
import { decodePost, toPostForm } from '../../src/bindings/post.js';
import { decodeRedirect, toRedirectUrl } from '../../src/bindings/redirect.js';
import { readLogoutRequest, writeLogoutRequest } from '../../src/logout/logout-request.js';
import { type LogoutOutcome, readLogoutResponse, writeLogoutResponse } from '../../src/logout/logout-response.js';
import { type IdentityProvider, readIdentityProvider } from '../../src/metadata/identity-provider.js';
import { writeServiceProvider } from '../../src/metadata/write-metadata.js';
import type { NameId } from '../../src/protocol/name-id.js';
import { readStatus } from '../../src/protocol/status.js';
import { newSigningKey } from '../../src/signature/new-signing-key.js';
import type { SigningKey } from '../../src/signature/signing-key.js';
import { readResponse, type SignedInPerson } from '../../src/sp/read-response.js';
import { type NewAuthnRequest, writeAuthnRequest } from '../../src/sp/write-authn-request.js';
import type { XmlElement } from '../../src/xml/xml-element.js';

let count = 0;

/** A key with a certificate, as service providers have. */
export async function newKey({ clock }: World, commonName: string): Promise<SigningKey> {
  const [notBefore, notAfter] = [clock.now(), clock.now()];
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + 1);
  return newSigningKey({ commonName, notBefore, notAfter }, 'ec');
}

/** What is given of a service provider; the rest is made up. */
export interface ServiceProviderInput {
  readonly logout?: 'redirect' | 'post' | 'none';
  readonly authnRequestsSigned?: boolean;
  /** Settings of the application. */
  readonly [setting: string]: unknown;
}

/** How a message is sent. */
export interface Sending {
  readonly relayState?: string;
  readonly unsigned?: boolean;
  /** Another than its own. */
  readonly key?: SigningKey;
}

/** An application that speaks SAML, with a key of its own, registered in a project. */
export class ServiceProviderPeer {
  private constructor(
    readonly world: World,
    readonly host: string,
    readonly key: SigningKey,
    readonly metadata: string,
    readonly id: string,
  ) {}

  static async register(
    world: World,
    owner: AdminApi,
    projectId: string,
    { logout = 'redirect', authnRequestsSigned = false, ...settings }: ServiceProviderInput = {},
  ): Promise<ServiceProviderPeer> {
    count += 1;
    const host = `sp${count}.test`;
    const key = await newKey(world, host);
    const metadata = writeServiceProvider({
      entityId: `https://${host}`,
      certificates: [key.certificate],
      logoutEndpoints: logout === 'none' ? [] : [{ binding: logout, url: `https://${host}/slo` }],
      nameIdFormats: [],
      assertionConsumerUrl: `https://${host}/acs`,
      authnRequestsSigned,
    });
    const path = `/management/v1/ext/saml/projects/${projectId}/applications`;
    const { applicationId } = await owner.call<{ applicationId: string }>('POST', path, {
      name: host,
      metadata,
      ...settings,
    });
    return new ServiceProviderPeer(world, host, key, metadata, applicationId);
  }

  get entityId(): string {
    return `https://${this.host}`;
  }

  get acs(): string {
    return `${this.entityId}/acs`;
  }

  get slo(): string {
    return `${this.entityId}/slo`;
  }

  get ourSignOn(): string {
    return `${this.world.issuer}/saml/v2/SSO`;
  }

  get ourLogout(): string {
    return `${this.world.issuer}/saml/v2/SLO`;
  }

  get now(): Date {
    return this.world.clock.now();
  }

  /** What it has read of Gatehouse. */
  async identityProvider(): Promise<IdentityProvider> {
    const { text } = await this.world.send({ path: '/saml/v2/metadata' });
    return readIdentityProvider(Buffer.from(text), this.now);
  }

  request(over: Partial<NewAuthnRequest> = {}): OutgoingMessage {
    return writeAuthnRequest({
      issuer: this.entityId,
      destination: this.ourSignOn,
      assertionConsumerUrl: this.acs,
      now: this.now,
      ...over,
    });
  }

  logoutRequest(nameId: NameId, sessionIndexes: readonly string[] = []): OutgoingMessage {
    return writeLogoutRequest({
      issuer: this.entityId,
      destination: this.ourLogout,
      nameId,
      sessionIndexes,
      now: this.now,
    });
  }

  /** The address that it sends a browser to. */
  url(message: OutgoingMessage, { relayState, unsigned = false, key = this.key }: Sending = {}): string {
    return toRedirectUrl(message, {
      ...(unsigned ? {} : { key }),
      ...(relayState === undefined ? {} : { relayState: { theirs: relayState } }),
    });
  }

  /** The fields of the form that it has a browser post. */
  form(
    message: OutgoingMessage,
    { relayState, unsigned = false, key = this.key }: Sending = {},
  ): Readonly<Record<string, string>> {
    const options = {
      ...(unsigned ? {} : { key }),
      ...(relayState === undefined ? {} : { relayState: { theirs: relayState } }),
    };
    return toPostForm(message, options).fields;
  }

  /** The form that a browser posts to it. */
  posted({ page }: Arrival, action = this.acs): Readonly<Record<string, string>> | undefined {
    return page?.forms.find((form) => form.action === action)?.fields;
  }

  /** Whom a browser that comes back has signed in here. @throws SamlRefusal */
  async person(arrival: Arrival, requestId: string): Promise<SignedInPerson> {
    return readResponse(decodePost(this.posted(arrival) ?? {}), {
      provider: await this.identityProvider(),
      requestId,
      recipient: this.acs,
      audience: this.entityId,
      now: this.now,
    });
  }

  /** What a browser brings here, unverified. */
  response(arrival: Arrival): XmlElement | undefined {
    const fields = this.posted(arrival);
    return fields && decodePost(fields).root;
  }

  /** Both words of the status that a browser brings here: `Responder NoPassive`. */
  status(arrival: Arrival): string | undefined {
    const response = this.response(arrival);
    const status = response && readStatus(response);
    return status && [status.level, status.code].filter((word) => word !== undefined).join(' ');
  }

  /** How its own request for logout has ended. @throws SamlRefusal */
  async loggedOut(arrival: Arrival, requestId: string): Promise<LogoutOutcome> {
    return readLogoutResponse(this.received(arrival), {
      partner: await this.identityProvider(),
      destination: this.slo,
      now: this.now,
      requestId,
    });
  }

  /** Answers the request for logout that a browser brings. @throws SamlRefusal */
  async answerLogout(
    arrival: Arrival,
    { outcome = 'done', ...sending }: Sending & { readonly outcome?: LogoutOutcome } = {},
  ): Promise<{ readonly url: string; readonly nameId: NameId; readonly sessionIndexes: readonly string[] }> {
    const message = this.received(arrival);
    const { id, nameId, sessionIndexes } = readLogoutRequest(message, {
      partner: await this.identityProvider(),
      destination: this.slo,
      now: this.now,
    });
    const answer = writeLogoutResponse({
      issuer: this.entityId,
      destination: this.ourLogout,
      requestId: id,
      outcome,
      now: this.now,
    });
    const { relayState = '' } = message;
    return { url: this.url(answer, { relayState, ...sending }), nameId, sessionIndexes };
  }

  /** Where it knows the state of its own again. */
  received(arrival: Arrival) {
    const { redirect } = arrival;
    if (redirect?.startsWith(`${this.slo}?`)) return decodeRedirect(redirect.slice(this.slo.length + 1));
    return decodePost(this.posted(arrival, this.slo) ?? {});
  }
}
