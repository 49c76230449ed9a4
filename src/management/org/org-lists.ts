import { Injectable } from '@nestjs/common';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import { byIds, type OrgColumn, OrgDirectory, type OrgEntry } from '../../org/org-directory.js';
import type { Rights } from '../../user/permission/rights.js';

/** Lists of organizations. */
@Injectable()
export class OrgLists {
  constructor(private readonly directory: OrgDirectory) {}

  /** The organizations that these rights allow to be read. */
  async list(rights: Rights, { where, ...request }: ListRequest<OrgColumn>): Promise<Page<OrgEntry>> {
    const places = rights.placesOf('org.read');
    const visible = places === 'everywhere' ? [] : [byIds(places.orgIds)];
    return this.directory.list({ ...request, where: [...visible, ...where] });
  }
}
