import { availableParallelism } from 'node:os';
import { Injectable, Optional } from '@nestjs/common';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { PasswordConfig } from '../config/config.js';
import { millisecondsOf, USUAL_SPEEDS } from './hash-cost.js';
import { HashLane, type Turn } from './hash-lane.js';
import { HashThread } from './hash-thread.js';
import { decoyOf, isImportedHash, settingOf, workOf } from './password-form.js';
import type { Secret } from './secret.js';

/** The package's `const enum` cannot be read by transpilers that see one file at a time. */
const ARGON2ID = 2 as Algorithm.Argon2id;
/**
 * OWASP's second argon2id profile, about 12 ms here: 19 MiB, two passes, one lane. The figures are part of every
 * hash, so raising them re-hashes each password at its owner's next sign-in.
 */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const OWN_SETTING = '$argon2id$v=19$m=19456,t=2,p=1';
/** An index of people knows it as well: a change of the parameters needs a schema change. */
export const OWN_PREFIX = `${OWN_SETTING}$`;
/** A hash that no password has, with our own parameters. */
const OWN_DECOY = decoyOf(OWN_SETTING)!;
const OWN_MILLISECONDS = millisecondsOf(OWN_DECOY, USUAL_SPEEDS);

/** Passwords longer than this are refused before hashing (bytes are what an attacker pays with). */
export const MAX_PASSWORD_CHARACTERS = 200;

/** Of Node's thread pool, where nothing else is set. One is left to files, names and signatures. */
const USUAL_POOL_THREADS = 4;

/** Checks of foreign hashes that wait with one network and one name: as many as the limit on guesses lets through. */
const MAX_FOREIGN_OF_TURN = 10;

declare const hashed: unique symbol;
/**
 * A PHC string made by `PasswordHash`, or one that people brought in a form of `PASSWORD_FORMS`. What stores a password takes
 * this type: a password itself cannot slip in, and hashing, which may wait its turn for seconds, is over before a transaction
 * holds a connection.
 */
export type EncodedPassword = string & { readonly [hashed]: true };

/** A check that was begun: in which lane, and of a hash of which setting. */
export interface BegunCheck {
  readonly lane: 'own' | 'foreign';
  readonly setting: string;
}

/**
 * Hashes passwords and checks them, each kind of hash in a lane of its own. Our own, whose cost we have chosen, run as many at
 * once as there are cores. Hashes from elsewhere, whose cost others have chosen, run one at a time in a thread of their own:
 * whatever stands in that queue, nobody waits in the other one for it.
 */
@Injectable()
export class PasswordHash {
  private readonly own: HashLane;
  private readonly foreign = new HashLane(1, MAX_FOREIGN_OF_TURN);
  private readonly thread = new HashThread();
  private readonly listeners: Array<(check: BegunCheck) => void> = [];
  private nameless = 0;

  constructor(@Optional() config?: PasswordConfig) {
    const poolThreads = config?.poolThreads ?? USUAL_POOL_THREADS;
    this.own = new HashLane(Math.max(1, Math.min(availableParallelism(), poolThreads - 1)));
  }

  /** Hears of each check when it begins: what was computed tells more than how long it took. */
  onCheck(listener: (check: BegunCheck) => void): void {
    this.listeners.push(listener);
  }

  /**
   * `salt`: of 16 bytes, for what must have the same hash each time; random without it (RFC 9106 §3.1).
   * @throws DomainError ResourceExhausted `password.busy` when it would have to wait too long
   */
  async hash(password: Secret, turn: Turn = this.aTurn(), salt?: Buffer): Promise<EncodedPassword> {
    const options = salt === undefined ? PARAMETERS : { ...PARAMETERS, salt };
    return this.own.run(turn, async () => (await hash(password.reveal(), options)) as EncodedPassword);
  }

  /**
   * Whether the password is the one of the hash; false for a hash of no form that is known. Takes as long as one of ours at
   * least: who has a cheaper hash must not be known by a fast answer.
   * @throws DomainError ResourceExhausted `password.busy` when it would have to wait too long
   */
  async verify(encoded: string, password: Secret, turn: Turn = this.aTurn()): Promise<boolean> {
    const isRight = await this.verifyUnpadded(encoded, password, turn);
    if (isCheap(encoded)) await this.verifyOwn(OWN_DECOY, password, turn);
    return isRight;
  }

  /** The same without that least time: for codes of somebody who has shown already who they are. */
  async verifyUnpadded(encoded: string, secret: Secret, turn: Turn = this.aTurn()): Promise<boolean> {
    return this.isOutdated(encoded) ? this.verifyApart(encoded, secret, turn) : this.verifyOwn(encoded, secret, turn);
  }

  /** Costs what `verify` costs for a hash of this setting, and is never right. An empty setting is our own. */
  async verifyDecoy(setting: string, password: Secret, turn?: Turn): Promise<false> {
    await this.verify(decoyOf(setting) ?? OWN_DECOY, password, turn);
    return false;
  }

  /** In the lane of foreign hashes, whatever its form: for secrets of programs, which must not stand in people's way. */
  async verifyApart(encoded: string, secret: Secret, turn: Turn): Promise<boolean> {
    const work = workOf(encoded);
    if (!work) return false;
    return this.foreign.run(turn, async () => {
      this.tell({ lane: 'foreign', setting: settingOf(encoded) });
      return (await this.thread.check(work, secret.reveal())).isRight;
    });
  }

  /** Whether a stored hash was made with other parameters than today's. */
  isOutdated(encoded: string): boolean {
    return !encoded.startsWith(OWN_PREFIX);
  }

  private async verifyOwn(encoded: string, password: Secret, turn: Turn): Promise<boolean> {
    return this.own.run(turn, async () => {
      this.tell({ lane: 'own', setting: OWN_SETTING });
      return verify(encoded, password.reveal());
    });
  }

  private tell(check: BegunCheck): void {
    for (const listener of this.listeners) listener(check);
  }

  /** Of somebody who shares it with nobody. */
  private aTurn(): Turn {
    this.nameless += 1;
    return { from: '', name: `nameless ${this.nameless}` };
  }
}

/** By figures that are the same everywhere: a decoy must be treated as the hash that it stands for. */
function isCheap(encoded: string): boolean {
  return !isImportedHash(encoded) || millisecondsOf(encoded, USUAL_SPEEDS) < OWN_MILLISECONDS;
}
