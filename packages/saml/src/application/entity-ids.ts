import { Injectable } from '@nestjs/common';
import { Database } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { OurEntity } from '../entity/our-entity.js';
import { entityElsewhere, entityOurs } from './application.errors.js';

const OWNER = `SELECT org_id AS "orgId" FROM org_domain
  WHERE is_proved AND domain = ANY (:domains)
  ORDER BY length(domain) DESC LIMIT 1`;

/** Which entityIDs an organization may register. */
@Injectable()
export class EntityIds {
  constructor(
    private readonly database: Database,
    private readonly entity: OurEntity,
  ) {}

  /**
   * An application believes whatever is signed for its entityID, and all organizations of an instance sign with one
   * key: whoever registered the entityID of somebody else could say who their users are (SML-018).
   * @throws DomainError InvalidArgument `saml.entity_ours`; FailedPrecondition `saml.entity_elsewhere`
   */
  async check({ orgId }: Caller, entityId: string): Promise<void> {
    if (entityId === this.entity.entityId) throw entityOurs();
    const domains = domainsOf(entityId);
    if (domains.length === 0) return;
    const [owner] = await this.database.query<{ orgId: string }>(OWNER, { domains });
    if (owner && owner.orgId !== orgId) throw entityElsewhere();
  }
}

/** The host of an address and every domain above it; nothing for names that are no addresses. */
export function domainsOf(entityId: string): readonly string[] {
  if (!/^https?:/i.test(entityId) || !URL.canParse(entityId)) return [];
  const words = new URL(entityId).hostname.replace(/\.$/, '').split('.');
  return words.map((_, at) => words.slice(at).join('.'));
}
