import { Injectable } from '@nestjs/common';
import { hash, type Algorithm } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { DomainError } from '../error/domain-error.js';
import { verifyEncoded } from './password-form.js';
import type { Secret } from './secret.js';

/** The package's `const enum` cannot be read by transpilers that see one file at a time. */
const ARGON2ID = 2 as Algorithm.Argon2id;
/**
 * OWASP's second argon2id profile, about 12 ms here: 19 MiB, two passes, one lane. The figures are part of every
 * hash, so raising them re-hashes each password at its owner's next sign-in.
 */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** The hash of no password, with the parameters of all: checking it costs what checking somebody's does. */
const NOBODYS_HASH = `${CURRENT_PREFIX}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Passwords longer than this are refused before hashing (bytes are what an attacker pays with). */
export const MAX_PASSWORD_CHARACTERS = 200;

/** Hashing takes a core for 12 ms: no more at once than there are cores, and a bounded queue behind them. */
const WORKERS = availableParallelism();
const MAX_WAITING = 500;

declare const hashed: unique symbol;
/**
 * A PHC string made by `PasswordHash`, or one that people brought in a form of `PASSWORD_FORMS`. What stores a password takes this type: a password itself cannot slip in, and
 * hashing, which may wait its turn for seconds, is over before a transaction holds a connection.
 */
export type EncodedPassword = string & { readonly [hashed]: true };

@Injectable()
export class PasswordHash {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  /**
   * `salt`: of 16 bytes, for what must have the same hash each time; random without it (RFC 9106 §3.1).
   * @throws DomainError ResourceExhausted `password.busy` when too many wait already.
   */
  async hash(password: Secret, salt?: Buffer): Promise<EncodedPassword> {
    const options = salt === undefined ? PARAMETERS : { ...PARAMETERS, salt };
    return this.inTurn(async () => (await hash(password.reveal(), options)) as EncodedPassword);
  }

  async verify(encoded: string, password: Secret): Promise<boolean> {
    return this.inTurn(() => verifyEncoded(encoded, password.reveal()));
  }

  /** Costs what `verify` costs and is never right: for names that nobody has. */
  async verifyNobody(password: Secret): Promise<false> {
    await this.verify(NOBODYS_HASH, password);
    return false;
  }

  /** Whether a stored hash was made with other parameters than today's. */
  isOutdated(encoded: string): boolean {
    return !encoded.startsWith(CURRENT_PREFIX);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= WORKERS) {
      if (this.waiting.length >= MAX_WAITING) {
        throw new DomainError('ResourceExhausted', 'password.busy', 'Too many sign-ins at once. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      // The one who finishes hands its place over, so the count does not change here.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
