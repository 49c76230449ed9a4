import { Injectable } from '@nestjs/common';
import { InstanceService } from '../instance/instance.service.js';
import { type ActiveOrg, OrgService } from '../org/org.service.js';
import { PolicyService } from '../policy/policy.service.js';
import type { Visit } from './visit.js';

/** Where a new person would belong, and whether anybody may register there. */
@Injectable()
export class Registration {
  constructor(
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * The organization that the application asks for, else the instance's default; undefined where registration is closed, as it is
   * where nobody signs in by a password: who registers chooses one.
   */
  async findOrg(visit: Visit): Promise<ActiveOrg | undefined> {
    const orgId = visit.request.requiredOrgId ?? (await this.instances.get()).defaultOrgId;
    const policy = await this.policies.effective('login', orgId);
    return policy.allowRegister && policy.allowUsernamePassword ? this.orgs.findActive(orgId) : undefined;
  }

  /** Whether an organization other than this one has proven to own the domain behind the last @ (LOG-047). */
  async belongsElsewhere(name: string, org: Pick<ActiveOrg, 'id'>): Promise<boolean> {
    const at = name.lastIndexOf('@');
    const owner = at < 0 ? undefined : await this.orgs.findByVerifiedDomain(name.slice(at + 1));
    return owner !== undefined && owner.id !== org.id;
  }
}
