import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { sha256Base64Url } from '../foundation/crypto/digest.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Loan } from '../foundation/extension/loan.js';
import { PartCalls, PartFailed } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { Logger } from '../foundation/log/logger.js';
import { OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import type { ServicePath } from '../org/instance/paths.js';
import { callbackUrl, extCallbackPath } from './callback-url.js';
import { ExtKinds } from './ext-kinds.js';
import { readIdentity } from './external-identity.js';
import { momentOfProof } from './external-proof.js';
import type { Idp } from './idp.entity.js';
import { answerRefused, providerDeclined, providerFailed } from './idp.errors.js';
import { IDP_KIND, IdpAnswerRefused, type IdpGiven, type IdpHttp, type IdpKind, type IdpReturn } from './idp-kind.js';
import type { TakenIdpLogin } from './idp-logins.js';
import { IdpSecrets } from './idp-secrets.js';
import { providerHttp } from './provider-http.js';
import type { IdpProof, Leaving, ProviderAnswer, ProviderKind } from './provider-kind.js';

/** Browsers and servers accept URLs of this length. */
const MAX_URL_CHARACTERS = 8_000;
/** Words of a provider or an extension that may appear in the log. */
const WORD = /^[a-z_]{1,40}$/;

/**
 * The kinds of extensions as kinds of ours. An extension says where the browser goes and who has signed in; it gets no
 * state that it could skip, no browser, no account, and no connection but through our client.
 */
@Injectable()
export class ExtKindSignIn implements ProviderKind {
  readonly returnsWithCode = true;

  constructor(
    private readonly kinds: ExtKinds,
    private readonly secrets: IdpSecrets,
    private readonly calls: PartCalls,
    private readonly outbound: OutboundClient,
    private readonly issuer: IssuerConfig,
    private readonly timeouts: Timeouts,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  returnsTo({ id }: Idp): ServicePath {
    return extCallbackPath(id);
  }

  async authorizationUrl(idp: Idp, leaving: Leaving): Promise<string> {
    const { state, nonce, codeVerifier, prompt, loginHint, maxAgeSeconds } = leaving;
    const codeChallenge = sha256Base64Url(codeVerifier);
    return this.ask(idp, async (kind, given, http, signal) => {
      const asked = { ...given, state, nonce, codeChallenge, prompt, loginHint, maxAgeSeconds };
      const url: unknown = await kind.authorizationUrl(Object.freeze(asked), http, signal);
      if (typeof url !== 'string' || url.length > MAX_URL_CHARACTERS)
        throw new Error(`It has answered no URL of at most ${MAX_URL_CHARACTERS} characters.`);
      this.checkTarget(url);
      return url;
    });
  }

  async redeem(idp: Idp, { code, iss, error, form = {} }: ProviderAnswer, login: TakenIdpLogin): Promise<IdpProof> {
    // RFC 6749 §4.1.2.1: decided here, so that no extension can take an error for a sign-in.
    if (error !== undefined) throw providerDeclined(WORD.test(error) ? error : 'unknown_error');
    if (code === undefined || code === '') throw answerRefused('code_missing');
    const { nonce, codeVerifier, provedAfter } = login;
    const identity = await this.ask(idp, async (kind, given, http, signal) => {
      const back = { ...given, code, iss, nonce, codeVerifier, form: fieldsOf(kind, form) };
      const answer: unknown = await kind.redeem(Object.freeze(back), http, signal);
      if (answer === undefined) throw providerDeclined('nobody_signed_in');
      const found = readIdentity(answer);
      if (!found) throw new Error('Its answer is no identity with a subject of 1 to 255 printable characters.');
      return found;
    });
    // Extensions do not say when the user authenticated.
    const proof = momentOfProof(undefined, provedAfter, this.clock.now());
    return { subject: identity.subject, provedAt: proof, describe: async () => identity };
  }

  /** A wrong address is the fault of the extension or of the settings; browsers are not sent there (IDP-020). */
  private checkTarget(url: string): void {
    try {
      this.outbound.checkUrl(url);
    } catch (error) {
      throw error instanceof DomainError ? new Error(`It sends browsers to a wrong address. ${error.message}`) : error;
    }
  }

  /** @throws DomainError */
  private async ask<T>(
    idp: Idp,
    work: (kind: IdpKind, given: IdpGiven, http: IdpHttp, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const filled = this.kinds.findSite(idp.type);
    if (!filled) throw this.unavailable(idp, 'extension_missing');
    const given = this.givenOf(idp, filled);
    const call = { seam: IDP_KIND, of: filled, limitMs: this.timeouts.extensionMs };
    const loan = new Loan('connection to the provider', (error) => this.calls.noteKept(call, error));
    const { ownerId } = idp;
    try {
      // A refusal is an answer: only what the extension has not meant to say is logged as its failure.
      const answered = await this.calls.call(call, async (kind, signal) => {
        try {
          return { value: await work(kind, given, providerHttp(this.outbound, { ownerId, signal, loan }), signal) };
        } catch (error) {
          return { refusal: this.refusalFor(idp, error) };
        }
      });
      if ('refusal' in answered) throw answered.refusal;
      return answered.value;
    } catch (error) {
      throw error instanceof PartFailed ? providerFailed('extension_failed') : error;
    } finally {
      loan.end();
    }
  }

  /** @throws what is a failure of the extension */
  private refusalFor(idp: Idp, error: unknown): DomainError {
    if (error instanceof IdpAnswerRefused)
      return answerRefused(WORD.test(error.message) ? error.message : 'unknown_error');
    if (!(error instanceof DomainError)) throw error;
    return error.reason.startsWith('outbound.') ? this.unavailable(idp, error.reason) : error;
  }

  private givenOf(idp: Idp, filled: Filled<IdpKind>): IdpGiven {
    try {
      const settings = this.kinds.give(filled, { open: idp.settings, secret: this.secrets.openSettings(idp) });
      return {
        providerId: idp.id,
        settings,
        clientId: idp.clientId,
        clientSecret: this.secrets.openClientSecret(idp),
        callbackUrl: callbackUrl(idp, this.issuer),
      };
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'request.invalid')
        throw this.unavailable(idp, `settings_outdated: ${error.message}`);
      throw error;
    }
  }

  private unavailable({ id, type }: Idp, detail: string): DomainError {
    this.log.warn({ reason: 'idp.provider_failed', detail, idpId: id, kind: type }, 'identity provider unusable');
    return providerFailed(detail);
  }
}

/** What the kind itself reads of the form: other kinds read other fields. */
function fieldsOf({ formFields = [] }: IdpKind, form: Readonly<Record<string, string>>): IdpReturn['form'] {
  return Object.freeze(Object.fromEntries(Object.entries(form).filter(([name]) => formFields.includes(name))));
}
