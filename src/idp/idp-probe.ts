import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { IssuerConfig } from '../foundation/config/config.js';
import { algorithmsOf, SIGNATURE_ALGORITHMS } from '../foundation/crypto/verification-key.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { readKeySet } from '../foundation/jwk-set/key-set.js';
import { type JsonObject, OutboundClient } from '../foundation/outbound/outbound-client.js';
import { targetUrlProblem } from '../foundation/outbound/target-url.js';
import { DirectorySignIn } from './directory-sign-in.js';
import { ExtKindSignIn } from './ext-kind-sign-in.js';
import { ExtKinds } from './ext-kinds.js';
import { type Idp, isExtType } from './idp.entity.js';
import type { Leaving } from './provider-kind.js';

/** A prerequisite for signing in through a provider, and whether it is met. */
export interface ProbedPart {
  /**
   * `extension`, `directory`, `discovery`, `issuer`, `authorization_endpoint`, `token_endpoint`, `response_type`,
   * `keys`, `signature`
   */
  readonly part: string;
  readonly ok: boolean;
  /** For display. */
  readonly detail: string;
}

interface ProbedKeys {
  readonly part: ProbedPart;
  readonly usable?: readonly JWK[];
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
    private readonly own: ExtKindSignIn,
    private readonly directories: DirectorySignIn,
    private readonly extKinds: ExtKinds,
    private readonly issuer: IssuerConfig,
  ) {}

  async test(idp: Idp): Promise<ProbedPart[]> {
    if (isExtType(idp.type)) return this.testOwn(idp);
    return idp.type === 'oidc' ? this.testOidc(idp) : [(await this.testKeys(idp.keysEndpoint, idp.ownerId)).part];
  }

  private async testOidc({ issuer, ownerId }: Probed): Promise<ProbedPart[]> {
    // OpenID Connect Discovery 1.0 §4: a trailing slash of the issuer is removed first.
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = await this.fetch('discovery', url, ownerId);
    if (!found.document) return [found.part];
    const { document } = found;
    const keys = await this.keysPart(document, ownerId);
    return [
      found.part,
      issuerPart(issuer, document['issuer']),
      this.endpointPart('authorization_endpoint', document),
      this.endpointPart('token_endpoint', document),
      responseTypePart(document['response_types_supported']),
      keys.part,
      ...(keys.usable ? [signaturePart(document['id_token_signing_alg_values_supported'], keys.usable)] : []),
    ];
  }

  private async testOwn(idp: Idp): Promise<ProbedPart[]> {
    const filled = this.extKinds.find(idp.type);
    if (!filled)
      return [failed('extension', `No extension of this service has the kind ${idp.type}. Load the extension.`)];
    const loaded = passed('extension', `The extension ${filled.extension} has the kind ${idp.type}.`);
    if (this.extKinds.findDirectory(idp.type)) return [loaded, await this.directoryPart(idp)];
    try {
      const target = await this.own.testTarget(idp, PROBE);
      if ('problem' in target) return [loaded, failed('authorization_endpoint', target.problem)];
      const url = typeof target.to === 'string' ? target.to : target.to.action;
      return [loaded, passed('authorization_endpoint', `It is ${new URL(url).origin}.`)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [loaded, failed('authorization_endpoint', `${error.message} The log says why.`)];
    }
  }

  private async directoryPart(idp: Idp): Promise<ProbedPart> {
    try {
      const problem = await this.directories.problemOf(idp);
      return problem === undefined
        ? passed('directory', 'The directory answers, and users can be found in it.')
        : failed('directory', problem);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return failed('directory', `${error.message} The log says why.`);
    }
  }

  private async testKeys(url: string, ownerId: string): Promise<ProbedKeys> {
    const { part, document } = await this.fetch('keys', url, ownerId);
    if (!document) return { part };
    const keys = readKeySet(document);
    if (!keys)
      return {
        part: failed(
          'keys',
          `The document at ${url} is not a key set: it has no list "keys", or one with more than 100 entries.`,
        ),
      };
    const { usable, ignored } = keys;
    if (usable.length === 0)
      return {
        part: failed(
          'keys',
          `None of the ${ignored} keys at ${url} can verify ${SIGNATURE_ALGORITHMS.join(', ')} signatures.`,
        ),
      };
    const detail =
      `${url} has ${usable.length} usable ${usable.length === 1 ? 'key' : 'keys'}` +
      `${ignored === 0 ? '' : `, and ${ignored} that are ignored`}.`;
    return { part: passed('keys', detail), usable };
  }

  /** The keys that a provider's document names, unless the address is one that we would not store. */
  private async keysPart(document: JsonObject, ownerId: string): Promise<ProbedKeys> {
    const problem = this.urlProblem(document['jwks_uri']);
    return problem === undefined
      ? this.testKeys(document['jwks_uri'] as string, ownerId)
      : { part: failed('keys', `The jwks_uri of the document ${problem}.`) };
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

/**
 * OpenID Connect Discovery 1.0 §3: with which algorithms the provider signs ID tokens. What it does not say, or says
 * besides one that is accepted here and that its keys can be for, refuses nothing.
 */
function signaturePart(announced: unknown, keys: readonly JWK[]): ProbedPart {
  const name = 'signature';
  if (!Array.isArray(announced))
    return passed(name, `The document does not say how ID tokens are signed; ${accepted} are accepted.`);
  const words = announced.filter((word): word is string => typeof word === 'string' && WORD.test(word)).slice(0, 20);
  const taken = words.filter((word) => SIGNATURE_ALGORITHMS.includes(word));
  if (taken.length === 0)
    return failed(
      name,
      `The provider signs ID tokens with ${words.join(', ') || 'something unknown'} alone. ` +
        `Let it sign with one of ${accepted}.`,
    );
  const usable = taken.filter((word) => keys.some((key) => algorithmsOf(key).includes(word)));
  if (usable.length === 0)
    return failed(name, `The provider signs ID tokens with ${taken.join(', ')}, and publishes no key for that.`);
  const others = words.filter((word) => !taken.includes(word));
  const refused = others.length === 0 ? '' : ` Tokens signed with ${others.join(', ')} are refused.`;
  return passed(name, `ID tokens signed with ${usable.join(', ')} are accepted.${refused}`);
}

/** The name of an algorithm (RFC 7518 §3.1): anything else is not quoted. */
const WORD = /^[\w-]{1,20}$/;
const accepted = SIGNATURE_ALGORITHMS.join(', ');

function passed(part: string, detail: string): ProbedPart {
  return { part, ok: true, detail };
}

function failed(part: string, detail: string): ProbedPart {
  return { part, ok: false, detail };
}
