import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { PasswordConfig } from '../config/config.js';
import type { Secret } from '../config/secret.js';
import type { EncodedPassword } from './encoded-password.js';
import { millisecondsOf, USUAL_SPEEDS } from './hash-cost.js';
import { HashLane, type Turn } from './hash-lane.js';
import { HashParameters } from './hash-parameters.js';
import { HashThread } from './hash-thread.js';
import { decoyOf, isImportedHash, settingOf, workOf } from './password-form.js';
import { composed, spellingsOf } from './typed-password.js';

/** The package's `const enum` is not available to transpilers that process one file at a time. */
const ARGON2ID = 2 as Algorithm.Argon2id;
/** An index of users contains it as well: changing the parameters requires a schema change. */
export const OWN_PREFIX = `${new HashParameters().setting}$`;

/** Longer passwords are refused before hashing, to limit the cost of an attack. */
export const MAX_PASSWORD_CHARACTERS = 200;

/** The default size of Node's thread pool; one thread is left to files, DNS and signatures. */
const USUAL_POOL_THREADS = 4;

/** Checks of foreign hashes that may wait for one network and name: as many as the limit on guesses admits. */
const MAX_FOREIGN_OF_TURN = 10;

/** `outdated`: right, but the hash is not the one that would be made of the password today. */
export type PasswordMatch = 'right' | 'outdated' | 'wrong';

/** A check that has begun: its lane, and the setting of its hash. */
export interface BegunCheck {
  readonly lane: 'own' | 'foreign';
  readonly setting: string;
}

/**
 * Hashes and checks passwords, each kind of hash in a lane of its own. Our own hashes, whose cost we have chosen, run
 * in parallel on all cores. Imported hashes, whose cost others have chosen, run one at a time in a separate thread, so
 * that their queue never delays the other one.
 */
@Injectable()
export class PasswordHash implements OnApplicationShutdown {
  private readonly own: HashLane;
  private readonly foreign = new HashLane(1, MAX_FOREIGN_OF_TURN);
  private readonly thread = new HashThread();
  private readonly listeners: Array<(check: BegunCheck) => void> = [];
  private readonly options: Options;
  private readonly setting: string;
  /** A hash that matches no password, with our own parameters. */
  private readonly decoy: EncodedPassword;
  private nameless = 0;

  constructor(@Optional() config?: PasswordConfig, @Optional() parameters: HashParameters = new HashParameters()) {
    const { memoryKib: memoryCost, passes: timeCost, setting } = parameters;
    this.options = { algorithm: ARGON2ID, memoryCost, timeCost, parallelism: 1 };
    this.setting = setting;
    this.decoy = decoyOf(setting)!;
    const poolThreads = config?.poolThreads ?? USUAL_POOL_THREADS;
    const processors = Math.floor(availableParallelism() / (config?.processes ?? 1));
    this.own = new HashLane(Math.max(1, Math.min(processors, poolThreads - 1)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }

  /** How many checks wait: of our own hashes, and of imported ones. */
  get waiting(): { readonly own: number; readonly imported: number } {
    return { own: this.own.waiting, imported: this.foreign.waiting };
  }

  /** Called when a check begins: what is computed is more precise than how long it took. */
  onCheck(listener: (check: BegunCheck) => void): void {
    this.listeners.push(listener);
  }

  /** @throws DomainError ResourceExhausted `password.busy` if it would have to wait too long */
  async hash(password: Secret, turn: Turn = this.aTurn()): Promise<EncodedPassword> {
    return this.own.run(turn, async () => (await hash(composed(password).reveal(), this.options)) as EncodedPassword);
  }

  /**
   * Hashes a secret of a program, byte by byte. `salt`: 16 bytes, for values that must have the same hash each time
   * (RFC 9106 §3.1).
   */
  async hashExactly(secret: Secret, salt: Buffer): Promise<EncodedPassword> {
    return (await hash(secret.reveal(), { ...this.options, salt })) as EncodedPassword;
  }

  /**
   * Whether the password matches the hash in one of its spellings; never for an unknown format. Takes at least as long
   * as one of our own hashes for each spelling: a cheaper hash must not be recognizable by a fast answer, and neither
   * must the spelling that is right. What is typed alone decides how many there are (LOG-095).
   * @throws DomainError ResourceExhausted `password.busy` if it would have to wait too long
   */
  async check(encoded: string, password: Secret, turn: Turn = this.aTurn()): Promise<PasswordMatch> {
    const right: Secret[] = [];
    for (const spelling of spellingsOf(password)) {
      if (await this.verifyUnpadded(encoded, spelling, turn)) right.push(spelling);
      if (this.isCheap(encoded)) await this.verifyOwn(this.decoy, spelling, turn);
    }
    if (right.length === 0) return 'wrong';
    const isComposed = right.some((spelling) => spelling.reveal() === composed(spelling).reveal());
    return isComposed && !this.isOutdated(encoded) ? 'right' : 'outdated';
  }

  async verify(encoded: string, password: Secret, turn?: Turn): Promise<boolean> {
    return (await this.check(encoded, password, turn)) !== 'wrong';
  }

  /** Verifies without the minimum time, for codes of a user who is already known. */
  async verifyUnpadded(encoded: string, secret: Secret, turn: Turn = this.aTurn()): Promise<boolean> {
    return this.isOutdated(encoded) ? this.verifyApart(encoded, secret, turn) : this.verifyOwn(encoded, secret, turn);
  }

  /** Costs as much as `check` for a hash of this setting, and never matches. An empty setting is our own. */
  async verifyDecoy(setting: string, password: Secret, turn?: Turn): Promise<'wrong'> {
    await this.verify(decoyOf(setting) ?? this.decoy, password, turn);
    return 'wrong';
  }

  /** Verifies in the lane of foreign hashes, whatever the format: secrets of programs must not delay users. */
  async verifyApart(encoded: string, secret: Secret, turn: Turn): Promise<boolean> {
    const work = workOf(encoded);
    if (!work) return false;
    return this.foreign.run(turn, async () => {
      this.announce({ lane: 'foreign', setting: settingOf(encoded) });
      return (await this.thread.check(work, secret.reveal())).isRight;
    });
  }

  /** Whether a stored hash has parameters other than today's. */
  isOutdated(encoded: string): boolean {
    return !encoded.startsWith(`${this.setting}$`);
  }

  private async verifyOwn(encoded: string, password: Secret, turn: Turn): Promise<boolean> {
    return this.own.run(turn, async () => {
      this.announce({ lane: 'own', setting: this.setting });
      return verify(encoded, password.reveal());
    });
  }

  /** Judges by estimates that are the same everywhere: a decoy must be treated like the hash that it stands for. */
  private isCheap(encoded: string): boolean {
    return !isImportedHash(encoded) || millisecondsOf(encoded, USUAL_SPEEDS) < millisecondsOf(this.decoy, USUAL_SPEEDS);
  }

  private announce(check: BegunCheck): void {
    for (const listener of this.listeners) listener(check);
  }

  /** A turn of its own, which no other caller shares. */
  private aTurn(): Turn {
    this.nameless += 1;
    return { from: '', name: `nameless ${this.nameless}` };
  }
}
