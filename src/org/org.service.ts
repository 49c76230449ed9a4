import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../foundation/crypto/id.js';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import type { Recorded } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { toDomainKey } from './domain-name.js';
import { Org, type OrgState } from './org.entity.js';
import { domainTaken, orgIdTaken, orgInactive, orgNameTaken, orgNotFound, orgStateUnchanged } from './org.errors.js';
import { OrgDomain } from './org-domain.entity.js';

export interface NewOrg {
  readonly id?: string;
  readonly name: string;
  /** Becomes the verified primary domain, in lower case. */
  readonly domain: string;
}

const FIND_BY_VERIFIED_DOMAIN = statement(
  'org.by_verified_domain',
  `SELECT o.id, o.name, d.is_proved AS "isProved"
   FROM org_domain d
   JOIN org o ON o.id = d.org_id
   WHERE d.domain = :domainKey AND d.is_verified AND o.state = 'active'`,
).rows<DomainHolder>();

const FIND_PRIMARY_DOMAIN = statement(
  'org.primary_domain',
  'SELECT domain FROM org_domain WHERE org_id = :id AND is_primary',
).rows<{ domain: string }>();

// Written as its index is (schema/tables/org.ts).
const NAME_TAKEN = statement(
  'org.name_taken',
  `SELECT 1
   FROM org
   WHERE lower(normalize(name, NFKC)) = lower(normalize(:name, NFKC)) AND id <> :ownId
   LIMIT 1`,
);

const EXISTS = statement('org.exists', 'SELECT 1 FROM org WHERE id = :id');

const HOLD = statement('org.hold', 'SELECT state FROM org WHERE id = :id FOR KEY SHARE').rows<Pick<Org, 'state'>>();

const FIND_ACTIVE = statement(
  'org.active',
  `SELECT id, name FROM org WHERE id = :id AND state = 'active'`,
).rows<ActiveOrg>();

export interface ActiveOrg {
  readonly id: string;
  readonly name: string;
}

/** The organization that has a domain. */
export interface DomainHolder extends ActiveOrg {
  /** Whether it has proved it: only then may the domain decide anything for users of others. */
  readonly isProved: boolean;
}

@Injectable()
export class OrgService {
  private readonly active: CachedReads<ActiveOrg>;
  private readonly byDomain: CachedReads<DomainHolder>;

  constructor(
    @InjectRepository(Org) private readonly rows: Repository<Org>,
    @InjectRepository(OrgDomain) private readonly domains: Repository<OrgDomain>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.active = new CachedReads(changes, 'org', async (id) => (await database.query(FIND_ACTIVE, { id }))[0]);
    this.byDomain = new CachedReads(changes, 'org-domain', (domain) => this.findByVerifiedDomain(domain));
  }

