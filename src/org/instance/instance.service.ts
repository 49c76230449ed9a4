import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CachedReads } from '../../foundation/database/cached-reads.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { Journal, SYSTEM } from '../../foundation/event/journal.js';
import { Instance } from './instance.entity.js';
import { instanceMissing, instanceNotFound } from './instance.errors.js';

/** The one key of the cache, since there is one row. */
const KEY = 'instance';

const MIN_KEY_AGE_SECONDS = 86_400;
const MIN_LIFETIME_SECONDS = 60;

/** The fields by the names of the administrative API. */
const LIFETIME_FIELDS: Readonly<Record<keyof Lifetimes, string>> = {
  accessTokenSeconds: 'accessTokenLifetime',
  idTokenSeconds: 'idTokenLifetime',
  refreshIdleSeconds: 'refreshTokenIdleExpiration',
  refreshAbsoluteSeconds: 'refreshTokenExpiration',
};

function isWhole(seconds: number, atLeast: number): boolean {
  return Number.isInteger(seconds) && seconds >= atLeast;
}

export type Lifetimes = Pick<
  Instance,
  'accessTokenSeconds' | 'idTokenSeconds' | 'refreshIdleSeconds' | 'refreshAbsoluteSeconds'
>;

@Injectable()
export class InstanceService {
  private readonly cache: CachedReads<Instance>;

  constructor(
    @InjectRepository(Instance) private readonly rows: Repository<Instance>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, KEY, async () => (await this.find()) ?? undefined);
  }

  /**
   * Cached.
   * @throws DomainError Internal `instance.missing` before the first start has finished
   */
  async get(): Promise<Instance> {
    const instance = await this.cache.find(KEY);
    if (!instance) throw instanceMissing();
    return instance;
  }

  /** @throws DomainError NotFound `instance.not_found` for another id */
  async getById(id: string): Promise<Instance> {
    const instance = await this.get();
    if (instance.id !== id) throw instanceNotFound();
    return instance;
  }

  /**
   * Locked until the transaction ends.
   * @throws DomainError Internal `instance.missing`
   */
  async hold(tx: Transaction): Promise<Instance> {
    const [instance] = await tx.of(this.rows).find({ take: 1, lock: { mode: 'pessimistic_read' } });
    if (!instance) throw instanceMissing();
    return instance;
  }

  /** Like `find`, within a transaction. */
  async findWithin(tx: Transaction): Promise<Instance | undefined> {
    const [instance] = await tx.of(this.rows).find({ take: 1 });
    return instance;
  }

  /** The instance, read from the database; undefined if that is empty. */
  async find(): Promise<Instance | undefined> {
    const [instance] = await this.rows.find({ take: 1 }).catch((error: unknown) => {
      throw toFailure(error);
    });
    return instance;
  }

  async add(
    tx: Transaction,
    instance: Partial<Instance> & { id: string; name: string },
    editorId: string,
  ): Promise<void> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'instance',
      aggregateId: instance.id,
      type: 'instance.added',
      orgId: instance.id,
      editorId,
      payload: { name: instance.name },
    });
    await tx.of(this.rows).insert({
      ...instance,
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
    await this.changes.announce(tx, KEY, KEY);
  }

  /** Replaces what tells the right master key from another one, after the key has changed; not an event. */
  async reseal(tx: Transaction, masterKeyCheck: string): Promise<void> {
    await tx.of(this.rows).createQueryBuilder().update().set({ masterKeyCheck }).execute();
    await this.changes.announce(tx, KEY, KEY);
  }

  /** Sets the default organization, if `check` accepts it. The same again changes nothing. */
  async setDefaultOrg(
    defaultOrgId: string,
    editorId: string,
    check: (tx: Transaction) => Promise<void>,
  ): Promise<Instance> {
    return this.change({ defaultOrgId }, 'instance.default.org.set', editorId, check);
  }

  async rename(name: string, editorId: string): Promise<Instance> {
    return this.change({ name }, 'instance.renamed', editorId);
  }

  async setDefaultLanguage(defaultLanguage: string, editorId: string): Promise<Instance> {
    return this.change({ defaultLanguage }, 'instance.default.language.set', editorId);
  }

  /**
   * Sets how keys sign. Another algorithm takes effect at the next key rotation, another age at the next look at the
   * keys.
   * @throws DomainError InvalidArgument for an age below a day
   */
  async setSigning(
    signing: Pick<Instance, 'signingAlgorithm' | 'keyRotationSeconds'>,
    editorId: string,
  ): Promise<Instance> {
    if (!isWhole(signing.keyRotationSeconds, MIN_KEY_AGE_SECONDS))
      throw invalidFields([{ field: 'rotationAge', description: 'must be at least one day, in whole seconds' }]);
    return this.change(signing, 'instance.signing.changed', editorId);
  }

  /** Sets the lifetimes of new tokens. @throws DomainError InvalidArgument for what is below a minute */
  async setLifetimes(lifetimes: Lifetimes, editorId: string): Promise<Instance> {
    const tooShort = Object.entries(LIFETIME_FIELDS).filter(
      ([name]) => !isWhole(lifetimes[name as keyof Lifetimes], MIN_LIFETIME_SECONDS),
    );
    if (tooShort.length > 0)
      throw invalidFields(
        tooShort.map(([, field]) => ({ field, description: 'must be at least one minute, in whole seconds' })),
      );
    return this.change(lifetimes, 'instance.token.lifetimes.changed', editorId);
  }

  /** Off: tokens of those who act for others end at once. */
  async setImpersonation(enableImpersonation: boolean, editorId: string): Promise<Instance> {
    return this.change({ enableImpersonation }, 'instance.policy.security.set', editorId);
  }

  /** The project of the applications that describe themselves. */
  async setRegisteredProject(tx: Transaction, registeredProjectId: string): Promise<void> {
    await this.changeIn(tx, { registeredProjectId }, 'instance.registered.project.set', SYSTEM);
  }

  private async change(
    values: Partial<Instance>,
    type: string,
    editorId: string,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<Instance> {
    return this.database.transaction(async (tx) => this.changeIn(tx, values, type, editorId, check));
  }

  private async changeIn(
    tx: Transaction,
    values: Partial<Instance>,
    type: string,
    editorId: string,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<Instance> {
    const [instance] = await tx.of(this.rows).find({ take: 1, lock: { mode: 'pessimistic_write' } });
    if (!instance) throw instanceMissing();
    await check?.(tx);
    const isChange = Object.entries(values).some(([name, value]) => instance[name as keyof Instance] !== value);
    if (!isChange) return instance;
    const { id } = instance;
    const mark = await this.journal.append(tx, {
      aggregateType: 'instance',
      aggregateId: id,
      type,
      orgId: id,
      editorId,
      payload: values,
    });
    const change = { ...values, sequence: mark.sequence, changeDate: mark.at };
    await tx.of(this.rows).update({ id }, change);
    await this.changes.announce(tx, KEY, KEY);
    return { ...instance, ...change };
  }
}
