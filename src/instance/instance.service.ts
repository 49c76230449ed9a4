import { Injectable } from '@nestjs/common';
import { CachedReads } from '../database/cached-reads.js';
import { ChangeChannel } from '../database/change-channel.js';
import { toFailure } from '../database/database-failure.js';
import { Database, type Transaction } from '../database/database.js';
import { Journal } from '../event/journal.js';
import { Instance, type SigningAlgorithm } from './instance.entity.js';
import { instanceMissing } from './instance.errors.js';

/** There is one row, so one key. */
const KEY = 'instance';

@Injectable()
export class InstanceService {
  private readonly cache: CachedReads<Instance>;

  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, KEY, async () => (await this.find()) ?? undefined);
  }

  /** From memory. @throws DomainError Internal `instance.missing` before the first start has finished. */
  async get(): Promise<Instance> {
    const instance = await this.cache.find(KEY);
    if (!instance) throw instanceMissing();
    return instance;
  }

  /** From the database; undefined on an empty one. */
  async find(): Promise<Instance | undefined> {
    const [instance] = await this.database.entities.find(Instance, { take: 1 }).catch((error: unknown) => {
      throw toFailure(error);
    });
    return instance;
  }

  async add(tx: Transaction, instance: Partial<Instance> & { id: string; name: string }, editorId: string): Promise<void> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'instance', aggregateId: instance.id, type: 'instance.added', orgId: instance.id, editorId,
      payload: { name: instance.name },
    });
    await tx.entities.insert(Instance, { ...instance, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at });
    await this.changes.announce(tx, KEY, KEY);
  }

  /** The same check under another master key; nothing that an event would tell. */
  async reseal(tx: Transaction, masterKeyCheck: string): Promise<void> {
    await tx.entities.createQueryBuilder().update(Instance).set({ masterKeyCheck }).execute();
    await this.changes.announce(tx, KEY, KEY);
  }

  /** Takes effect at the next key rotation. */
  async changeSigningAlgorithm(tx: Transaction, algorithm: SigningAlgorithm, editorId: string): Promise<void> {
    const { id } = await this.get();
    const mark = await this.journal.append(tx, {
      aggregateType: 'instance', aggregateId: id, type: 'instance.signing.changed', orgId: id, editorId,
      payload: { algorithm },
    });
    await tx.entities.update(Instance, { id }, { signingAlgorithm: algorithm, sequence: mark.sequence, changeDate: mark.at });
    await this.changes.announce(tx, KEY, KEY);
  }
}
