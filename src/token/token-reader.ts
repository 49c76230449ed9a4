import { Injectable } from '@nestjs/common';
import { fromUnixSeconds, toUnixSeconds } from '../foundation/time/duration.js';
import { ClientService } from '../project/client/client.service.js';
import { allowsAlgorithm } from '../project/client/security-profile.js';
import { type AccessTokenFacts, type ExchangeFacts, parseTokenId, type SignInOfToken } from './access-token.js';
import { AccessTokens } from './access-tokens.js';
import { acrOf } from './acr.js';
import type { Subject } from './claims/subject.js';
import { isPersonalAccessToken } from './personal-access-tokens.js';
import { type Confirmation, isUsedAsBound, type PresentedToken } from './proof/presented-token.js';
import { ProofsOfKeys } from './proof/proofs-of-keys.js';
import { type TokenHolder, TokenStatus, type Wanted } from './token-status.js';

/** A valid access token and its user. */
export interface LivingToken {
  readonly id: string;
  readonly personal: boolean;
  readonly clientId: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly userinfoClaims: readonly string[];
  /** Absent if nobody has signed in for it. */
  readonly signIn?: SignInOfToken | undefined;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly confirmation?: Confirmation | undefined;
  /** Set for a token that was exchanged for another one (RFC 8693). */
  readonly exchange?: ExchangeFacts | undefined;
  readonly subject: Subject;
}

/** Decides what to read about the user, once the token's scopes are known. */
export type AskFor = (token: TokenOutline) => Promise<Wanted | undefined>;

/** The contents of a token, before it is known whether it is still valid. */
export interface TokenOutline {
  /** A personal access token: only its text is known yet. */
  readonly personal: boolean;
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly audience: readonly string[];
}

/** A valid token, for checking permissions. */
export interface HeldToken {
  readonly holder: TokenHolder;
  /** Undefined for a personal access token, which has none. */
  readonly audience: readonly string[] | undefined;
  /** How its user signed in; undefined unless the token is the direct answer to a sign-in. */
  readonly signIn: DirectSignIn | undefined;
}

export interface DirectSignIn {
  readonly authTime: Date;
  readonly isTwice: boolean;
  /** The user's epoch when the token was issued: a new password raises it. */
  readonly userEpoch: number;
  /** The session that the token belongs to, if it has not ended. */
  readonly sessionId: string | undefined;
}

/** Reads any kind of access token and checks whether it is valid: one statement, never cached. */
@Injectable()
export class TokenReader {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly status: TokenStatus,
    private readonly proofs: ProofsOfKeys,
    private readonly clients: ClientService,
  ) {}

  /**
   * The valid token that a caller uses, or undefined: not ours, another kind, expired, ended, or bound to another key
   * than the caller has proved (RFC 9449 §7.1). If `askFor` returns undefined, the caller may not see this token, and
   * the database is not queried.
   * @throws ProofRefused if the proof was used before
   */
  async findUsed(presented: PresentedToken, askFor: AskFor): Promise<LivingToken | undefined> {
    const { token, proof } = presented;
    if (isPersonalAccessToken(token)) return proof ? undefined : this.findPersonal(token, askFor);
    const facts = await this.accessTokens.read(token);
    if (!facts || !(await this.isUsedRightly(facts, presented))) return undefined;
    const living = await this.findOfFacts(facts, askFor);
    if (living && proof) await this.proofs.spend(proof);
    return living;
  }

  /**
   * Like `findUsed`, for a token that was presented to somebody else, such as a protected resource that asks about it:
   * only there the key can be compared (RFC 9449 §6.2).
   */
  async findShown(token: string, askFor: AskFor): Promise<LivingToken | undefined> {
    if (isPersonalAccessToken(token)) return this.findPersonal(token, askFor);
    const facts = await this.accessTokens.read(token);
    return facts && this.findOfFacts(facts, askFor);
  }

  private async findOfFacts(facts: AccessTokenFacts, askFor: AskFor): Promise<LivingToken | undefined> {
    const wanted = await askFor({ ...facts, personal: false });
    const subject = wanted && (await this.status.findSubject(facts, wanted));
    return subject && { ...facts, personal: false, subject };
  }

  /**
   * The user of a valid token that a caller uses, with the user's memberships; undefined as above.
   * @throws ProofRefused if the proof was used before
   */
  async findHolder(presented: PresentedToken): Promise<HeldToken | undefined> {
    const { token, proof } = presented;
    if (isPersonalAccessToken(token)) {
      if (proof) return undefined;
      const holder = await this.status.findPersonalHolder(token);
      return holder && { holder, audience: undefined, signIn: undefined };
    }
    const facts = await this.accessTokens.read(token);
    // An exchanged token (RFC 8693) is never for the administrative API.
    if (!facts || facts.exchange || !(await this.isUsedRightly(facts, presented))) return undefined;
    const holder = await this.status.findHolder(facts);
    if (holder && proof) await this.proofs.spend(proof);
    return holder && { holder, audience: facts.audience, signIn: directSignInOf(facts) };
  }

  /** Whether the token comes with its key, and with an algorithm that its application's profile allows. */
  private async isUsedRightly(
    { confirmation, clientId }: AccessTokenFacts,
    presented: PresentedToken,
  ): Promise<boolean> {
    if (!isUsedAsBound(confirmation, presented)) return false;
    const { proof } = presented;
    if (!proof || allowsAlgorithm('fapi_2_0', proof.algorithm)) return true; // so that nothing is looked up for most
    const client = await this.clients.findActive(clientId);
    return client?.takesAlgorithm(proof.algorithm) !== false;
  }

  private async findPersonal(token: string, askFor: AskFor): Promise<LivingToken | undefined> {
    const wanted = await askFor({ personal: true, scopes: [], clientId: '', audience: [] });
    const row = wanted && (await this.status.findPersonal(token, { ...wanted, metadata: true }));
    if (!row) return undefined;
    return {
      id: row.tokenId,
      personal: true,
      clientId: row.subject.userName,
      audience: [row.subject.userId],
      scopes: row.scopes,
      userinfoClaims: [],
      issuedAt: toUnixSeconds(row.issuedAt),
      expiresAt: toUnixSeconds(row.expiresAt),
      subject: row.subject,
    };
  }
}

function directSignInOf(facts: AccessTokenFacts): DirectSignIn | undefined {
  const { id, signIn, isDirect = false, sessionId } = facts;
  const userEpoch = parseTokenId(id)?.userEpoch;
  if (!isDirect || signIn === undefined || userEpoch === undefined) return undefined;
  return { authTime: fromUnixSeconds(signIn.authTime), isTwice: acrOf(signIn.amr) === '2', userEpoch, sessionId };
}
