import { Injectable } from '@nestjs/common';
import { InstanceService } from '../../org/instance/instance.service.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { Client } from '../../project/client/client.js';
import { parseLoginName } from '../../user/user-name.js';
import type { BrowserSession } from '../browser-session.js';
import type { AuthRequest } from './auth-request.js';

/** The organization whose policies and whose label apply to a sign-in. */
export interface SignInPlace {
  readonly orgId: string;
  /** The organization whose label applies; absent if it is the same. */
  readonly brandId?: string | undefined;
}

interface Known {
  readonly request: Pick<AuthRequest, 'requiredOrgId' | 'loginName' | 'externalOrgId'>;
  readonly client: Client;
  readonly session: BrowserSession | undefined;
}

/**
 * The organization of a sign-in. In order: the one that the application requests, that of the user known to the
 * browser, the owner of the domain of the typed name, if it is proved (LOG-064), the one whose provider returned an
 * unknown user, the default. The owner of a domain is public: whether the name exists decides nothing.
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
    return allowDomainDiscovery ? (await this.orgs.findProvedOwner(domain))?.id : undefined;
  }
}
