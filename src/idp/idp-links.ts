import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isForeignKeyViolation, isUniqueViolation } from '../foundation/database/database-failure.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { type Queryable, type Statement, statement } from '../foundation/database/statement.js';
import { type EventMark, Journal, journalSql, SYSTEM } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { nameScopeOf } from '../org/name-scope.js';
import type { Idp, IdpType } from './idp.entity.js';
import { idpLinkNotFound, idpLinkTaken, idpNotFound, linkedUserGone } from './idp.errors.js';
import { IdpLink } from './idp-link.entity.js';
import type { SaidAttributes } from './said-attributes.js';

export interface NewIdpLink {
  readonly idpId: string;
  /** The provider's id of the account: the `sub` of its tokens. */
  readonly externalUserId: string;
  readonly displayName: string;
  readonly userId: string;
  /** The user's organization. */
  readonly orgId: string;
  /** What the provider says of the account. */
  readonly attributes?: SaidAttributes | undefined;
}

/** The user that an account at a provider is linked with, and whether the user and the organization are active. */
export interface LinkedAccount {
  readonly userId: string;
  readonly orgId: string;
  readonly userName: string;
  readonly nameScope: string;
  readonly orgDomain: string | null;
  readonly isActive: boolean;
}

/** A user's account at a provider. */
export interface LinkedIdp {
  readonly userId: string;
  readonly idpId: string;
  readonly idpName: string;
  readonly idpType: IdpType;
  readonly externalUserId: string;
  readonly displayName: string;
  readonly linkedAt: Date;
}

/** Users and their links do not import each other, so this reads only what a sign-in needs of the account. */
const FIND_ACCOUNT = statement(
  'idp_link.account',
  `SELECT u.id AS "userId",
     u.org_id AS "orgId",
     u.user_name AS "userName",
     ${nameScopeOf('u')} AS "nameScope",
     d.domain AS "orgDomain",
     u.state = 'active' AND u.kind = 'human' AND o.state = 'active' AS "isActive"
   FROM idp_link l
   JOIN user_account u ON u.id = l.user_id
   JOIN org o ON o.id = u.org_id
   LEFT JOIN org_domain d ON d.org_id = u.org_id AND d.is_primary
   WHERE l.idp_id = :idpId AND l.external_user_id = :externalUserId`,
).rows<LinkedAccount>();

type HeldIdp = Pick<Idp, 'displayNameMapping' | 'name' | 'isLinkingAllowed'>;

/** Blocks the removal or deactivation of the provider. */
const HOLD_ACTIVE_IDP = statement(
  'idp_link.hold_idp',
  `SELECT display_name_mapping AS "displayNameMapping", name, is_linking_allowed AS "isLinkingAllowed"
   FROM idp
   WHERE id = :idpId AND state = 'active'
   FOR SHARE`,
).rows<HeldIdp>();

const OF_LINKED = `${columnsOf(IdpLink, 'l', ['userId', 'idpId', 'externalUserId', 'displayName'])},
  l.creation_date AS "linkedAt", i.name AS "idpName", i.type AS "idpType"`;

const LISTING = new Listing<LinkedIdp, 'idp'>({
  select: OF_LINKED,
  from: 'idp_link l JOIN idp i ON i.id = l.idp_id',
  key: 'l.external_user_id',
  sort: { idp: 'l.idp_id' },
});

/** The link, if the provider said something else of it before. */
const HOLD_DESCRIBED_OTHERWISE = statement(
  'idp_link.hold_described_otherwise',
  `SELECT l.idp_id AS "idpId"
   FROM idp_link l
   WHERE l.idp_id = :idpId AND l.external_user_id = :externalUserId AND l.user_id = :userId
     AND l.attributes <> :said::jsonb
   FOR UPDATE`,
).rows<Pick<LinkedIdp, 'idpId'>>();

/** More links than anyone can survey. */
const MOST_OF_USER = 100;

const OF_USER = statement(
  'idp_link.of_user',
  `SELECT ${OF_LINKED}
   FROM idp_link l
   JOIN idp i ON i.id = l.idp_id
   WHERE l.user_id = :userId
   ORDER BY l.idp_id, l.external_user_id
   LIMIT ${MOST_OF_USER}`,
).rows<LinkedIdp>();

/** `id`: of the provider or the user whose links are removed. */
interface Removal {
  readonly id: string;
  readonly editorId: string;
  readonly now: Date;
}

/** Removes links. The events are numbered by user, who may have several links that go at once. */
function removal(name: string, column: 'idp_id' | 'user_id'): Statement<Removal> {
  const event = journalSql(
    {
      aggregateType: "'user'",
      aggregateId: 'gone.user_id',
      type: "'user.human.externalidp.cascade.removed'",
      editorId: ':editorId::text',
      at: ':now::timestamptz',
      orgId: `coalesce(u.org_id, '')`,
      payload: `jsonb_build_object('idpConfigId', gone.idp_id, 'userId', gone.external_user_id)`,
      ordinal: 'row_number() OVER (PARTITION BY gone.user_id ORDER BY gone.idp_id, gone.external_user_id)',
    },
    'gone LEFT JOIN user_account u ON u.id = gone.user_id',
  );
  return statement<Removal>(
    name,
    `WITH gone AS (
       DELETE FROM idp_link l
       WHERE l.${column} = :id
       RETURNING l.user_id, l.idp_id, l.external_user_id)
     ${event}`,
  );
}

