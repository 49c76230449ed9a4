import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import { equals, searched, type TextMatch, textMatches } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY, type Recorded } from '../foundation/database/recorded.js';
import { invalidFields } from '../foundation/error/domain-error.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { METADATA_IN_PATH } from './in-path.js';
import { orgMetadataNotFound } from './org.errors.js';
import { OrgService } from './org.service.js';
import { OrgMetadata } from './org-metadata.entity.js';

/** A page is read into memory completely, and a value may be half a megabyte long. */
const MAX_PAGE = 100;

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
    keys: ReadonlyArray<{ readonly how: TextMatch; readonly text: string }>,
    range: Pick<ListRequest<'key'>, 'offset' | 'limit' | 'ascending'>,
  ): Promise<Page<OrgMetadata>> {
    const where = [
      equals('m.org_id', orgId),
      ...keys.map(({ how, text }) => textMatches(searched('m.key'), how, text)),
    ];
    return LISTING.page(this.database, { ...range, limit: Math.min(range.limit, MAX_PAGE), sortBy: 'key', where });
  }

  /**
   * Sets values, all of them or none; unchanged values are skipped.
   * @throws DomainError NotFound `org.not_found`; InvalidArgument for a repeated key, or a new one that no path can
   * name
   */
  async set(
    orgId: string,
    entries: ReadonlyArray<Pick<OrgMetadata, 'key' | 'value'>>,
    editorId: string,
  ): Promise<EventMark> {
    const keys = entries.map(({ key }) => key);
    checkUnique(keys, 'metadata');
    return this.database.transaction(async (tx) => {
      let mark = lastMark(await this.orgs.getLocked(tx, orgId));
      const known = new Map((await this.find(tx, orgId, keys)).map((entry) => [entry.key, entry]));
      for (const key of keys) {
        const description = known.has(key) ? undefined : METADATA_IN_PATH.problem(key);
        if (description !== undefined) throw invalidFields([{ field: 'key', description }]);
      }
      for (const { key, value } of entries) {
        const old = known.get(key);
        if (old?.value.equals(value)) {
          if (entries.length === 1) mark = lastMark(old);
          continue;
        }
        mark = await this.append(tx, orgId, 'org.metadata.set', key, editorId);
        const history = { sequence: mark.sequence, changeDate: mark.at, ...(old ? {} : { creationDate: mark.at }) };
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

function lastMark({ sequence, changeDate }: Recorded): EventMark {
  return { sequence: BigInt(sequence), at: changeDate };
}

function checkUnique(keys: readonly string[], field: string): void {
  if (new Set(keys).size < keys.length) throw invalidFields([{ field, description: 'must not repeat a key' }]);
}
