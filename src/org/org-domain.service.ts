import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { equals, searched, type TextMatch, textMatches } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { toDomainKey } from './domain-name.js';
import {
  domainAdded,
  domainNotFound,
  domainNotVerified,
  domainPrimary,
  domainTaken,
  domainVerified,
} from './org.errors.js';
import { type DomainValidationType, OrgDomain } from './org-domain.entity.js';

export type DomainColumn = 'domain' | 'creationDate';

const LISTING = new Listing<OrgDomain, DomainColumn>({
  select: columnsOf(OrgDomain, 'd', [
    'orgId',
    'domain',
    'isVerified',
    'isProved',
    'isPrimary',
    'validationType',
    ...HISTORY,
  ]),
  from: 'org_domain d',
  key: 'd.domain',
  sort: { domain: 'd.domain', creationDate: 'd.creation_date' },
});

/** The domains of organizations: login names use the verified ones, and the primary one is shown. */
@Injectable()
export class OrgDomainService {
  constructor(
    @InjectRepository(OrgDomain) private readonly rows: Repository<OrgDomain>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {}

  async list(
    orgId: string,
    request: { offset: bigint; limit: number; ascending: boolean; sortBy: DomainColumn },
    names: ReadonlyArray<{ readonly how: TextMatch; readonly name: string }>,
  ): Promise<Page<OrgDomain>> {
    const where = [
      equals('d.org_id', orgId),
      ...names.map(({ how, name }) => textMatches(searched('d.domain'), how, name)),
    ];
    return LISTING.page(this.database, { ...request, where });
  }

  /** @throws DomainError NotFound `org.domain_not_found` */
  async get(tx: Transaction, orgId: string, domain: string): Promise<OrgDomain> {
    const row = await tx.of(this.rows).findOne({
      where: { orgId, domain: toDomainKey(domain) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) throw domainNotFound();
    return row;
  }

  /**
   * @param domain as `parseDomain` returns it
   * @throws DomainError AlreadyExists `org.domain_exists`, `org.domain_taken`
   */
  async add(tx: Transaction, orgId: string, domain: string, isVerified: boolean, editorId: string): Promise<EventMark> {
    if (await tx.of(this.rows).existsBy({ orgId, domain })) throw domainAdded(domain);
    const mark = await this.append(tx, orgId, 'org.domain.added', editorId, { domain, isVerified });
    await unlessTaken(domain, () =>
      tx.of(this.rows).insert({
        orgId,
        domain,
        isVerified,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      }),
    );
    return mark;
  }

  /** @throws DomainError NotFound `org.domain_not_found`; FailedPrecondition `org.domain_primary` */
  async remove(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<EventMark> {
    const row = await this.get(tx, orgId, domain);
    if (row.isPrimary) throw domainPrimary();
    await this.changes.announce(tx, 'org-domain', EVERYTHING);
    const mark = await this.append(tx, orgId, 'org.domain.removed', editorId, { domain: row.domain });
    await tx.of(this.rows).delete({ orgId, domain: row.domain });
    return mark;
  }

  /** @throws DomainError NotFound `org.domain_not_found`; FailedPrecondition `org.domain_not_verified` */
  async setPrimary(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<EventMark> {
    const row = await this.get(tx, orgId, domain);
    if (!row.isVerified) throw domainNotVerified(row.domain);
    const mark = await this.append(tx, orgId, 'org.domain.primary.set', editorId, { domain: row.domain });
    await tx.of(this.rows).update({ orgId, isPrimary: true }, { isPrimary: false });
    await tx
      .of(this.rows)
      .update({ orgId, domain: row.domain }, { isPrimary: true, sequence: mark.sequence, changeDate: mark.at });
    await this.changes.announce(tx, 'client', EVERYTHING); // Organizations are cached with their primary domain.
    return mark;
  }

  /**
   * Stores what the organization must publish to prove the domain, which may be verified already; a new value replaces
   * it.
   * @throws DomainError NotFound; FailedPrecondition
   */
  async startValidation(
    tx: Transaction,
    orgId: string,
    domain: string,
    type: DomainValidationType,
    token: string,
    editorId: string,
  ): Promise<EventMark> {
    const row = await this.get(tx, orgId, domain);
    if (row.isProved) throw domainVerified(row.domain);
    const mark = await this.append(tx, orgId, 'org.domain.verification.added', editorId, { domain: row.domain, type });
    await tx
      .of(this.rows)
      .update(
        { orgId, domain: row.domain },
        { validationType: type, validationToken: token, sequence: mark.sequence, changeDate: mark.at },
      );
    return mark;
  }

  /** @throws DomainError NotFound; AlreadyExists `org.domain_taken` */
  async markProved(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<EventMark> {
    const mark = await this.append(tx, orgId, 'org.domain.verified', editorId, { domain });
    await unlessTaken(domain, () =>
      tx.of(this.rows).update(
        { orgId, domain },
        {
          isVerified: true,
          isProved: true,
          validationType: 'unspecified',
          validationToken: '',
          sequence: mark.sequence,
          changeDate: mark.at,
        },
      ),
    );
    await this.changes.announce(tx, 'org-domain', EVERYTHING);
    return mark;
  }

  private async append(
    tx: Transaction,
    orgId: string,
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    return this.journal.append(tx, { aggregateType: 'org', aggregateId: orgId, type, orgId, editorId, payload });
  }
}

async function unlessTaken(domain: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isUniqueViolation(error, 'org_domain_verified_key') ? domainTaken(domain) : error;
  }
}
