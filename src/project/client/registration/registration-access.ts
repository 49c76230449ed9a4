import { Injectable } from '@nestjs/common';
import { TokenSeal } from '../../../foundation/crypto/token-seal.js';
import type { ClientRow } from '../client.entity.js';

/** The contents of a registration access token: the application, and which of those that had its id. */
interface Named {
  readonly id: string;
  readonly epoch: string;
  readonly version: number;
}

/**
 * Registration access tokens (RFC 7592 §3): sealed, so that nothing is stored but the version that an administrator can
 * raise. A token stays the same for as long as it is valid: an application that loses an answer does not lose itself.
 */
@Injectable()
export class RegistrationAccess {
  constructor(private readonly seal: TokenSeal) {}

  /** The token of an application that has registered itself. */
  tokenFor({ id, clientEpoch, registration }: Pick<ClientRow, 'id' | 'clientEpoch' | 'registration'>): string {
    const named: Named = { id, epoch: clientEpoch, version: registration?.version ?? 0 };
    return this.seal.sealDeterministically('registration', Buffer.from(JSON.stringify(named)));
  }

  /** The id of the application that the token may be for. */
  idIn(token: string): string | undefined {
    return this.open(token)?.id;
  }

  /** Whether the token is that of the application as it is now. */
  isFor(token: string, { id, clientEpoch, registration, state }: ClientRow): boolean {
    const named = this.open(token);
    return (
      named?.id === id && named.epoch === clientEpoch && named.version === registration?.version && state === 'active'
    );
  }

  private open(token: string): Named | undefined {
    const payload = this.seal.open('registration', token);
    return payload === undefined ? undefined : (JSON.parse(payload.toString()) as Named);
  }
}
