import { newId } from '../foundation/crypto/id.js';
import type { SignInAccount } from '../user/account.js';
import type { FoundByName } from '../user/login-name-search.js';
import type { BrowserSession } from './browser-session.js';
import { type SessionJson, toSession } from './browser-sessions.js';

export type FoundCandidate = SignInAccount &
  FoundByName & {
    readonly userSequence: string;
    readonly session: Omit<SessionJson, 'id' | 'createdAt'> & {
      readonly id: string | null;
      readonly createdAt: string | null;
    };
  };

/** A user who may be about to sign in in a browser. */
export class Candidate {
  constructor(private readonly found: FoundCandidate) {}

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

  /** What the session is once the user has proved the password: a new one, or the one that this browser has. */
  sessionAt(now: Date): BrowserSession {
    const { session } = this.found;
    return toSession({
      ...session,
      id: session.id ?? newId(),
      createdAt: session.createdAt ?? now.toISOString(),
      passwordCheckedAt: now.toISOString(),
    });
  }
}
