import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { newId } from '../../foundation/crypto/id.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Purge } from '../../foundation/database/purge.js';
import type { Queryable } from '../../foundation/database/statement.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { Clock } from '../../foundation/time/clock.js';
import type { AccountChange } from '../outbox/outbox-mail.entity.js';
import { UserService } from '../user.service.js';
import { UserMails } from '../user-mails.js';
import { MOST_KEYS } from './auth-key.entity.js';
import { challengeIn, parseAssertion } from './ceremony-answer.js';
import { type ChallengePlace, Challenges, SIGN_IN_CHALLENGE_SECONDS } from './challenge.js';
import type { KeyKind } from './factor.entity.js';
import {
  challengeSpent,
  keyNameInvalid,
  lastWayIn,
  passkeyCountedBack,
  passkeyExists,
  passkeyNotFound,
  passkeysUnavailable,
  tooManyKeys,
} from './factor.errors.js';
import { FactorService } from './factor.service.js';
import type { FactorOwner } from './factor-owner.js';
import { FIRST_NAMES, isUnnamed, nameOfNewKey, parseKeyName } from './key-names.js';
import { type HeldKey, PasskeyRepository } from './passkey.repository.js';
import { type Assertion, type Attestation, handleOf, PasskeyCeremony, type UsableKey } from './passkey-ceremony.js';
import { RecoveryCodes } from './recovery-codes.js';
import { WaysIn } from './ways-in.js';

export type { HeldKey };

/** The names of the events, as the described system has them. */
const EVENTS: Readonly<Record<KeyKind, string>> = {
  passkey: 'user.human.passwordless.token',
  u2f: 'user.human.mfa.u2f.token',
};

const ADDED: Readonly<Record<KeyKind, AccountChange>> = { passkey: 'passkeyAdded', u2f: 'securityKeyAdded' };
const REMOVED: Readonly<Record<KeyKind, AccountChange>> = { passkey: 'passkeyRemoved', u2f: 'securityKeyRemoved' };

/** A key that is to be registered. */
export interface KeyRegistration {
  /** Its id, if that was named when its challenge was issued. */
  readonly id?: string | undefined;
  readonly kind: KeyKind;
  readonly owner: FactorOwner;
  /** The session in which its owner gives it a name. */
  readonly sessionId?: string | undefined;
  /** A manager, or an importer; otherwise the owner. */
  readonly editorId?: string | undefined;
  /** The name as `parseKeyName` returns it; by default that of the key's manager. */
  readonly name?: string | undefined;
}

/** A key that has signed: whose it is, and how to use the answer up. */
export interface UsedKey {
  readonly key: HeldKey;
  readonly assertion: Assertion;
}

