import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { type EventMark, Journal, lastMark } from '../foundation/event/journal.js';
import {
  changedEntries,
  checkUnique,
  type KeyFilter,
  keysMatch,
  type MetadataEntry,
  metadataRange,
} from './metadata.js';
import { orgMetadataNotFound } from './org.errors.js';
import { OrgService } from './org.service.js';
import { OrgMetadata } from './org-metadata.entity.js';

const LISTING = new Listing<OrgMetadata, 'key'>({
  select: columnsOf(OrgMetadata, 'm', ['orgId', 'key', 'value', ...HISTORY]),
  from: 'org_metadata m',
  key: 'm.key',
  sort: { key: 'm.key' },
});

/** Key-value pairs that applications store about organizations, uninterpreted. */
@Injectable()
export class OrgMetadataService {
  constructor(
    @InjectRepository(OrgMetadata) private readonly rows: Repository<OrgMetadata>,
    private readonly database: Database,
    private readonly orgs: OrgService,
    private readonly journal: Journal,
  ) {}

  /** @throws DomainError NotFound `org.metadata_not_found` */
  async get(orgId: string, key: string): Promise<OrgMetadata> {
    const entry = await this.rows.findOneBy({ orgId, key });
    if (!entry) throw orgMetadataNotFound();
    return entry;
  }

  async list(
    orgId: string,
    keys: readonly KeyFilter[],
    range: Pick<ListRequest<'key'>, 'offset' | 'limit' | 'ascending'>,
  ): Promise<Page<OrgMetadata>> {
    const where = [equals('m.org_id', orgId), ...keysMatch('m.key', keys)];
    return LISTING.page(this.database, { ...metadataRange(range), where });
  }

  /**
   * Sets values, all of them or none; unchanged values are skipped.
   * @throws DomainError NotFound `org.not_found`; InvalidArgument for a repeated key, or a new one that no path can
   * name
   */
  async set(orgId: string, entries: readonly MetadataEntry[], editorId: string): Promise<EventMark> {
    const keys = entries.map(({ key }) => key);
    checkUnique(keys, 'metadata');
    return this.database.transaction(async (tx) => {
      let mark = lastMark(await this.orgs.getLocked(tx, orgId));
      const known = await this.find(tx, orgId, keys);
      const changed = changedEntries(entries, known);
      if (entries.length === 1 && known[0] && changed.length === 0) return lastMark(known[0]);
      for (const { key, value, isNew } of changed) {
        mark = await this.append(tx, orgId, 'org.metadata.set', key, editorId);
        const history = { sequence: mark.sequence, changeDate: mark.at, ...(isNew ? { creationDate: mark.at } : {}) };
        await tx.of(this.rows).upsert({ orgId, key, value, ...history }, ['orgId', 'key']);
      }
      return mark;
    });
  }

  /**
   * Removes values, all of them or none.
   * @throws DomainError NotFound `org.not_found`, `org.metadata_not_found`; InvalidArgument for a repeated key
   */
  async remove(orgId: string, keys: readonly string[], editorId: string): Promise<EventMark> {
    checkUnique(keys, 'keys');
    return this.database.transaction(async (tx) => {
      let mark = lastMark(await this.orgs.getLocked(tx, orgId));
      if ((await this.find(tx, orgId, keys)).length < keys.length) throw orgMetadataNotFound();
      for (const key of keys) mark = await this.append(tx, orgId, 'org.metadata.removed', key, editorId);
      await tx.of(this.rows).delete({ orgId, key: In(keys) });
      return mark;
    });
  }

  private async find(tx: Transaction, orgId: string, keys: readonly string[]): Promise<OrgMetadata[]> {
    return tx.of(this.rows).findBy({ orgId, key: In(keys) });
  }

  private async append(
    tx: Transaction,
    orgId: string,
    type: 'org.metadata.set' | 'org.metadata.removed',
    key: string,
    editorId: string,
  ): Promise<EventMark> {
    return this.journal.append(tx, {
      aggregateType: 'org',
      aggregateId: orgId,
      type,
      orgId,
      editorId,
      payload: { key },
    });
  }
}
