import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { JWK } from 'jose';
import { Repository } from 'typeorm';
import { newId } from '../foundation/crypto/id.js';
import { publicKeyProblem } from '../foundation/crypto/public-key.js';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import type { EventMark } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { expiryOf } from '../foundation/time/expiry.js';
import { type CredentialColumn, credentialSql, type OfSomeOrg, within } from './credential-listing.js';
import { MachineKey } from './machine-key.entity.js';
import { checkService } from './service-user.service.js';
import { machineKeyNotFound, userInvalid } from './user.errors.js';
import { UserService } from './user.service.js';

/** A key without the key material, which lists do not show. */
export type MachineKeyEntry = Omit<MachineKey, 'publicKey'>;

const LISTING = new Listing<MachineKeyEntry, 'id'>({
  select: columnsOf(MachineKey, 'k', ['id', 'userId', 'expiresAt', ...HISTORY]),
  from: 'machine_key k',
  key: 'k.id',
  sort: { id: 'k.id' },
});

const OF_ALL = new Listing<MachineKeyEntry & OfSomeOrg, CredentialColumn>(
  credentialSql('machine_key', columnsOf(MachineKey, 'c', ['id', 'userId', 'expiresAt', ...HISTORY])),
);

/** The public keys that verify the assertions of service users (RFC 7523). */
@Injectable()
export class MachineKeys {
  constructor(
    @InjectRepository(MachineKey) private readonly rows: Repository<MachineKey>,
    private readonly database: Database,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers a public key and returns its `kid`.
   * @throws DomainError InvalidArgument for a weak, private or expired key; NotFound; FailedPrecondition
   * `user.not_service`
   */
  async add(tx: Transaction, userId: string, publicKey: JWK, editorId: string, expiresAt?: Date): Promise<string> {
    const expiry = expiryOf(expiresAt, this.clock.now(), userInvalid);
    const problem = publicKeyProblem(publicKey);
    if (problem !== undefined) throw userInvalid([{ field: 'publicKey', description: problem }]);
    checkService(await this.users.get(tx, userId));
    const id = newId();
    const mark = await this.users.change(tx, userId, {}, 'user.service.key.added', editorId, {
      keyId: id,
      expiresAt: expiry,
    });
    await tx.of(this.rows).insert({
      id,
      userId,
      publicKey,
      expiresAt: expiry,
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
    return id;
  }

  /** @throws DomainError NotFound `user.key_not_found` */
  async get(userId: string, id: string, on: Pick<Transaction, 'of'> = this.database): Promise<MachineKey> {
    const key = await on.of(this.rows).findOneBy({ id, userId });
    if (!key) throw machineKeyNotFound();
    return key;
  }

  async list(
    userId: string,
    range: Pick<ListRequest<'id'>, 'offset' | 'limit' | 'ascending'>,
  ): Promise<Page<MachineKeyEntry>> {
    return LISTING.page(this.database, { ...range, sortBy: 'id', where: [equals('k.user_id', userId)] });
  }

  /** Keys of users of these organizations. */
  async listIn(
    orgIds: readonly string[] | 'everywhere',
    request: ListRequest<CredentialColumn>,
  ): Promise<Page<MachineKeyEntry & OfSomeOrg>> {
    return OF_ALL.page(this.database, within(orgIds, request));
  }

  /** @throws DomainError NotFound `user.key_not_found` */
  async remove(tx: Transaction, userId: string, id: string, editorId: string): Promise<EventMark> {
    await this.get(userId, id, tx);
    const mark = await this.users.change(tx, userId, {}, 'user.service.key.removed', editorId, { keyId: id });
    await tx.of(this.rows).delete({ id, userId });
    return mark;
  }

  /** Called before the user is removed: records an event for each key. */
  async endAllOf(tx: Transaction, userId: string, editorId: string): Promise<void> {
    for (const { id } of await tx.of(this.rows).findBy({ userId })) await this.remove(tx, userId, id, editorId);
  }
}
