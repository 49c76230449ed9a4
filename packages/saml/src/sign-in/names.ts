import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type SignedInUser } from 'gatehouse';
import type { RegisteredApplication } from '../application/registered-applications.js';
import { OurEntity } from '../entity/our-entity.js';
import type { NameIdDemand } from '../idp/name-id-policy.js';
import { newMessageId } from '../protocol/message-id.js';
import type { NameId } from '../protocol/name-id.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';

const FIND = `SELECT value FROM ext_saml.name_id WHERE client_id = :clientId AND user_id = :userId`;
/** Of an application and a user that are there, and stay so until it is written. */
const ADD = `INSERT INTO ext_saml.name_id (client_id, user_id, value)
  SELECT a.client_id, u.id, :value FROM ext_saml.application a, user_account u
  WHERE a.client_id = :clientId AND u.id = :userId FOR KEY SHARE
  ON CONFLICT (client_id, user_id) DO NOTHING`;

/** Under which names applications know users. */
@Injectable()
export class Names {
  constructor(
    private readonly database: Database,
    private readonly entity: OurEntity,
  ) {}

  /**
   * Undefined if there is no such name, and none may be made.
   * @throws SamlRefusal `removed_meanwhile`
   */
  async of(
    application: RegisteredApplication,
    user: SignedInUser,
    { format = application.nameIdFormat, allowCreate = true }: NameIdDemand,
  ): Promise<NameId | undefined> {
    switch (format) {
      case 'emailAddress':
        return user.emailVerified && user.email !== '' ? unqualified('emailAddress', user.email) : undefined;
      case 'transient':
        return unqualified('transient', newMessageId());
      default: {
        const value = await this.persistent(application.clientId, user.id, allowCreate);
        return value === undefined ? undefined : this.qualified(value, application.serviceProvider.entityId);
      }
    }
  }

  /** Whether a request expects this user, whom it names in its own way (SAML Core §3.4.1). */
  async isExpected(application: RegisteredApplication, user: SignedInUser, subject: NameId): Promise<boolean> {
    const { value, format } = subject;
    const persistent = await this.persistent(application.clientId, user.id, false);
    const email = user.emailVerified ? user.email : undefined;
    if (format === NAME_ID_FORMAT.persistent) return value === persistent;
    if (format === NAME_ID_FORMAT.emailAddress) return value.toLowerCase() === email?.toLowerCase();
    if (format !== NAME_ID_FORMAT.unspecified) return false;
    return [user.userName, user.loginName, persistent, email].includes(value);
  }

  /** Random, one for each user and application (SAML Core §8.3.7): it outlives names, addresses and keys. */
  private async persistent(clientId: string, userId: string, mayMake: boolean): Promise<string | undefined> {
    const found = await this.stored(clientId, userId);
    if (found !== undefined || !mayMake) return found;
    const value = randomBytes(20).toString('hex'); // in hexadecimal, since some compare without case
    await this.database.query(ADD, { clientId, userId, value });
    const added = await this.stored(clientId, userId);
    if (added === undefined) throw new SamlRefusal('removed_meanwhile');
    return added;
  }

  private async stored(clientId: string, userId: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ value: string }>(FIND, { clientId, userId });
    return row?.value;
  }

  private qualified(value: string, serviceProvider: string): NameId {
    const { entityId } = this.entity;
    return {
      value,
      format: NAME_ID_FORMAT.persistent,
      nameQualifier: entityId,
      spNameQualifier: serviceProvider,
    };
  }
}

function unqualified(format: 'emailAddress' | 'transient', value: string): NameId {
  return { value, format: NAME_ID_FORMAT[format], nameQualifier: undefined, spNameQualifier: undefined };
}
