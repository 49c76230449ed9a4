import { Injectable } from '@nestjs/common';
import { InstanceService } from '../instance/instance.service.js';
import { type ActiveOrg, OrgService } from '../org/org.service.js';
import { PolicyService } from '../policy/policy.service.js';
import type { Visit } from './visit.js';

/** Which organization a new user would belong to, and whether registration is open. */
@Injectable()
export class Registration {
  constructor(
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * The organization that the application requests, otherwise the instance's default; undefined if registration is
   * disabled, or passwords are, since a new user chooses one.
   */
  async findOrg(visit: Visit): Promise<ActiveOrg | undefined> {
    const orgId = visit.request.requiredOrgId ?? (await this.instances.get()).defaultOrgId;
    const policy = await this.policies.effective('login', orgId);
    return policy.allowRegister && policy.allowUsernamePassword ? this.orgs.findActive(orgId) : undefined;
  }

  /** Whether another organization has proven to own the domain after the last @ (LOG-047). */
  async belongsElsewhere(name: string, org: Pick<ActiveOrg, 'id'>): Promise<boolean> {
    const at = name.lastIndexOf('@');
    const owner = at < 0 ? undefined : await this.orgs.findByVerifiedDomain(name.slice(at + 1));
    return owner !== undefined && owner.id !== org.id;
  }
}
