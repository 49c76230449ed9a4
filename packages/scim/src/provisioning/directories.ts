import { Injectable } from '@nestjs/common';
import { Users } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { ScimError } from '../error/scim-error.js';
import { noDirectory } from './take-over.errors.js';

/** Which users can be directories: active service users of the organization. */
@Injectable()
export class Directories {
  constructor(private readonly users: Users) {}

  /** @throws DomainError NotFound, for an operation that names a directory */
  async checkNamed(orgId: string, directoryId: string): Promise<void> {
    if (!(await this.has(orgId, directoryId))) throw noDirectory();
  }

  /** Whoever makes a user or a group provisions it from then on. @throws ScimError 403 for people */
  async check({ orgId, userId }: Caller): Promise<void> {
    if (await this.has(orgId, userId)) return;
    throw new ScimError(
      403,
      undefined,
      'PermissionDenied',
      'scim.no_directory',
      'Only service users can be directories: call with the token of one.',
    );
  }

  private async has(orgId: string, directoryId: string): Promise<boolean> {
    const user = await this.users.find(directoryId);
    return user?.kind === 'service' && user.orgId === orgId;
  }
}
