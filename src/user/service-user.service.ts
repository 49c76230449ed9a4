import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { equalDigests, sha256 } from '../crypto/digest.js';
import { newId } from '../crypto/id.js';
import { publicKeyProblem } from '../crypto/public-key.js';
import { randomClientSecret } from '../crypto/random.js';
import { Secret } from '../crypto/secret.js';
import { CachedReads } from '../database/cached-reads.js';
import { ChangeChannel } from '../database/change-channel.js';
import type { Transaction } from '../database/database.js';
import type { ServiceAccount } from './account.js';
import { isApplication } from './client-ids.js';
import { MachineKey } from './machine-key.entity.js';
import { notServiceUser, userInvalid, userNameTaken } from './user.errors.js';
import { UserRepository } from './user.repository.js';
import { NEXT_EPOCH, UserService } from './user.service.js';

const NEVER = new Date('9999-12-31T23:59:59Z');

export interface NewServiceUser {
  readonly id?: string;
  readonly orgId: string;
  readonly userName: string;
  readonly name: string;
  readonly description?: string;
  readonly accessTokenType?: 'opaque' | 'jwt';
}

/** Users that are programs: they sign in with a secret, a key or a personal access token, never on a page. */
@Injectable()
export class ServiceUserService {
  private readonly cache: CachedReads<ServiceAccount>;

  constructor(
    private readonly users: UserService,
    private readonly accounts: UserRepository,
    changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, 'service-user', (nameOrId) => this.accounts.findService(nameOrId));
  }

  /** The active service user of that user name or id; from memory where it was asked for lately. */
  async findActive(nameOrId: string): Promise<ServiceAccount | undefined> {
    return this.cache.find(nameOrId);
  }

  /** @throws DomainError AlreadyExists `user.name_taken` (also by an application's client id), `user.id_taken` */
  async add(tx: Transaction, input: NewServiceUser, editorId: string): Promise<string> {
    const id = input.id ?? newId();
    if (await isApplication(tx, [input.userName, id])) throw userNameTaken();
    return this.users.insert(tx, {
      id, orgId: input.orgId, kind: 'service', state: 'active', userName: input.userName,
      serviceName: input.name, description: input.description ?? '', accessTokenType: input.accessTokenType ?? 'opaque',
    }, 'user.service.added', editorId);
  }

  /**
   * A new secret; the old one, and every token that was issued so far, are dead with the commit. Personal access tokens
   * are credentials of their own and live on until they are removed.
   * @throws DomainError NotFound; FailedPrecondition `user.not_service`
   */
  async generateSecret(tx: Transaction, id: string, editorId: string): Promise<Secret> {
    const secret = new Secret(randomClientSecret());
    await this.replaceSecret(tx, id, sha256(secret.reveal()), 'user.service.secret.set', editorId);
    return secret;
  }

  async removeSecret(tx: Transaction, id: string, editorId: string): Promise<void> {
    await this.replaceSecret(tx, id, null, 'user.service.secret.removed', editorId);
  }

  /**
   * Registers a public key and answers its `kid`.
   * @throws DomainError InvalidArgument for a weak or secret key; NotFound; FailedPrecondition `user.not_service`
   */
  async addKey(tx: Transaction, id: string, publicKey: JWK, editorId: string, expiresAt: Date = NEVER): Promise<string> {
    const problem = publicKeyProblem(publicKey);
    if (problem !== undefined) throw userInvalid([{ field: 'publicKey', description: problem }]);
    await this.checkService(tx, id);
    const keyId = newId();
    const mark = await this.users.change(tx, id, {}, 'user.service.key.added', editorId, { keyId, expiresAt });
    await tx.entities.insert(MachineKey, {
      id: keyId, userId: id, publicKey, expiresAt, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
    });
    return keyId;
  }

  async removeKey(tx: Transaction, id: string, keyId: string, editorId: string): Promise<void> {
    await this.users.change(tx, id, {}, 'user.service.key.removed', editorId, { keyId });
    await tx.entities.delete(MachineKey, { id: keyId, userId: id });
  }

  /** Whether this is the account's secret; compared in constant time. */
  hasSecret(account: ServiceAccount, secret: string): boolean {
    return account.secretHash !== null && equalDigests(sha256(secret), account.secretHash);
  }

  private async replaceSecret(
    tx: Transaction,
    id: string,
    secretHash: Buffer | null,
    eventType: string,
    editorId: string,
  ): Promise<void> {
    await this.checkService(tx, id);
    await this.users.change(tx, id, { secretHash, tokenEpoch: NEXT_EPOCH }, eventType, editorId);
  }

  private async checkService(tx: Transaction, id: string): Promise<void> {
    const user = await this.users.get(tx, id);
    if (user.kind !== 'service') throw notServiceUser();
  }
}
