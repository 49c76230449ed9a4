import { Injectable } from '@nestjs/common';
import { type AccessTokenHeaderType, IssuerConfig } from '../foundation/config/config.js';
import { Secret } from '../foundation/config/secret.js';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { randomClientSecret } from '../foundation/crypto/random.js';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import type { Transaction } from '../foundation/database/database.js';
import type { FieldViolation } from '../foundation/error/domain-error.js';
import type { EventMark } from '../foundation/event/journal.js';
import { lastMark } from '../foundation/event/journal.js';
import { SecretCheck } from '../foundation/password/secret-check.js';
import type { ServiceUserAccount } from './account.js';
import { findDouble, isApplication } from './client-ids.js';
import { isUserName, userNameRule } from './new-human.js';
import { isText, textRule } from './profile.js';
import type { User } from './user.entity.js';
import { notServiceUser, userIdTaken, userInvalid, userNameTaken } from './user.errors.js';
import { UserRepository } from './user.repository.js';
import { NEXT_EPOCH, UserService } from './user.service.js';
import { chosenIdViolations } from './user-id.js';

const MAX_DESCRIPTION_CHARACTERS = 500;

export interface NewServiceUser {
  readonly id?: string;
  readonly orgId: string;
  /** By default the id. */
  readonly userName?: string;
  readonly name: string;
  readonly description?: string;
  readonly accessTokenType?: 'opaque' | 'jwt';
  /** Absent for the default of this installation (`IssuerConfig`). */
  readonly accessTokenHeaderType?: AccessTokenHeaderType | undefined;
}

/** A member that is absent stays unchanged. */
export type ServiceUserChange = Required<Pick<NewServiceUser, 'name' | 'description' | 'accessTokenType'>> &
  Pick<NewServiceUser, 'accessTokenHeaderType'>;

/** Users that are programs: they authenticate with a secret, a key or a personal access token, never on a page. */
@Injectable()
export class ServiceUserService {
  private readonly cache: CachedReads<ServiceUserAccount>;

  constructor(
    private readonly users: UserService,
    private readonly accounts: UserRepository,
    private readonly secrets: SecretCheck,
    private readonly issuer: IssuerConfig,
    changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, 'service-user', (nameOrId) => this.accounts.findService(nameOrId));
  }

  /** The active service user with that user name or id; cached. */
  async findActive(nameOrId: string): Promise<ServiceUserAccount | undefined> {
    return this.cache.find(nameOrId);
  }

  /**
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken` (also by an application's client id),
   * `user.id_taken`
   */
  async add(tx: Transaction, input: NewServiceUser, editorId: string): Promise<string> {
    const id = input.id ?? newId();
    const { userName = id } = input;
    const violations = [
      ...(isUserName(userName) ? [] : [{ field: 'userName', description: userNameRule }]),
      ...chosenIdViolations(id),
      ...descriptionViolations(input),
    ];
    if (violations.length > 0) throw userInvalid(violations);
    if (await isApplication(tx, [userName, id])) throw userNameTaken();
    const double = await findDouble(tx, { id, userName });
    if (double !== undefined) throw double === 'id' ? userIdTaken() : userNameTaken();
    await this.users.insert(
      tx,
      {
        id,
        orgId: input.orgId,
        kind: 'service',
        state: 'active',
        userName,
        serviceName: input.name,
        description: input.description ?? '',
        accessTokenType: input.accessTokenType ?? 'opaque',
        accessTokenHeaderType: input.accessTokenHeaderType ?? this.issuer.accessTokenHeaderType,
      },
      { eventType: 'user.service.added', editorId },
    );
    return id;
  }

  /** @throws DomainError InvalidArgument; FailedPrecondition `user.not_service` */
  async update(
    tx: Transaction,
    user: User,
    { name, description, accessTokenType, accessTokenHeaderType = user.accessTokenHeaderType }: ServiceUserChange,
    editorId: string,
  ): Promise<EventMark> {
    checkService(user);
    const violations = descriptionViolations({ name, description });
    if (violations.length > 0) throw userInvalid(violations);
    const values = { serviceName: name, description, accessTokenType, accessTokenHeaderType };
    return this.users.changeTo(tx, user, values, 'user.service.changed', editorId);
  }

  /**
   * Sets a new secret; the old one, and every token issued so far, become invalid with the commit. Personal access
   * tokens are credentials of their own and stay valid until they are removed.
   * @throws DomainError NotFound; FailedPrecondition `user.not_service`
   */
  async generateSecret(tx: Transaction, id: string, editorId: string): Promise<Secret> {
    const secret = new Secret(randomClientSecret());
    await this.replaceSecret(tx, id, sha256(secret.reveal()), 'user.service.secret.set', editorId);
    return secret;
  }

  /**
   * Does nothing if there is no secret.
   * @throws DomainError NotFound; FailedPrecondition `user.not_service`
   */
  async removeSecret(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    const user = await this.users.get(tx, id);
    if (user.secretHash === null) {
      checkService(user);
      return lastMark(user);
    }
    return this.replaceSecret(tx, id, null, 'user.service.secret.removed', editorId);
  }

  /**
   * Verifies the account's secret; `from`: the network of the request.
   * @throws DomainError ResourceExhausted `password.busy`
   */
  async hasSecret(account: ServiceUserAccount, secret: Secret, from: string): Promise<boolean> {
    return this.secrets.isRight(account.secretHash, secret, { from, name: `service user ${account.id}` });
  }

  private async replaceSecret(
    tx: Transaction,
    id: string,
    secretHash: Buffer | null,
    eventType: string,
    editorId: string,
  ): Promise<EventMark> {
    checkService(await this.users.get(tx, id));
    return this.users.change(tx, id, { secretHash, tokenEpoch: NEXT_EPOCH }, eventType, editorId);
  }
}

/** @throws DomainError FailedPrecondition `user.not_service` */
export function checkService({ kind }: Pick<User, 'kind'>): void {
  if (kind !== 'service') throw notServiceUser();
}

function descriptionViolations({
  name,
  description = '',
}: Pick<NewServiceUser, 'name' | 'description'>): FieldViolation[] {
  return [
    ...(isText(name, 1) ? [] : [{ field: 'name', description: textRule(1) }]),
    ...(isText(description, 0, MAX_DESCRIPTION_CHARACTERS)
      ? []
      : [{ field: 'description', description: textRule(0, MAX_DESCRIPTION_CHARACTERS) }]),
  ];
}
