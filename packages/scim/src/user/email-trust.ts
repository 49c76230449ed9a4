import { domainToASCII } from 'node:url';
import { Injectable } from '@nestjs/common';
import { Database, ManagedUsers } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { ScimError } from '../error/scim-error.js';
import { ScimSettings } from '../scim.settings.js';

/**
 * Not those that only count as verified because the instance asks for no proof: an owner could name any domain, and the
 * directory would have addresses of it (SCM-019).
 */
const IS_OURS = 'SELECT 1 FROM org_domain WHERE org_id = :orgId AND domain = :domain AND is_proved';

/** What is believed of the addresses that directories say. */
@Injectable()
export class EmailTrust {
  constructor(
    private readonly settings: ScimSettings,
    private readonly database: Database,
    private readonly users: ManagedUsers,
  ) {}

  /** Whether the address counts as verified because the directory says it. */
  async isVerified(orgId: string, email: string): Promise<boolean> {
    if (this.settings.emailVerified !== 'domains') return this.settings.emailVerified === 'always';
    const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
    return (await this.database.query(IS_OURS, { orgId, domain })).length > 0;
  }

  /**
   * Whoever has the address of somebody whom the directory does not provision could be taken for that person, by
   * applications that go by addresses (SCM-006). Among its own people a directory may share addresses.
   * @throws ScimError 409 `uniqueness`
   */
  async checkFree(caller: Caller, email: string): Promise<void> {
    const { total } = await this.users.list(caller, {
      where: {
        all: [
          { field: 'email', is: 'equal', value: email },
          {
            not: {
              idIn: {
                sql: 'SELECT user_id AS id FROM ext_scim.provisioned_user WHERE directory_id = :directoryId',
                values: { directoryId: caller.userId },
              },
            },
          },
        ],
      },
      offset: 0,
      limit: 1,
    });
    if (total > 0)
      throw new ScimError(
        409,
        'uniqueness',
        'AlreadyExists',
        'scim.email_taken',
        'Somebody whom this directory does not provision has the e-mail address.',
      );
  }
}
