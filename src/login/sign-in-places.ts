import { Injectable } from '@nestjs/common';
import type { AuthRequest } from '../auth-request/auth-request.js';
import type { Client } from '../client/client.js';
import { InstanceService } from '../instance/instance.service.js';
import { OrgService } from '../org/org.service.js';
import { PolicyService } from '../policy/policy.service.js';
import type { BrowserSession } from '../session/browser-session.js';
import { parseLoginName } from '../user/user-name.js';

/** On whose terms somebody signs in, and in whose colours. */
export interface SignInPlace {
  readonly orgId: string;
  /** Absent where it is the same. */
  readonly brandId?: string | undefined;
}

interface Known {
  readonly request: Pick<AuthRequest, 'requiredOrgId' | 'loginName' | 'externalOrgId'>;
  readonly client: Client;
  readonly session: BrowserSession | undefined;
}

/**
 * The organization of a sign-in: the one that the application asks for, else that of whoever is known to the browser, else the
 * one that owns the domain of the name that was typed, else the one from whose provider somebody has come back unknown, else the
 * default. Whose domain it is anybody may know: whether somebody there has that name decides nothing.
 */
@Injectable()
export class SignInPlaces {
  constructor(
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
  ) {}

  async of({ request, client, session }: Known): Promise<SignInPlace> {
    const { defaultOrgId } = await this.instances.get();
    const named =
      request.requiredOrgId ??
      session?.orgId ??
      (await this.discover(request.loginName, defaultOrgId)) ??
      request.externalOrgId;
    const { privateLabelingSetting, orgId: projectOrgId } = client.project;
    switch (privateLabelingSetting) {
      case 'enforce_project_resource_owner_policy':
        return { orgId: named ?? defaultOrgId, brandId: projectOrgId };
      case 'allow_login_user_resource_owner_policy':
        return { orgId: named ?? defaultOrgId, brandId: named ?? projectOrgId };
      case 'unspecified':
        return { orgId: named ?? defaultOrgId };
    }
  }

  private async discover(loginName: string | undefined, defaultOrgId: string): Promise<string | undefined> {
    const domain = loginName === undefined ? '' : parseLoginName(loginName).domain;
    if (domain === '') return undefined;
    const { allowDomainDiscovery } = await this.policies.effective('login', defaultOrgId);
    return allowDomainDiscovery ? (await this.orgs.discover(domain))?.id : undefined;
  }
}
