import { Injectable } from '@nestjs/common';
import {
  Clock,
  IdpAnswerRefused,
  type IdpForm,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpMessage,
  Log,
} from 'gatehouse';
import { decodePost, toPostForm } from '../bindings/post.js';
import { toRedirectUrl } from '../bindings/redirect.js';
import { Certificates } from '../certificate/certificates.js';
import { OurEntity } from '../entity/our-entity.js';
import type { Endpoint } from '../metadata/endpoint.js';
import type { IdentityProvider } from '../metadata/identity-provider.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import { readResponse, type SignedInPerson, SignInFailed } from '../sp/read-response.js';
import { subjectOf } from '../sp/subject.js';
import { writeAuthnRequest } from '../sp/write-authn-request.js';
import { mappedGroups } from './group-mapping.js';
import { ProviderMetadata } from './provider-metadata.js';
import { saidOf } from './said-of-person.js';
import { type NameIdWord, SamlProviderSettings } from './saml-provider.settings.js';

/** A message of 256 KiB in base64 and percent signs, and what goes along with it. */
const MAX_FORM_BYTES = 400_000;

type Leaving = IdpLeaving<SamlProviderSettings>;
type Message = IdpMessage<SamlProviderSettings>;

/** SAML Profiles §4.1: users of a company sign in at its identity provider, and we are the service provider. */
@Injectable()
export class SamlKind implements IdpKind<SamlProviderSettings> {
  readonly kind = 'ext:saml';
  readonly settings = SamlProviderSettings;
  readonly message = { state: 'RelayState', fields: ['SAMLResponse'], maxBytes: MAX_FORM_BYTES };

  constructor(
    private readonly metadata: ProviderMetadata,
    private readonly entity: OurEntity,
    private readonly certificates: Certificates,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async authorizationUrl(leaving: Leaving, http: IdpHttp): Promise<string | IdpForm> {
    const { providerId, settings, state, nonce } = leaving;
    const provider = await this.metadata.of(leaving, http);
    const endpoint = endpointOf(provider, settings.binding);
    const format = formatOf(settings);
    const request = writeAuthnRequest({
      id: requestIdOf(nonce),
      issuer: this.entity.serviceProviderOf(providerId),
      destination: endpoint.url,
      assertionConsumerUrl: leaving.callbackUrl,
      now: this.clock.now(),
      // A provider can be told neither an age nor that another account is wanted: both ask for a new proof.
      forceAuthn: leaving.prompt !== undefined || leaving.maxAgeSeconds !== undefined,
      ...(format === undefined ? {} : { nameIdFormat: format }),
    });
    const isSigned = settings.signRequests || provider.wantAuthnRequestsSigned;
    const options = { relayState: { ours: state }, ...(isSigned ? { key: await this.certificates.signingKey() } : {}) };
    return endpoint.binding === 'redirect' ? toRedirectUrl(request, options) : toPostForm(request, options);
  }

  async readMessage(message: Message, http: IdpHttp): Promise<IdpIdentity | undefined> {
    try {
      const person = await this.personIn(message, http);
      const names = person.attributes.map(({ name }) => name);
      this.log.info({ providerId: message.providerId, attributes: names }, 'A provider has named these attributes.');
      const subject = subjectOf(person, rulesOf(message.settings));
      return { subject, ...saidOf(person, message.settings), authenticatedAt: person.authnInstant };
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      const { reason, detail, message: text } = error;
      const said = detail === undefined ? {} : { detail };
      this.log.info({ reason: `saml.${reason}`, ...said, providerId: message.providerId }, `A response says: ${text}`);
      if (error instanceof SignInFailed) return undefined;
      throw new IdpAnswerRefused(reason);
    }
  }

  groupsIn({ groups }: SamlProviderSettings): readonly string[] {
    return mappedGroups(groups).map(({ groupId }) => groupId);
  }

  /** A key that is not known yet may be in the metadata of today. */
  private async personIn(message: Message, http: IdpHttp): Promise<SignedInPerson> {
    // SAML Profiles §4.1.2: a response never comes in a query.
    if (message.by !== 'form') throw new SamlRefusal('binding_unsupported');
    const provider = await this.metadata.of(message, http);
    try {
      return this.readFrom(provider, message);
    } catch (error) {
      if (!(error instanceof SamlRefusal) || error.reason !== 'signature_invalid') throw error;
      const renewed = await this.metadata.renewed(message, http);
      if (!renewed) throw error;
      return this.readFrom(renewed, message);
    }
  }

  private readFrom(provider: IdentityProvider, message: Message): SignedInPerson {
    const { providerId, fields, nonce, callbackUrl, provedAfter, now } = message;
    return readResponse(decodePost(fields), {
      provider,
      requestId: requestIdOf(nonce),
      recipient: callbackUrl,
      audience: this.entity.serviceProviderOf(providerId),
      ...(provedAfter ? { authenticatedAfter: provedAfter } : {}),
      now,
    });
  }
}

/** SAML Core §1.3.4: behind a letter or an underscore, as xs:ID wants. */
function requestIdOf(nonce: string): string {
  return `_${nonce}`;
}

/** @throws SamlRefusal `metadata_endpoint_missing` */
function endpointOf({ signOnEndpoints }: IdentityProvider, binding: string): Endpoint {
  const wanted = binding === '' ? ['redirect', 'post'] : [binding];
  const [endpoint] = wanted.flatMap((word) => signOnEndpoints.filter((one) => one.binding === word));
  if (!endpoint) throw new SamlRefusal('metadata_endpoint_missing', `SingleSignOnService by ${wanted.join(' or ')}`);
  return endpoint;
}

/** Undefined: whatever the provider likes. */
function formatOf({ nameIdFormat }: SamlProviderSettings): string | undefined {
  const word = (nameIdFormat === '' ? 'persistent' : nameIdFormat) as NameIdWord;
  return word === 'any' ? undefined : NAME_ID_FORMAT[word];
}

/** Names that may pass on to somebody else are taken only if the administrator has chosen them. */
function rulesOf({ nameIdFormat, transientMappingAttribute }: SamlProviderSettings): Parameters<typeof subjectOf>[1] {
  const isChosen = nameIdFormat === 'emailAddress' || nameIdFormat === 'unspecified';
  return {
    ...(isChosen ? { otherFormats: [NAME_ID_FORMAT[nameIdFormat]] } : {}),
    ...(transientMappingAttribute === '' ? {} : { transientMappingAttributeName: transientMappingAttribute }),
  };
}
