import { Injectable } from '@nestjs/common';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Logger } from '../foundation/log/logger.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { Idp } from './idp.entity.js';
import { IdpKinds } from './idp-kinds.js';

const COLUMNS = [
  'id',
  'name',
  'type',
  'stylingType',
  'autoRegister',
  'isLinkingAllowed',
  'isCreationAllowed',
  'isAutoUpdate',
  'autoLinking',
] as const;

/** A provider as a page or a list offers it. */
export type OfferedIdp = Pick<Idp, (typeof COLUMNS)[number]>;

/** Where there are more providers, the login policy should list them. */
const MOST = 1_000;

const OFFERED = statement(
  'idp.offered',
  `SELECT ${columnsOf(Idp, 'i', COLUMNS)}
   FROM idp i
   WHERE i.owner_id = ANY (ARRAY[:orgId, :instanceId]) AND i.state = 'active'
     AND (NOT EXISTS (SELECT 1 FROM login_policy_idp l WHERE l.owner_id = :policyOwnerId)
       OR EXISTS (SELECT 1 FROM login_policy_idp l WHERE l.owner_id = :policyOwnerId AND l.idp_id = i.id))
   ORDER BY i.name, i.id
   LIMIT ${MOST}`,
).rows<OfferedIdp>();

/**
 * The providers that an organization's users may use: those that its login policy lists, or if it lists none, every
 * active one of the organization and the instance.
 */
@Injectable()
export class OfferedIdps {
  private readonly cache: CachedReads<readonly OfferedIdp[]>;
  /** The providers of which the log has already said that they are not offered. */
  private readonly reported = new Set<string>();

  constructor(
    database: Database,
    changes: ChangeChannel,
    private readonly policies: PolicyService,
    private readonly instances: InstanceService,
    private readonly kinds: IdpKinds,
    private readonly log: Logger,
  ) {
    this.cache = new CachedReads(changes, 'idp', async (key) => {
      const [orgId, instanceId, policyOwnerId] = JSON.parse(key) as [string, string, string];
      return this.usable(await database.query(OFFERED, { orgId, instanceId, policyOwnerId }));
    });
  }

  /** None if the login policy disables them. Cached: every page that asks for a name shows them. */
  async of(orgId: string): Promise<readonly OfferedIdp[]> {
    const { allowExternalIdp, ownerId, sequence } = await this.policies.effective('login', orgId);
    if (!allowExternalIdp) return [];
    const { id: instanceId } = await this.instances.get();
    // A policy that has changed is another key.
    return (await this.cache.find(JSON.stringify([orgId, instanceId, ownerId, String(sequence)]))) ?? [];
  }

  /** The providers without those whose extension is not loaded: their buttons would lead nowhere. */
  private usable(found: readonly OfferedIdp[]): OfferedIdp[] {
    return found.filter(({ id, type }) => {
      if (this.kinds.has(type)) return true;
      if (!this.reported.has(id)) {
        this.reported.add(id);
        this.log.warn(
          { idpId: id, kind: type },
          'identity provider not offered: the extension with its kind is not loaded',
        );
      }
      return false;
    });
  }
}
