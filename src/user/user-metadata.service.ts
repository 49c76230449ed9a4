import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { type EventMark, lastMark } from '../foundation/event/journal.js';
import {
  changedEntries,
  checkUnique,
  type KeyFilter,
  keysMatch,
  type MetadataEntry,
  metadataRange,
} from '../org/metadata.js';
import type { User } from './user.entity.js';
import { metadataNotFound } from './user.errors.js';
import { UserService } from './user.service.js';
import { UserMetadata } from './user-metadata.entity.js';

const LISTING = new Listing<UserMetadata, 'key'>({
  select: columnsOf(UserMetadata, 'm', ['userId', 'key', 'value', ...HISTORY]),
  from: 'user_metadata m',
  key: 'm.key',
  sort: { key: 'm.key' },
});

/** Key-value pairs that applications store about users, uninterpreted. */
@Injectable()
export class UserMetadataService {
  constructor(
    @InjectRepository(UserMetadata) private readonly rows: Repository<UserMetadata>,
    private readonly database: Database,
    private readonly users: UserService,
  ) {}

  /** @throws DomainError NotFound `user.metadata_not_found` */
  async get(userId: string, key: string): Promise<UserMetadata> {
    const entry = await this.rows.findOneBy({ userId, key });
    if (!entry) throw metadataNotFound();
    return entry;
  }

  async list(
    userId: string,
    keys: readonly KeyFilter[],
    range: Pick<ListRequest<'key'>, 'offset' | 'limit' | 'ascending'>,
  ): Promise<Page<UserMetadata>> {
    const where = [equals('m.user_id', userId), ...keysMatch('m.key', keys)];
    return LISTING.page(this.database, { ...metadataRange(range), where });
  }

  /**
   * Sets values, all of them or none; unchanged values are skipped.
   * @throws DomainError InvalidArgument for a repeated key, or a new one that no path can name
   */
  async set(tx: Transaction, user: User, entries: readonly MetadataEntry[], editorId: string): Promise<EventMark> {
    const keys = entries.map(({ key }) => key);
    checkUnique(keys, 'metadata');
    const known = await this.find(tx, user.id, keys);
    const changed = changedEntries(entries, known);
    if (entries.length === 1 && known[0] && changed.length === 0) return lastMark(known[0]);
    let mark = lastMark(user);
    for (const { key, value, isNew } of changed) {
      mark = await this.users.change(tx, user, {}, 'user.metadata.set', editorId, { key });
      const history = { sequence: mark.sequence, changeDate: mark.at, ...(isNew ? { creationDate: mark.at } : {}) };
      await tx.of(this.rows).upsert({ userId: user.id, key, value, ...history }, ['userId', 'key']);
    }
    return mark;
  }

  /**
   * Removes values, all of them or none.
   * @throws DomainError NotFound `user.metadata_not_found`; InvalidArgument for a repeated key
   */
  async remove(tx: Transaction, user: User, keys: readonly string[], editorId: string): Promise<EventMark> {
    checkUnique(keys, 'keys');
    if ((await this.find(tx, user.id, keys)).length < keys.length) throw metadataNotFound();
    let mark = lastMark(user);
    for (const key of keys) mark = await this.users.change(tx, user, {}, 'user.metadata.removed', editorId, { key });
    await tx.of(this.rows).delete({ userId: user.id, key: In(keys) });
    return mark;
  }

  private async find(tx: Transaction, userId: string, keys: readonly string[]): Promise<UserMetadata[]> {
    return tx.of(this.rows).findBy({ userId, key: In(keys) });
  }
}
