import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { sha256Base64Url } from '../foundation/crypto/digest.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Loan } from '../foundation/extension/loan.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { Logger } from '../foundation/log/logger.js';
import { OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import type { ServicePath } from '../org/instance/paths.js';
import { callbackUrl, extCallbackPath } from './callback-url.js';
import { ExtKinds } from './ext-kinds.js';
import { readIdentity } from './external-identity.js';
import { isProofTooOld, momentOfProof, readAuthTime } from './external-proof.js';
import type { Idp } from './idp.entity.js';
import { answerRefused, providerDeclined, providerFailed } from './idp.errors.js';
import {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpForm,
  type IdpGiven,
  type IdpHttp,
  type IdpKind,
  type IdpMessage,
  type IdpReturn,
  MAX_MESSAGE_BYTES,
} from './idp-kind.js';
import type { ProvedIdentity, SentIdpLogin, TakenIdpLogin } from './idp-logins.js';
import { IdpSecrets } from './idp-secrets.js';
import { askKind, settingsOf } from './kind-call.js';
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

  async authorizationUrl(idp: Idp, leaving: Leaving): Promise<string | IdpForm> {
    return this.ask(idp, (...by) => this.targetOf(leaving, ...by));
  }

  /**
   * Where browsers would be sent; or which request has failed before that, in words for administrators.
   * @throws DomainError as `authorizationUrl`, for whatever else keeps it from being known
   */
  async testTarget(
    idp: Idp,
    leaving: Leaving,
  ): Promise<{ readonly to: string | IdpForm } | { readonly problem: string }> {
    return this.ask(idp, async (...by) => {
      try {
        return { to: await this.targetOf(leaving, ...by) };
      } catch (error) {
        if (!isRequestFailure(error)) throw error;
        return { problem: error.message };
      }
    });
  }

  async redeem(idp: Idp, answer: ProviderAnswer, login: TakenIdpLogin): Promise<IdpProof> {
    const isByMessage = this.kinds.findSite(idp.type)?.part.message !== undefined;
    const { identity, provedAt } = await (isByMessage
      ? this.provedByMessage(idp, answer, login)
      : this.provedByCode(idp, answer, login));
    return { subject: identity.subject, provedAt, describe: async () => identity, said: identity };
  }

  /**
   * The identity that a message proves.
   * @throws DomainError FailedPrecondition `idp.answer_refused`, `idp.declined`; Unavailable `idp.provider_failed`
   */
  async readMessage(
    idp: Idp,
    sent: Pick<IdpMessage, 'by' | 'fields'>,
    { nonce, provedAfter }: SentIdpLogin,
  ): Promise<ProvedIdentity> {
    const fields = Object.freeze({ ...sent.fields });
    const told = { by: sent.by, fields, nonce, provedAfter: provedAfter ?? undefined, now: this.clock.now() };
    return this.prove(idp, provedAfter, (kind, given, http, signal) =>
      kind.readMessage!(Object.freeze({ ...given, ...told }), http, signal),
    );
  }

  /** A form has brought it before the browser was known; or it stands in the query. */
  private async provedByMessage(
    idp: Idp,
    { message, refused }: ProviderAnswer,
    login: TakenIdpLogin,
  ): Promise<ProvedIdentity> {
    const { identity, provedAt } = login;
    if (identity !== null) return { identity, provedAt };
    if (refused === 'nobody') throw providerDeclined('message_refused');
    if (refused === 'provider') throw providerFailed('message_refused');
    if (refused !== undefined || !message) throw answerRefused('message_refused');
    return this.readMessage(idp, { by: 'query', fields: message }, login);
  }

  private async provedByCode(
    idp: Idp,
    { code, iss, error, form = {} }: ProviderAnswer,
    { nonce, codeVerifier, provedAfter }: TakenIdpLogin,
  ): Promise<ProvedIdentity> {
    // RFC 6749 §4.1.2.1: decided here, so that no extension can take an error for a sign-in.
    if (error !== undefined) throw providerDeclined(WORD.test(error) ? error : 'unknown_error');
    if (code === undefined || code === '') throw answerRefused('code_missing');
    return this.prove(idp, provedAfter, (kind, given, http, signal) => {
      const back = { ...given, code, iss, nonce, codeVerifier, form: fieldsOf(kind, form) };
      return kind.redeem!(Object.freeze(back), http, signal);
    });
  }

  private async prove(
    idp: Idp,
    provedAfter: Date | null,
    work: (kind: IdpKind, given: IdpGiven, http: IdpHttp, signal: AbortSignal) => Promise<unknown>,
  ): Promise<ProvedIdentity> {
    return this.ask(idp, async (kind, given, http, signal) => {
      const answer = await work(kind, given, http, signal);
      if (answer === undefined) throw providerDeclined('nobody_signed_in');
      const identity = readIdentity(answer);
      if (!identity) throw new Error('Its answer is no identity with a subject of 1 to 255 printable characters.');
      const now = this.clock.now();
      const authTime = readAuthTime((answer as { authenticatedAt?: unknown }).authenticatedAt, now);
      if (isProofTooOld(authTime, provedAfter)) throw answerRefused('authenticated_too_early');
      return { identity, provedAt: momentOfProof(authTime, provedAfter, now) };
    });
  }

  private async targetOf(leaving: Leaving, kind: IdpKind, given: IdpGiven, http: IdpHttp, signal: AbortSignal) {
    const { state, nonce, codeVerifier, prompt, loginHint, maxAgeSeconds } = leaving;
    const codeChallenge = sha256Base64Url(codeVerifier);
    const asked = { ...given, state, nonce, codeChallenge, prompt, loginHint, maxAgeSeconds };
    const to: unknown = await kind.authorizationUrl(Object.freeze(asked), http, signal);
    const form = readLeavingForm(to);
    const url = form ? form.action : to;
    if (typeof url !== 'string' || url.length > MAX_URL_CHARACTERS)
      throw new Error(`It has answered no form, and no URL of at most ${MAX_URL_CHARACTERS} characters.`);
    this.checkTarget(url);
    return form ?? url;
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
      return await askKind(
        this.calls,
        call,
        (kind, signal) => work(kind, given, providerHttp(this.outbound, { ownerId, signal, loan }), signal),
        (error) => this.refusalFor(idp, error),
      );
    } finally {
      loan.end();
    }
  }

  /** @throws what is a failure of the extension */
  private refusalFor(idp: Idp, error: unknown): DomainError {
    if (error instanceof IdpAnswerRefused)
      return answerRefused(WORD.test(error.message) ? error.message : 'unknown_error');
    if (!(error instanceof DomainError)) throw error;
    return isRequestFailure(error) ? this.unavailable(idp, error.reason) : error;
  }

  private givenOf(idp: Idp, filled: Filled<IdpKind>): IdpGiven {
    const stored = settingsOf({ kinds: this.kinds, secrets: this.secrets }, idp, filled);
    if ('outdated' in stored) throw this.unavailable(idp, `settings_outdated: ${stored.outdated}`);
    return {
      providerId: idp.id,
      settings: stored.settings,
      clientId: idp.clientId,
      clientSecret: this.secrets.openClientSecret(idp),
      callbackUrl: callbackUrl(idp, this.issuer),
    };
  }

  private unavailable({ id, type }: Idp, detail: string): DomainError {
    this.log.warn({ reason: 'idp.provider_failed', detail, idpId: id, kind: type }, 'identity provider unusable');
    return providerFailed(detail);
  }
}

function isRequestFailure(error: unknown): error is DomainError {
  return error instanceof DomainError && error.reason.startsWith('outbound.');
}

/** The form with which the browser is sent on; undefined if the answer is none. */
function readLeavingForm(answer: unknown): IdpForm | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { action, fields } = answer as Partial<Record<keyof IdpForm, unknown>>;
  if (typeof action !== 'string' || typeof fields !== 'object' || fields === null) return undefined;
  const texts = Object.entries(fields);
  const bytes = texts.flat().reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  if (!texts.every(([, value]) => typeof value === 'string') || bytes > MAX_MESSAGE_BYTES) return undefined;
  return { action, fields: Object.fromEntries(texts) as IdpForm['fields'] };
}

/** What the kind itself reads of the form: other kinds read other fields. */
function fieldsOf({ formFields = [] }: IdpKind, form: Readonly<Record<string, string>>): IdpReturn['form'] {
  return Object.freeze(Object.fromEntries(Object.entries(form).filter(([name]) => formFields.includes(name))));
}
