import { newId } from '../foundation/crypto/id.js';
import type { SignInAccount } from '../user/account.js';
import type { BrowserSession } from './browser-session.js';
import { type SessionJson, toSession } from './browser-sessions.js';

export type FoundCandidate = SignInAccount & {
  readonly userSequence: string;
  readonly session: Omit<SessionJson, 'id' | 'createdAt'> & {
    readonly id: string | null;
    readonly createdAt: string | null;
  };
};

/** A user who may be about to sign in in a browser. */
export class Candidate {
  constructor(
    private readonly found: FoundCandidate,
    private readonly rpId: string | undefined,
  ) {}

  get account(): SignInAccount {
    return this.found;
  }

  /** The number of the last change of the user. */
  get userSequence(): string {
    return this.found.userSequence;
  }

  /** Whether the user has no session in this browser yet. */
  get isNewHere(): boolean {
    return this.found.session.id === null;
  }

  /** Whether the login policy of the user lets passkeys in. */
  get mayUsePasskeys(): boolean {
    return this.rpId !== undefined && this.found.session.secondFactor.arePasskeysAllowed;
  }

  /** The session that begins once the user has proved who they are: a new one, or the one that this browser has. */
  sessionAt(now: Date, proof: 'password' | 'passkey' = 'password'): BrowserSession {
    const { session } = this.found;
    return toSession(
      {
        ...session,
        id: session.id ?? newId(),
        createdAt: session.createdAt ?? now.toISOString(),
        [proof === 'password' ? 'passwordCheckedAt' : 'passkeyCheckedAt']: now.toISOString(),
      },
      this.rpId,
    );
  }
}
