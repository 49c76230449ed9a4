import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { SignIns } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { ScimError } from '../error/scim-error.js';
import type { AskedAttributes } from '../resource/projection.js';
import type { Ask } from './ask.js';
import { queryOf, readAsked } from './list-query.js';
import { Locations } from './locations.js';
import { Conditions } from './version.js';

/** Where directories reach the protocol. */
export const BASE_PATH = 'scim/v2';

/** Makes of each request who asks, and how the answer shall be. */
@Injectable()
export class Asks {
  /** @param signIns knows the public address of the service */
  constructor(private readonly signIns: SignIns) {}

  /** @throws ScimError 403 for callers of another organization */
  of(caller: Caller, request: IncomingMessage, asked: AskedAttributes = readAsked(queryOf(request))): Ask {
    if (caller.ownOrgId !== caller.orgId)
      throw new ScimError(
        403,
        undefined,
        'PermissionDenied',
        'scim.not_of_organization',
        'A directory is a service user of the organization whose people it provisions.',
      );
    const locations = this.locations(caller.orgId);
    return { caller, locations, conditions: Conditions.of(request.headers), asked };
  }

  locations(orgId: string): Locations {
    return new Locations(`${this.signIns.issuer}/${BASE_PATH}/${encodeURIComponent(orgId)}`);
  }
}
