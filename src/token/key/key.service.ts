import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../../foundation/crypto/id.js';
import { KeyPairs } from '../../foundation/crypto/key-pairs.js';
import { Vault } from '../../foundation/crypto/vault.js';
import { takeLock } from '../../foundation/database/advisory-lock.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import { type EventMark, Journal, SYSTEM } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { Instance, SigningAlgorithm } from '../../org/instance/instance.entity.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { HAS_STRICT_CLIENT, LONGEST_CLIENT_LIFETIME } from './client-needs.js';
import { JwsVerifier } from './jws-verifier.js';
import { JwtSigner } from './jwt-signer.js';
import { keyActive, keyNotFound, keyNotNext, noActiveKey } from './key.errors.js';
import { KeyRing, type PublishedKey } from './key-ring.js';
import { generalLane, type Lane, STRICT_LANE } from './lane.js';
import { SigningKey, type SigningKeyPurpose, vaultPlaceOf } from './signing-key.entity.js';

/** How long clients may cache the published set (`Cache-Control: max-age`). */
export const KEYS_MAX_AGE_SECONDS = 300;
/** A key is used only after every cache has had time to learn it. */
const PUBLISH_AHEAD_SECONDS = KEYS_MAX_AGE_SECONDS + seconds.perMinute;
/** Retired keys stay published at least as long: users sign out with id_tokens that expired days ago. */
const KEEP_RETIRED_SECONDS = 30 * seconds.perDay;
const [MAINTENANCE_MS, RELOAD_MS] = [60_000, 60_000];
/** How often keys are read while no changes would be notified, and after a failed attempt. */
const RELOAD_UNTOLD_MS = 1_000;

