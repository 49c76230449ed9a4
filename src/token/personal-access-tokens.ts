import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Secret } from '../foundation/config/secret.js';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { randomToken } from '../foundation/crypto/random.js';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { DomainError } from '../foundation/error/domain-error.js';
import type { EventMark } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { expiryOf } from '../foundation/time/expiry.js';
import { type CredentialColumn, credentialSql, type OfSomeOrg, within } from '../user/credential-listing.js';
import { checkService } from '../user/service-user.service.js';
import { userInvalid } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { Urn } from './claims/urn.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';

/** A prefix that scanners for leaked secrets find, and that distinguishes it from other tokens at a glance. */
const PREFIX = 'gtp_';

/** A token without its digest. */
export type PersonalAccessTokenEntry = Omit<PersonalAccessToken, 'tokenHash'>;

const LISTING = new Listing<PersonalAccessTokenEntry, 'id'>({
  select: columnsOf(PersonalAccessToken, 't', ['id', 'userId', 'scopes', 'expiresAt', ...HISTORY]),
  from: 'personal_access_token t',
  key: 't.id',
  sort: { id: 't.id' },
});

const OF_ALL = new Listing<PersonalAccessTokenEntry & OfSomeOrg, CredentialColumn>(
  credentialSql(
    'personal_access_token',
    columnsOf(PersonalAccessToken, 'c', ['id', 'userId', 'scopes', 'expiresAt', ...HISTORY]),
  ),
);

export function personalAccessTokenNotFound(): DomainError {
  return new DomainError(
    'NotFound',
    'token.personal_not_found',
    'The personal access token does not exist on this service user.',
  );
}

export function isPersonalAccessToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Bearer tokens of service users, created by an administrator, shown once, stored as a digest. */
@Injectable()
export class PersonalAccessTokens {
  constructor(
    @InjectRepository(PersonalAccessToken) private readonly rows: Repository<PersonalAccessToken>,
    private readonly database: Database,
    private readonly users: UserService,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.not_service`; InvalidArgument for an expiry
   * in the past
   */
  async add(tx: Transaction, userId: string, editorId: string, until?: Date): Promise<{ id: string; token: Secret }> {
    const expiresAt = expiryOf(until, this.clock.now(), userInvalid);
    checkService(await this.users.get(tx, userId));
    const id = newId();
    const token = new Secret(PREFIX + randomToken(32));
    const mark = await this.users.change(tx, userId, {}, 'user.personal_access_token.added', editorId, {
      tokenId: id,
      expiresAt,
    });
    await tx.of(this.rows).insert({
      id,
      userId,
      tokenHash: sha256(token.reveal()),
      expiresAt,
      scopes: ['openid', 'profile', this.urn.metadata, this.urn.resourceOwner],
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
    return { id, token };
  }

  /** @throws DomainError NotFound `token.personal_not_found` */
  async get(userId: string, id: string, on: Pick<Transaction, 'of'> = this.database): Promise<PersonalAccessToken> {
    const token = await on.of(this.rows).findOneBy({ id, userId });
    if (!token) throw personalAccessTokenNotFound();
    return token;
  }

  async list(
    userId: string,
    range: Pick<ListRequest<'id'>, 'offset' | 'limit' | 'ascending'>,
  ): Promise<Page<PersonalAccessTokenEntry>> {
    return LISTING.page(this.database, { ...range, sortBy: 'id', where: [equals('t.user_id', userId)] });
  }

  /** Tokens of users of these organizations. */
  async listIn(
    orgIds: readonly string[] | 'everywhere',
    request: ListRequest<CredentialColumn>,
  ): Promise<Page<PersonalAccessTokenEntry & OfSomeOrg>> {
    return OF_ALL.page(this.database, within(orgIds, request));
  }

  /**
   * Invalid with the commit.
   * @throws DomainError NotFound `token.personal_not_found`
   */
  async remove(tx: Transaction, userId: string, id: string, editorId: string): Promise<EventMark> {
    await this.get(userId, id, tx);
    const mark = await this.users.change(tx, userId, {}, 'user.personal_access_token.removed', editorId, {
      tokenId: id,
    });
    await tx.of(this.rows).delete({ id, userId });
    return mark;
  }

  /** Called before its user is removed: an event for each token. */
  async endAllOf(tx: Transaction, userId: string, editorId: string): Promise<void> {
    for (const { id } of await tx.of(this.rows).findBy({ userId })) await this.remove(tx, userId, id, editorId);
  }
}
