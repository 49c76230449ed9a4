import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { readCompactJws } from '../foundation/crypto/compact-jws.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { KeyService } from './key/key.service.js';
import { isIdTokenPayload } from './token-kind.js';

/** No ID token of ours is longer, so that each fits into a form as a hint. */
export const MAX_ID_TOKEN_CHARACTERS = 49_152;
/** A longer hint is replaced where there is little room. */
const LONG = 1_000;

export type IdTokenPayload = Readonly<Record<string, unknown>>;

/** What one of our id_tokens says about its user and client. */
export interface IdTokenHint {
  readonly userId: string;
  /** `azp`, otherwise the single `aud`. */
  readonly clientId: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Reads ID tokens that come back to us. Anything that we did not sign is ignored: another algorithm, `none`, another
 * kind of token.
 */
@Injectable()
export class IdTokenHints {
  constructor(
    private readonly keys: KeyService,
    private readonly tokenSeal: TokenSeal,
    private readonly issuer: IssuerConfig,
  ) {}

  /** Reads an `id_token_hint`. Expired ones are accepted: users sign out late (RP-Initiated Logout §2). */
  async read(text: string): Promise<IdTokenHint | undefined> {
    const short = this.tokenSeal.open('hint', text);
    if (short) return JSON.parse(short.toString()) as IdTokenHint;
    const payload = await this.payloadOf(text);
    return payload && this.toHint(payload);
  }

  /**
   * A hint in few characters, for places where a whole ID token does not fit: an address, or a pushed request.
   * Undefined for a hint that cannot be verified.
   */
  async shortened(text: string): Promise<string | undefined> {
    if (text.length <= LONG) return text;
    const hint = await this.read(text);
    return hint && this.tokenSeal.seal('hint', Buffer.from(JSON.stringify(hint)));
  }

  /** What one of our ID tokens contains, also after it has expired. */
  async payloadOf(text: string): Promise<IdTokenPayload | undefined> {
    try {
      const { header, payload } = readCompactJws(text, MAX_ID_TOKEN_CHARACTERS);
      const { kid, typ } = header;
      const key = typeof kid === 'string' ? (await this.keys.current()).find(kid) : undefined;
      if (!key || typ !== 'JWT' || !isIdTokenPayload(payload)) return undefined;
      return key.verifier.hasSigned(text, header) ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  private toHint(payload: IdTokenPayload): IdTokenHint | undefined {
    const { iss, sub, aud, azp, sid } = payload;
    if (iss !== this.issuer.publicUrl || typeof sub !== 'string') return undefined;
    const audiences = [aud].flat().filter((entry) => typeof entry === 'string');
    const single = audiences.length === 1 ? audiences[0] : undefined;
    return {
      userId: sub,
      clientId: typeof azp === 'string' ? azp : single,
      sessionId: typeof sid === 'string' ? sid : undefined,
    };
  }
}