const REMOVE_OF_IDP = removal('idp_link.remove_of_idp', 'idp_id');
const REMOVE_OF_USER = removal('idp_link.remove_of_user', 'user_id');

/** Which account at a provider belongs to which user. */
@Injectable()
export class IdpLinks {
  constructor(
    @InjectRepository(IdpLink) private readonly rows: Repository<IdpLink>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** Finds the account by the provider and its id of the account, byte for byte (IDP-029, IDP-030). */
  async findAccount(idpId: string, externalUserId: string): Promise<LinkedAccount | undefined> {
    const [account] = await this.database.query(FIND_ACCOUNT, { idpId, externalUserId });
    return account;
  }

  /**
   * Locks the provider until the transaction ends.
   * @throws DomainError NotFound `idp.not_found`, also if it is not active
   */
  async holdActiveIdp(tx: Transaction, idpId: string): Promise<HeldIdp> {
    const [idp] = await tx.query(HOLD_ACTIVE_IDP, { idpId });
    if (!idp) throw idpNotFound();
    return idp;
  }

  async list(
    userId: string,
    range: { readonly offset: bigint; readonly limit: number; readonly ascending: boolean },
  ): Promise<Page<LinkedIdp>> {
    return LISTING.page(this.database, { ...range, sortBy: 'idp', where: [equals('l.user_id', userId)] });
  }

  /** The links of a user, for that user. */
  async of(userId: string, on: Queryable = this.database): Promise<LinkedIdp[]> {
    return on.query(OF_USER, { userId });
  }

  /** Removes a link, through which nobody can sign in afterwards. @throws DomainError NotFound `idp.link_not_found` */
  async remove(
    tx: Transaction,
    user: { readonly id: string; readonly orgId: string },
    idpId: string,
    externalUserId: string,
    editorId: string,
  ): Promise<EventMark> {
    const { affected } = await tx.of(this.rows).delete({ idpId, externalUserId, userId: user.id });
    if (affected !== 1) throw idpLinkNotFound();
    return this.journal.append(tx, {
      aggregateType: 'user',
      aggregateId: user.id,
      type: 'user.human.externalidp.removed',
      orgId: user.orgId,
      editorId,
      payload: { idpConfigId: idpId, userId: externalUserId },
    });
  }

  /** @throws DomainError AlreadyExists `idp.link_taken`; FailedPrecondition `idp.link_user_gone` */
  async add(tx: Transaction, { orgId, attributes = {}, ...link }: NewIdpLink, editorId: string): Promise<EventMark> {
    const { idpId, userId, externalUserId, displayName } = link;
    const mark = await this.journal.append(tx, {
      aggregateType: 'user',
      aggregateId: userId,
      type: 'user.human.externalidp.added',
      orgId,
      editorId,
      payload: { idpConfigId: idpId, userId: externalUserId, displayName },
    });
    try {
      await tx.of(this.rows).insert({
        ...link,
        attributes,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      if (isForeignKeyViolation(error, 'idp_link_user_id_fkey')) throw linkedUserGone();
      throw isUniqueViolation(error, 'idp_link_pkey') ? idpLinkTaken() : error;
    }
    return mark;
  }

  /** Keeps what the provider says of an account now, in place of what it said before. */
  async describe(
    tx: Transaction,
    { idpId, externalUserId, userId, orgId }: Omit<NewIdpLink, 'displayName' | 'attributes'>,
    attributes: SaidAttributes,
  ): Promise<void> {
    const said = JSON.stringify(attributes);
    const found = await tx.query(HOLD_DESCRIBED_OTHERWISE, { idpId, externalUserId, userId, said });
    if (found.length === 0) return;
    const { sequence, at } = await this.journal.append(tx, {
      aggregateType: 'user',
      aggregateId: userId,
      type: 'user.human.externalidp.described',
      orgId,
      editorId: SYSTEM,
      payload: { idpConfigId: idpId, userId: externalUserId },
    });
    await tx.of(this.rows).update({ idpId, externalUserId }, { attributes, sequence, changeDate: at });
  }

  /** Removes all links to a provider, with an event for each. */
  async removeAllOfIdp(tx: Transaction, idpId: string, editorId: string): Promise<void> {
    await tx.query(REMOVE_OF_IDP, { id: idpId, editorId, now: this.clock.now() });
  }

  /** Removes all links of a user, with an event for each. */
  async removeAllOfUser(tx: Transaction, userId: string, editorId: string): Promise<void> {
    await tx.query(REMOVE_OF_USER, { id: userId, editorId, now: this.clock.now() });
  }
}
