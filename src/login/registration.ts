import { Injectable } from '@nestjs/common';
import { InstanceService } from '../org/instance/instance.service.js';
import { type ActiveOrg, OrgService } from '../org/org.service.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import type { Visit } from './visit.js';

/** An organization that is open to new users, and what they may choose to sign in with. */
export interface OpenOrg extends ActiveOrg {
  readonly allowsPasswords: boolean;
  readonly allowsPasskeys: boolean;
}

/** Which organization a new user would belong to, and whether registration is open. */
@Injectable()
export class Registration {
  constructor(
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
    private readonly passkeys: PasskeyService,
  ) {}

  /**
   * The organization that the application requests, otherwise the instance's default; undefined if registration is
   * disabled, or there is nothing that a new user could choose: neither a password nor a passkey.
   */
  async findOrg(visit: Visit): Promise<OpenOrg | undefined> {
    const orgId = visit.request.requiredOrgId ?? (await this.instances.get()).defaultOrgId;
    const policy = await this.policies.effective('login', orgId);
    const allowsPasswords = policy.allowUsernamePassword;
    const allowsPasskeys = this.passkeys.arePossible && policy.passwordlessType === 'allowed';
    if (!policy.allowRegister || !(allowsPasswords || allowsPasskeys)) return undefined;
    const org = await this.orgs.findActive(orgId);
    return org && { ...org, allowsPasswords, allowsPasskeys };
  }

  /** Whether another organization has proven to own the domain after the last @ (LOG-047). */
  async belongsElsewhere(name: string, org: Pick<ActiveOrg, 'id'>): Promise<boolean> {
    const at = name.lastIndexOf('@');
    const holder = at < 0 ? undefined : await this.orgs.findByVerifiedDomain(name.slice(at + 1));
    return holder?.isProved === true && holder.id !== org.id;
  }
}