  /** @throws DomainError AlreadyExists `org.id_taken`, `org.domain_taken` */
  async add(tx: Transaction, input: NewOrg, editorId: string): Promise<Org> {
    const id = input.id ?? newId();
    const mark = await this.journal.append(tx, {
      aggregateType: 'org',
      aggregateId: id,
      type: 'org.added',
      orgId: id,
      editorId,
      payload: { name: input.name },
    });
    try {
      await tx.of(this.rows).insert({
        id,
        name: input.name,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? orgIdTaken() : error;
    }
    await this.addPrimaryDomain(tx, id, input.domain.toLowerCase(), editorId);
    return tx.of(this.rows).findOneByOrFail({ id });
  }

  /** Whether the organization exists, in any state. */
  async exists(id: string): Promise<boolean> {
    return (await this.database.query(EXISTS, { id })).length > 0;
  }

  /**
   * An active organization, locked against removal until the transaction ends.
   * @throws DomainError NotFound `org.not_found`; FailedPrecondition `org.inactive`
   */
  async holdActive(tx: Transaction, id: string): Promise<void> {
    const [org] = await tx.query(HOLD, { id });
    if (!org) throw orgNotFound();
    if (org.state !== 'active') throw orgInactive();
  }

  /** Finds an active organization; cached, because pages show its name. */
  async findActive(id: string): Promise<ActiveOrg | undefined> {
    return this.active.find(id);
  }

  /** The domain that follows the names of its users. */
  async findPrimaryDomain(id: string): Promise<string | undefined> {
    const [row] = await this.database.query(FIND_PRIMARY_DOMAIN, { id });
    return row?.domain;
  }

  /** The active organization that has this domain, proved or not: for those who name it themselves. */
  async findByVerifiedDomain(domain: string): Promise<DomainHolder | undefined> {
    const [org] = await this.database.query(FIND_BY_VERIFIED_DOMAIN, { domainKey: toDomainKey(domain) });
    return org;
  }

  /** Like `findByVerifiedDomain`, but cached: every page of a sign-in looks up the domain of the typed name. */
  async findHolder(domain: string): Promise<DomainHolder | undefined> {
    return this.byDomain.find(toDomainKey(domain));
  }

  /**
   * The active organization that has proved that the domain is its own. An organization gets any other domain by saying
   * so, and must not bring the users of others to its pages and providers (LOG-064).
   */
  async findProvedOwner(domain: string): Promise<ActiveOrg | undefined> {
    const holder = await this.findHolder(domain);
    return holder?.isProved === true ? holder : undefined;
  }

  /**
   * Renames the organization; the same name again changes nothing.
   * @throws DomainError NotFound `org.not_found`; AlreadyExists `org.name_taken`
   */
  async rename(id: string, name: string, editorId: string): Promise<Recorded> {
    return this.database.transaction(async (tx) => {
      const org = await this.getLocked(tx, id);
      if (org.name === name) return org;
      await this.checkNameIsFree(tx, name, id);
      const mark = await this.journal.append(tx, {
        aggregateType: 'org',
        aggregateId: id,
        type: 'org.changed',
        orgId: id,
        editorId,
        payload: { name },
      });
      await tx.of(this.rows).update({ id }, { name, sequence: mark.sequence, changeDate: mark.at });
      await this.changes.announce(tx, 'org', id);
      await this.changes.announce(tx, 'org-domain', EVERYTHING);
      return { ...org, sequence: mark.sequence, changeDate: mark.at };
    });
  }

  /**
   * Pages show the name, so no organization may imitate another, even with look-alike letters (NFKC) or another case.
   * An import may bring a name twice, each with its own domain, so this is not a constraint of the table; concurrent
   * checks are serialized. `ownId`: the organization that may already have the name.
   * @throws DomainError AlreadyExists `org.name_taken`
   */
  async checkNameIsFree(tx: Transaction, name: string, ownId: string): Promise<void> {
    await takeLockOn(tx, `org name ${name.normalize('NFKC').toLowerCase()}`);
    if ((await tx.query(NAME_TAKEN, { name, ownId })).length > 0) throw orgNameTaken();
  }

  /**
   * Removes the row and everything that refers to it; the caller records the events of what it contained.
   * @throws DomainError NotFound
   */
  async remove(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    const org = await this.getLocked(tx, id);
    const mark = await this.journal.append(tx, {
      aggregateType: 'org',
      aggregateId: id,
      type: 'org.removed',
      orgId: id,
      editorId,
      payload: { name: org.name },
    });
    await tx.of(this.rows).delete({ id });
    await this.changes.announce(tx, 'org', id);
    await this.changes.announce(tx, 'org-domain', EVERYTHING);
    await this.changes.announce(tx, 'client', EVERYTHING);
    await this.changes.announce(tx, 'project', EVERYTHING);
    await this.changes.announce(tx, 'service-user', EVERYTHING);
    return mark;
  }

  /**
   * Locked until the transaction ends.
   * @throws DomainError NotFound `org.not_found`
   */
  async getLocked(tx: Transaction, id: string): Promise<Org> {
    const org = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!org) throw orgNotFound();
    return org;
  }

  /** @throws DomainError FailedPrecondition `org.state_unchanged`; NotFound `org.not_found` */
  async changeState(tx: Transaction, id: string, state: OrgState, editorId: string): Promise<EventMark> {
    const org = await this.getLocked(tx, id);
    if (org.state === state) throw orgStateUnchanged(state);
    const mark = await this.journal.append(tx, {
      aggregateType: 'org',
      aggregateId: id,
      type: state === 'active' ? 'org.reactivated' : 'org.deactivated',
      orgId: id,
      editorId,
    });
    await tx.of(this.rows).update({ id }, { state, sequence: mark.sequence, changeDate: mark.at });
    await this.changes.announce(tx, 'org', id);
    await this.changes.announce(tx, 'org-domain', EVERYTHING);
    // Clients, projects and service users are cached together with the state of their organization.
    await this.changes.announce(tx, 'client', EVERYTHING);
    await this.changes.announce(tx, 'project', EVERYTHING);
    await this.changes.announce(tx, 'service-user', EVERYTHING);
    return mark;
  }

  private async addPrimaryDomain(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<void> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'org',
      aggregateId: orgId,
      type: 'org.domain.primary.set',
      orgId,
      editorId,
      payload: { domain },
    });
    try {
      await tx.of(this.domains).insert({
        orgId,
        domain,
        isVerified: true,
        isPrimary: true,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error, 'org_domain_verified_key') ? domainTaken(domain) : error;
    }
  }
}