/** The passkeys and security keys of users. */
@Injectable()
export class PasskeyService implements Purge {
  constructor(
    private readonly database: Database,
    private readonly keys: PasskeyRepository,
    private readonly factors: FactorService,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly ceremony: PasskeyCeremony,
    private readonly challenges: Challenges,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly ways: WaysIn,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Whether there are passkeys and security keys here at all. */
  get arePossible(): boolean {
    return this.ceremony.isPossible;
  }

  /** @throws DomainError FailedPrecondition `passkey.unavailable` */
  checkPossible(): void {
    if (!this.arePossible) throw passkeysUnavailable();
  }

  /** Says at the start what operators would otherwise learn from users. */
  async reportState(): Promise<void> {
    if (!this.arePossible) {
      this.log.info('no passkeys: PUBLIC_URL has an address instead of a domain');
      return;
    }
    const { rpId } = this.ceremony;
    const count = await this.keys.countElsewhere(rpId);
    if (count > 0) this.log.warn({ count, rpId }, 'passkeys and security keys of another domain no longer work');
  }

  /** The oldest first; those of both kinds, also those that were made for another domain. */
  async list(userId: string, on: Queryable = this.database): Promise<readonly HeldKey[]> {
    return this.keys.list(on, userId);
  }

  /** @throws DomainError NotFound `passkey.not_found` */
  async find(userId: string, id: string): Promise<HeldKey> {
    const key = (await this.list(userId)).find((held) => held.id === id);
    if (!key) throw passkeyNotFound();
    return key;
  }

  /** Whether anybody has a key with this id, of either kind, also if they cannot sign in with it now. */
  async isKnown(credentialId: string): Promise<boolean> {
    return (await this.keys.find(credentialId)) !== undefined;
  }

  /** Whether the key can still be used: a browser asks for none of another domain. */
  worksHere({ rpId }: Pick<HeldKey, 'rpId'>): boolean {
    return this.arePossible && rpId === this.ceremony.rpId;
  }

  /**
   * Which keys are left and whose they are, as JSON for the page: a browser passes it on to its password manager, which
   * then offers no removed passkey, and shows the current name (WebAuthn Level 3, `signalAllAcceptedCredentials` and
   * `signalCurrentUserDetails`). They name accounts by the user handle: keys that another service made have its own.
   * Undefined where there are no passkeys.
   */
  signals(
    { id, name, displayName }: { readonly id: string; readonly name: string; readonly displayName: string },
    keys: readonly HeldKey[],
  ): string | undefined {
    if (!this.arePossible) return undefined;
    const { rpId } = this.ceremony;
    // That of the account as well if it has no key: those that were removed are forgotten.
    const accounts = new Map<string, string[]>([[handleOf({ userHandle: null }, id), []]]);
    for (const key of keys.filter((held) => this.worksHere(held))) {
      const userId = handleOf(key, id);
      accounts.set(userId, [...(accounts.get(userId) ?? []), key.credentialId]);
    }
    return JSON.stringify({
      rpId,
      accounts: [...accounts].map(([userId, allAcceptedCredentialIds]) => ({ userId, allAcceptedCredentialIds })),
      name,
      displayName,
    });
  }

  /** The options of `navigator.credentials.create`, as JSON for the page. */
  async creationOptions(
    place: ChallengePlace,
    of: {
      readonly kind: KeyKind;
      readonly user: { id: string; name: string; displayName: string };
      readonly brand: string;
      readonly isForThisDevice?: boolean | undefined;
    },
  ): Promise<string> {
    const existing = (await this.list(of.user.id)).filter((key) => this.worksHere(key));
    return JSON.stringify(this.ceremony.creationOptions(this.challenges.issue(place), { ...of, existing }));
  }

  /**
   * Checks the answer of the browser; nothing is stored yet.
   * @throws DomainError InvalidArgument `passkey.refused`, `passkey.user_not_verified`; FailedPrecondition
   * `passkey.challenge_expired`
   */
  async checkNew(kind: KeyKind, answer: string, place: ChallengePlace, lifetimeSeconds: number): Promise<Attestation> {
    return this.ceremony.verifyAttestation(answer, {
      challenge: (value) => this.challenges.open(value, place, lifetimeSeconds),
      mustVerifyUser: kind === 'passkey',
    });
  }

  /**
   * Stores a checked key; with the first factor of a user come recovery codes, on the next page.
   * @throws DomainError AlreadyExists `passkey.exists`; FailedPrecondition `passkey.challenge_spent`,
   * `passkey.too_many`
   */
  async add(tx: Transaction, registration: KeyRegistration, { challenge, key }: Attestation): Promise<string> {
    const { id = newId(), kind, owner, sessionId = null, editorId = owner.userId } = registration;
    if (!(await this.keys.spend(tx, challenge))) throw challengeSpent();
    // The event locks the user, so that two keys at once are counted one after the other.
    await this.users.change(tx, owner.userId, {}, `${EVENTS[kind]}.added`, editorId, { tokenId: id });
    const held = await this.keys.list(tx, owner.userId);
    if (held.length >= MOST_KEYS) throw tooManyKeys(MOST_KEYS);
    const taken = held.map((other) => other.name);
    const name = registration.name ?? nameOfNewKey(key.aaguid, FIRST_NAMES[kind], taken);
    const row = { ...key, id, kind, name, userId: owner.userId, sessionId, createdAt: this.clock.now() };
    if (!(await this.keys.add(tx, row))) throw passkeyExists();
    await this.recoveryCodes.begin(tx, owner);
    await this.tell(tx, owner.userId, ADDED[kind], { kind, name });
    return id;
  }

  /** @throws DomainError InvalidArgument; NotFound `passkey.not_found` */
  async rename(tx: Transaction, userId: string, id: string, typed: string): Promise<void> {
    const name = parseKeyName(typed);
    if (name === undefined) throw keyNameInvalid('name');
    if ((await this.keys.rename(tx, userId, id, name)) === undefined) throw passkeyNotFound();
  }

  /**
   * Removes a key; the owner is told, also when a manager removes it.
   * @throws DomainError NotFound `passkey.not_found`
   */
  async remove(tx: Transaction, userId: string, id: string, kind: KeyKind, editorId: string): Promise<EventMark> {
    // Locks the user before the key, as a sign-in does; and of two keys that are removed at once, the second one sees
    // that the first one is gone.
    const mark = await this.users.change(tx, userId, {}, `${EVENTS[kind]}.removed`, editorId, { tokenId: id });
    const name = await this.keys.remove(tx, userId, id, kind);
    if (name === undefined) throw passkeyNotFound();
    await this.tell(tx, userId, REMOVED[kind], { kind, name });
    return (await this.factors.dropCodesOfNothing(tx, userId, editorId)) ?? mark;
  }

  /**
   * Like `remove`, by the owner, who must be able to sign in afterwards.
   * @throws DomainError NotFound `passkey.not_found`; FailedPrecondition `passkey.last_way_in`
   */
  async removeOwn(tx: Transaction, userId: string, id: string, kind: KeyKind): Promise<EventMark> {
    // Locks the user: of two passkeys that are removed at once, one stays.
    const mark = await this.remove(tx, userId, id, kind, userId);
    if (kind === 'passkey' && !(await this.ways.areLeft(tx, userId))) throw lastWayIn();
    return mark;
  }

  /** The options of `navigator.credentials.get` for a user who is known, as JSON for the page. */
  async requestOptions(place: ChallengePlace, kinds: readonly KeyKind[], userId: string): Promise<string> {
    const allowed = (await this.list(userId)).filter((key) => kinds.includes(key.kind) && this.worksHere(key));
    return this.optionsFor(place, allowed);
  }

  /** Like `requestOptions`, while nobody is known: the browser offers what it has (WebAuthn Level 3 §14.6.2). */
  openOptions(place: ChallengePlace): string {
    return this.optionsFor(place, []);
  }

  /**
   * Checks the answer of a key of a user who is known.
   * @throws DomainError NotFound `passkey.not_found` for a key that is not the user's; otherwise as `checkNew`
   */
  async check(
    userId: string,
    kinds: readonly KeyKind[],
    answer: string,
    place: ChallengePlace,
    lifetimeSeconds: number,
  ): Promise<UsedKey> {
    const parsed = parseAssertion(answer);
    const key = await this.keys.find(parsed.id);
    if (!key || key.userId !== userId || !kinds.includes(key.kind)) throw passkeyNotFound();
    const assertion = await this.ceremony.verifyAssertion(parsed, key, {
      challenge: (value) => this.challenges.open(value, place, lifetimeSeconds),
      ownerId: userId,
      isNamed: true,
      mustVerifyUser: place.purpose === 'sign-in',
    });
    return { key, assertion };
  }

  /**
   * Reads an answer; nothing is checked yet.
   * @throws DomainError InvalidArgument `passkey.refused`
   */
  parse(answer: string): AuthenticationResponseJSON {
    return parseAssertion(answer);
  }

  /**
   * Checks the answer of a passkey with which somebody signs in: to a page that named nobody, or the owner of the key.
   * @throws DomainError as `checkNew`
   */
  async checkSignIn(
    answer: AuthenticationResponseJSON,
    key: UsableKey,
    ownerId: string,
    place: ChallengePlace,
  ): Promise<Assertion> {
    const open = (userId?: string) => (value: string) =>
      this.challenges.open(value, { ...place, userId }, SIGN_IN_CHALLENGE_SECONDS);
    const challenge = challengeIn(answer);
    const isNamed = challenge !== undefined && open(ownerId)(challenge) !== undefined;
    return this.ceremony.verifyAssertion(answer, key, {
      challenge: open(isNamed ? ownerId : undefined),
      ownerId,
      isNamed,
      mustVerifyUser: true,
    });
  }

  /**
   * Uses the answer up.
   * @throws DomainError FailedPrecondition `passkey.challenge_spent`, `passkey.counter_back`
   */
  async spend(tx: Transaction, { key, assertion }: UsedKey): Promise<void> {
    if (!(await this.keys.spend(tx, assertion.challenge))) throw challengeSpent();
    const { signCount, backupEligible, backedUp } = assertion;
    const used = { signCount, backupEligible, backedUp, now: this.clock.now() };
    if (!(await this.keys.use(tx, key.id, used))) throw passkeyCountedBack();
  }

  /**
   * Records that a counter went back, and tells the owner, in a transaction of its own: the refusal rolls nothing of it
   * back.
   */
  async recordCopied(userId: string, { id, kind }: Pick<HeldKey, 'id' | 'kind'>): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.users.change(tx, userId, {}, `${EVENTS[kind]}.signcount.refused`, userId, { tokenId: id });
      const key = (await this.keys.list(tx, userId)).find((held) => held.id === id);
      // A key that was removed meanwhile is refused as well, and says nothing of a copy.
      if (key) await this.tell(tx, userId, 'keyCopied', key);
    });
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return this.keys.purgeSpent(on, now);
  }

  private async tell(
    tx: Transaction,
    userId: string,
    change: AccountChange,
    key: Pick<HeldKey, 'kind' | 'name'>,
  ): Promise<void> {
    const about = isUnnamed(key) ? undefined : key.name;
    await this.mails.tellAccountChanged(tx, await this.users.get(tx, userId), change, about);
  }

  private optionsFor(place: ChallengePlace, allowed: readonly HeldKey[]): string {
    const mustVerifyUser = place.purpose === 'sign-in';
    return JSON.stringify(this.ceremony.requestOptions(this.challenges.issue(place), { allowed, mustVerifyUser }));
  }
}
