import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { readKeySet } from '../foundation/jwk-set/key-set.js';
import { type JsonObject, OutboundClient } from '../foundation/outbound/outbound-client.js';
import { targetUrlProblem } from '../foundation/outbound/target-url.js';
import { type Idp, isOwnType } from './idp.entity.js';
import { OwnKindSignIn } from './own-kind-sign-in.js';
import { OwnKinds } from './own-kinds.js';
import type { Leaving } from './provider-kind.js';

/** A prerequisite for signing in through a provider, and whether it is met. */
export interface ProbedPart {
  /** `extension`, `discovery`, `issuer`, `authorization_endpoint`, `token_endpoint`, `response_type`, `keys` */
  readonly part: string;
  readonly ok: boolean;
  /** For display. */
  readonly detail: string;
}

const MAX_URL_LENGTH = 2_000;

/** Asks a kind for an address to which nobody will be sent. */
const PROBE: Leaving = {
  state: 'test',
  nonce: 'test',
  codeVerifier: 'test',
  userAgentId: '',
  authRequestId: '',
  loginHint: undefined,
  prompt: undefined,
  maxAgeSeconds: undefined,
};

type Probed = Pick<Idp, 'issuer' | 'ownerId'>;

/**
 * Tests the prerequisites for signing in through a provider, one by one. Whatever the provider does is a result, never
 * an error.
 */
@Injectable()
export class IdpProbe {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly own: OwnKindSignIn,
    private readonly ownKinds: OwnKinds,
    private readonly issuer: IssuerConfig,
  ) {}

  async test(idp: Idp): Promise<ProbedPart[]> {
    if (isOwnType(idp.type)) return this.testOwn(idp);
    return idp.type === 'oidc' ? this.testOidc(idp) : [await this.testKeys(idp.keysEndpoint, idp.ownerId)];
  }

  private async testOidc({ issuer, ownerId }: Probed): Promise<ProbedPart[]> {
    // OpenID Connect Discovery 1.0 §4: a trailing slash of the issuer is removed first.
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = await this.fetch('discovery', url, ownerId);
    if (!found.document) return [found.part];
    const { document } = found;
    return [
      found.part,
      issuerPart(issuer, document['issuer']),
      this.endpointPart('authorization_endpoint', document),
      this.endpointPart('token_endpoint', document),
      responseTypePart(document['response_types_supported']),
      await this.keysPart(document, ownerId),
    ];
  }

  private async testOwn(idp: Idp): Promise<ProbedPart[]> {
    const filled = this.ownKinds.find(idp.type);
    if (!filled)
      return [failed('extension', `No extension of this service has the kind ${idp.type}. Load the extension.`)];
    const loaded = passed('extension', `The extension ${filled.extension} has the kind ${idp.type}.`);
    try {
      const url = await this.own.authorizationUrl(idp, PROBE);
      return [loaded, passed('authorization_endpoint', `It is ${new URL(url).origin}.`)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [loaded, failed('authorization_endpoint', `${error.message} The log says why.`)];
    }
  }

  private async testKeys(url: string, ownerId: string): Promise<ProbedPart> {
    const { part, document } = await this.fetch('keys', url, ownerId);
    if (!document) return part;
    const keys = readKeySet(document);
    if (!keys)
      return failed(
        'keys',
        `The document at ${url} is not a key set: it has no list "keys", or one with more than 100 entries.`,
      );
    const { usable, ignored } = keys;
    if (usable.length === 0)
      return failed(
        'keys',
        `None of the ${ignored} keys at ${url} can verify RS256, PS256, ES256 or EdDSA signatures.`,
      );
    return passed(
      'keys',
      `${url} has ${usable.length} usable ${usable.length === 1 ? 'key' : 'keys'}` +
        `${ignored === 0 ? '' : `, and ${ignored} that are ignored`}.`,
    );
  }

  /** The keys that a provider's document names, unless the address is one that we would not store. */
  private async keysPart(document: JsonObject, ownerId: string): Promise<ProbedPart> {
    const problem = this.urlProblem(document['jwks_uri']);
    return problem === undefined
      ? this.testKeys(document['jwks_uri'] as string, ownerId)
      : failed('keys', `The jwks_uri of the document ${problem}.`);
  }

  private endpointPart(name: string, document: JsonObject): ProbedPart {
    const problem = this.urlProblem(document[name]);
    return problem === undefined
      ? passed(name, `It is ${String(document[name])}.`)
      : failed(name, `The ${name} of the document ${problem}.`);
  }

  private urlProblem(value: unknown): string | undefined {
    if (typeof value !== 'string') return 'is missing';
    return value.length > MAX_URL_LENGTH
      ? `has more than ${MAX_URL_LENGTH} characters`
      : targetUrlProblem(value, this.issuer);
  }

  private async fetch(
    part: string,
    url: string,
    ownerId: string,
  ): Promise<{ part: ProbedPart; document?: JsonObject }> {
    try {
      return { document: await this.outbound.getJson(url, ownerId), part: passed(part, `${url} was read.`) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { part: failed(part, `${url} could not be read. ${error.message}`) };
    }
  }
}

/** OpenID Connect Discovery 1.0 §4.3: must be identical, or another provider could impersonate this one. */
function issuerPart(expected: string, found: unknown): ProbedPart {
  if (found === expected) return passed('issuer', `The issuer of the document is ${expected}.`);
  // Quoted only if it looks like an issuer: it comes from outside.
  const isUrl =
    typeof found === 'string' &&
    found.length <= MAX_URL_LENGTH &&
    targetUrlProblem(found, { production: false }) === undefined;
  const other = isUrl ? `"${found}"` : 'something else';
  return failed(
    'issuer',
    `The document names ${other} as its issuer instead of "${expected}". They must be equal, to the last slash.`,
  );
}

/** OpenID Connect Discovery 1.0 §3: the default includes `code`. */
function responseTypePart(found: unknown): ProbedPart {
  if (found === undefined || (Array.isArray(found) && found.includes('code')))
    return passed('response_type', 'The authorization code flow is supported.');
  return failed('response_type', 'The document does not list the response type "code", which is required for sign-in.');
}

function passed(part: string, detail: string): ProbedPart {
  return { part, ok: true, detail };
}

function failed(part: string, detail: string): ProbedPart {
  return { part, ok: false, detail };
}