/** Signing keys: generated, published, used, retired. Safe with several processes: changes happen under a lock. */
@Injectable()
export class KeyService implements OnApplicationShutdown {
  private reading: Promise<KeyRing> | undefined;
  private staleAtMs = 0;
  /** The keys as last read. */
  private ring: KeyRing | undefined;
  /** The last result, while nothing newer has been asked for. */
  private fresh: KeyRing | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(SigningKey) private readonly rows: Repository<SigningKey>,
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly vault: Vault,
    private readonly keyPairs: KeyPairs,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    changes.on('key', () => this.forget());
  }

  start(): void {
    this.timer = setInterval(() => {
      this.maintain().catch((error: unknown) => this.log.error({ err: error }, 'key maintenance failed'));
    }, MAINTENANCE_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * The key that signs for an application: `strict` where it is held to FAPI 2.0.
   * @throws DomainError Unavailable `key.none_active`
   */
  async signer(purpose: SigningKeyPurpose = 'general'): Promise<JwtSigner> {
    const ring = await this.current();
    const general = ring.signerFor('general');
    if (!general) throw noActiveKey();
    if (purpose === 'general' || general.algorithm !== 'RS256') return general;
    if (!ring.signerFor(purpose)) await this.ensureStrict(); // this process has not heard of the application yet
    const signer = (await this.current()).signerFor(purpose);
    if (!signer) throw noActiveKey();
    return signer;
  }

  /**
   * The published keys and the active one; cached, renewed when keys change and every minute. While the database is
   * down the last result is used: a key is published long before and after its use.
   */
  async current(): Promise<KeyRing> {
    if (!this.reading || this.isStale()) {
      this.forget();
      this.staleAtMs = performance.now() + (this.changes.isUp ? RELOAD_MS : RELOAD_UNTOLD_MS);
      const reading = this.read();
      this.reading = reading;
      const ring = await reading;
      if (this.reading === reading) this.fresh = ring;
      return ring;
    }
    return this.reading;
  }

  /** The keys of the instance, if they are in memory and not due to be read again. */
  get known(): KeyRing | undefined {
    return this.isStale() ? undefined : this.fresh;
  }

  private isStale(): boolean {
    return performance.now() > this.staleAtMs;
  }

  private async read(): Promise<KeyRing> {
    try {
      this.ring = await this.load();
    } catch (error) {
      if (!this.ring) {
        this.forget();
        throw error;
      }
      this.staleAtMs = performance.now() + RELOAD_UNTOLD_MS;
    }
    return this.ring;
  }

  /** The first key signs at once: there is no older set that could be cached. Part of the first start. */
  async addFirst(tx: Transaction, instanceId: string, algorithm: SigningAlgorithm): Promise<void> {
    await this.insertActive(tx, instanceId, { purpose: 'general', algorithm });
  }

  /** Signs at once: no application that verifies its signatures has an older set. */
  private async ensureStrict(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      if (!(await this.hasStrict(tx))) await this.insertActive(tx, (await this.instances.get()).id, STRICT_LANE);
    });
    this.forget();
  }

  private async insertActive(tx: Transaction, instanceId: string, lane: Lane): Promise<void> {
    const activatedAt = this.clock.now();
    await this.insert(tx, instanceId, { ...lane, state: 'active', activatedAt, dueAt: null }, SYSTEM);
  }

  /** Reseals every private key with today's master key. */
  async reseal(tx: Transaction): Promise<void> {
    for (const row of await tx.of(this.rows).find()) {
      if (this.vault.isCurrent(row.privateKey)) continue;
      const privateKey = this.vault.seal(this.vault.open(row.privateKey, vaultPlaceOf(row.id)), vaultPlaceOf(row.id));
      await tx.of(this.rows).update({ id: row.id }, { privateKey });
    }
  }

  /**
   * Requests a new active key: it is published at once and signs as soon as every client can know it; the maintenance
   * of any process activates it.
   */
  async requestRotation(editorId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      const instance = await this.instances.get();
      for (const lane of await this.lanesOf(tx, instance)) {
        const next = await this.ensureNext(tx, lane, editorId);
        const dueAt = latest(this.clock.now(), secondsAfter(next.creationDate, PUBLISH_AHEAD_SECONDS));
        await tx.of(this.rows).update({ id: next.id }, { dueAt });
        await this.changes.announce(tx, 'key', next.id);
      }
    });
    await this.maintain();
  }

  /** Every key of the set, oldest first; never the private half. */
  async list(): Promise<SigningKey[]> {
    return this.rows.find({ order: { creationDate: 'ASC' } });
  }

  /** The key that will sign next, published from now on; an existing one, if there is one. */
  async prepareNext(editorId: string): Promise<{ readonly key: SigningKey; readonly isNew: boolean }> {
    return this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      const instance = await this.instances.get();
      const lane = generalLane(instance);
      const earlier = await tx.of(this.rows).findOneBy({ purpose: lane.purpose, state: 'next' });
      const key = await this.ensureNext(tx, lane, editorId);
      return { key, isNew: key.id !== earlier?.id };
    });
  }

  /**
   * Removes a key that does not sign. What a retired key has signed can no longer be verified.
   * @throws DomainError NotFound `key.not_found`; FailedPrecondition `key.active`
   */
  async remove(id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      const key = await tx.of(this.rows).findOneBy({ id });
      if (!key) throw keyNotFound();
      if (key.state === 'active') throw keyActive();
      const instance = await this.instances.get();
      const mark = await this.journal.append(tx, {
        aggregateType: 'key',
        aggregateId: id,
        type: 'key.removed',
        orgId: instance.id,
        editorId,
      });
      await tx.of(this.rows).delete({ id });
      await this.changes.announce(tx, 'key', id);
      return mark;
    });
  }

  /**
   * Requests that this key becomes active as soon as every client can know it; the maintenance of any process activates
   * it.
   * @throws DomainError NotFound `key.not_found`; FailedPrecondition `key.not_next`
   */
  async activateNext(id: string, editorId: string): Promise<SigningKey> {
    return this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      const key = await tx.of(this.rows).findOneBy({ id });
      if (!key) throw keyNotFound();
      if (key.state !== 'next') throw keyNotNext();
      const instance = await this.instances.get();
      const dueAt = latest(this.clock.now(), secondsAfter(key.creationDate, PUBLISH_AHEAD_SECONDS));
      const mark = await this.journal.append(tx, {
        aggregateType: 'key',
        aggregateId: id,
        type: 'key.activation.requested',
        orgId: instance.id,
        editorId,
        payload: { dueAt },
      });
      const change = { dueAt, sequence: mark.sequence, changeDate: mark.at };
      await tx.of(this.rows).update({ id }, change);
      await this.changes.announce(tx, 'key', id);
      return { ...key, ...change };
    });
  }

  /**
   * One round of maintenance: prepare the next key, activate it when due, drop retired ones that are no longer needed.
   */
  async maintain(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await takeLock(tx, 'keyRotation');
      const instance = await this.instances.find();
      if (!instance) return;
      const now = this.clock.now();
      for (const lane of await this.lanesOf(tx, instance)) {
        const next = await this.ensureNext(tx, lane, SYSTEM);
        const published = secondsAfter(next.creationDate, PUBLISH_AHEAD_SECONDS) <= now;
        if (published && next.dueAt !== null && next.dueAt <= now) await this.activate(tx, instance.id, next, now);
      }
      await this.dropRetired(tx, instance, now);
    });
  }

  private async lanesOf(tx: Transaction, instance: Pick<Instance, 'signingAlgorithm'>): Promise<Lane[]> {
    return [generalLane(instance), ...((await this.hasStrict(tx)) ? [STRICT_LANE] : [])];
  }

  private async ensureNext(tx: Transaction, { purpose, algorithm }: Lane, editorId: string): Promise<SigningKey> {
    const instance = await this.instances.get();
    const next = await tx.of(this.rows).findOneBy({ purpose, state: 'next' });
    if (next?.algorithm === algorithm) return next;
    // Published, but never used: of the former algorithm.
    if (next) await tx.of(this.rows).delete({ id: next.id });
    const active = await tx.of(this.rows).findOneBy({ purpose, state: 'active' });
    const now = this.clock.now();
    // Another algorithm was chosen: change over as soon as clients can know the new key.
    const dueAt =
      active?.algorithm === algorithm && active.activatedAt
        ? secondsAfter(active.activatedAt, instance.keyRotationSeconds)
        : secondsAfter(now, PUBLISH_AHEAD_SECONDS);
    return this.insert(tx, instance.id, { purpose, algorithm, state: 'next', activatedAt: null, dueAt }, editorId);
  }

  private async activate(tx: Transaction, instanceId: string, next: SigningKey, now: Date): Promise<void> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'key',
      aggregateId: next.id,
      type: 'key.activated',
      orgId: instanceId,
      editorId: SYSTEM,
    });
    await tx
      .of(this.rows)
      .update({ purpose: next.purpose, state: 'active' }, { state: 'retired', retiredAt: now, changeDate: now });
    await tx.of(this.rows).update(
      { id: next.id },
      {
        state: 'active',
        activatedAt: now,
        sequence: mark.sequence,
        changeDate: mark.at,
      },
    );
    await this.changes.announce(tx, 'key', next.id);
    this.log.info({ keyId: next.id, algorithm: next.algorithm }, 'a new signing key is active');
  }

  private async dropRetired(
    tx: Transaction,
    instance: { accessTokenSeconds: number; idTokenSeconds: number },
    now: Date,
  ): Promise<void> {
    const retired = await tx.of(this.rows).findBy({ state: 'retired' });
    if (retired.length === 0) return;
    const [row] = await tx.query(LONGEST_CLIENT_LIFETIME);
    const keepSeconds = Math.max(
      KEEP_RETIRED_SECONDS,
      instance.accessTokenSeconds,
      instance.idTokenSeconds,
      row?.seconds ?? 0,
    );
    for (const key of retired) {
      if (key.retiredAt === null || secondsAfter(key.retiredAt, keepSeconds) > now) continue;
      await tx.of(this.rows).delete({ id: key.id });
      await this.changes.announce(tx, 'key', key.id);
    }
  }

  private async insert(
    tx: Transaction,
    instanceId: string,
    key: Pick<SigningKey, 'purpose' | 'algorithm' | 'state' | 'activatedAt' | 'dueAt'>,
    editorId: string,
  ): Promise<SigningKey> {
    const id = newId();
    const { algorithm } = key;
    const { publicKey, privateKey } = await this.keyPairs.make(algorithm);
    const mark = await this.journal.append(tx, {
      aggregateType: 'key',
      aggregateId: id,
      type: 'key.added',
      orgId: instanceId,
      editorId,
      payload: { algorithm },
    });
    await tx.of(this.rows).insert({
      ...key,
      id,
      publicKey: { ...publicKey, kid: id, alg: algorithm, use: 'sig' }, // as it is published
      privateKey: this.vault.seal(JSON.stringify(privateKey), vaultPlaceOf(id)),
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
    await this.changes.announce(tx, 'key', id);
    return tx.of(this.rows).findOneByOrFail({ id });
  }

  private async load(): Promise<KeyRing> {
    const rows = await this.rows.find({ order: { creationDate: 'ASC' } }).catch((error: unknown) => {
      throw toFailure(error);
    });
    const published = rows.map(
      ({ id, algorithm, publicKey }): PublishedKey => ({
        id,
        algorithm,
        publicKey,
        verifier: new JwsVerifier(publicKey, algorithm),
      }),
    );
    const active = rows.filter((row) => row.state === 'active');
    if (await this.lacksStrict(active)) {
      await this.ensureStrict();
      return this.load();
    }
    return new KeyRing(Object.fromEntries(active.map((row) => [row.purpose, this.toSigner(row)])), published);
  }

  private async lacksStrict(active: readonly SigningKey[]): Promise<boolean> {
    const isExcluded = active.some(({ purpose, algorithm }) => purpose === 'general' && algorithm === 'RS256');
    if (!isExcluded || active.some(({ purpose }) => purpose === 'strict')) return false;
    return (await this.database.query(HAS_STRICT_CLIENT)).length > 0;
  }

  private async hasStrict(tx: Transaction): Promise<boolean> {
    return tx.of(this.rows).existsBy({ purpose: STRICT_LANE.purpose, state: 'active' });
  }

  private toSigner(row: SigningKey): JwtSigner {
    const privateKey = JSON.parse(this.vault.open(row.privateKey, vaultPlaceOf(row.id))) as JsonWebKey;
    return new JwtSigner(row.id, row.algorithm, createPrivateKey({ key: privateKey, format: 'jwk' }));
  }

  private forget(): void {
    this.reading = undefined;
    this.fresh = undefined;
  }
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
