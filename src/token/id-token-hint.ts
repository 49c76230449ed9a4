import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { readCompactJws } from '../foundation/crypto/compact-jws.js';
import { KeyService } from '../key/key.service.js';
import { isIdTokenPayload } from './token-kind.js';

const MAX_CHARACTERS = 16_384;

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
    private readonly issuer: IssuerConfig,
  ) {}

  /** Reads an `id_token_hint`. Expired ones are accepted: users sign out late (RP-Initiated Logout §2). */
  async read(text: string): Promise<IdTokenHint | undefined> {
    const payload = await this.payloadOf(text);
    return payload && this.toHint(payload);
  }

  /** What one of our ID tokens contains, also after it has expired. */
  async payloadOf(text: string): Promise<IdTokenPayload | undefined> {
    try {
      const { header, payload } = readCompactJws(text, MAX_CHARACTERS);
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
