import { Injectable } from '@nestjs/common';
import { sha256 } from '../crypto/digest.js';
import { newId } from '../crypto/id.js';
import { randomToken } from '../crypto/random.js';
import { Secret } from '../crypto/secret.js';
import type { Transaction } from '../database/database.js';
import { UserService } from '../user/user.service.js';
import { notServiceUser } from '../user/user.errors.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { Urn } from './urn.js';

/** Found by scanners for leaked secrets, and told apart from other tokens at a glance. */
const PREFIX = 'gtp_';
const NEVER = new Date('9999-12-31T23:59:59Z');

export function isPersonalAccessToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Bearer tokens of service users, made by an administrator, shown once, stored as a digest. */
@Injectable()
export class PersonalAccessTokens {
  constructor(
    private readonly users: UserService,
    private readonly urn: Urn,
  ) {}

  /** @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.not_service` */
  async add(tx: Transaction, userId: string, editorId: string, expiresAt: Date = NEVER): Promise<{ id: string; token: Secret }> {
    const user = await this.users.get(tx, userId);
    if (user.kind !== 'service') throw notServiceUser();
    const id = newId();
    const token = new Secret(PREFIX + randomToken(32));
    const mark = await this.users.change(tx, userId, {}, 'user.personal_access_token.added', editorId, { tokenId: id, expiresAt });
    await tx.entities.insert(PersonalAccessToken, {
      id, userId, tokenHash: sha256(token.reveal()), expiresAt,
      scopes: ['openid', 'profile', this.urn.metadata, this.urn.resourceOwner],
      sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
    });
    return { id, token };
  }

  async remove(tx: Transaction, userId: string, id: string, editorId: string): Promise<void> {
    await this.users.change(tx, userId, {}, 'user.personal_access_token.removed', editorId, { tokenId: id });
    await tx.entities.delete(PersonalAccessToken, { id, userId });
  }
}
