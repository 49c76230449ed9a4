import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Details } from '../../foundation/database/recorded.js';
import { DomainPolicies } from '../../management/org/domain-policies.js';
import { orgNotFound } from '../../org/org.errors.js';
import { policyExists, policyNotFound } from '../../org/policy/policy.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNamesBusy, userNamesCollide } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toOwnDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import {
  CustomDomainPolicyRequest,
  CustomOrgIamPolicyRequest,
  DomainPolicyResponse,
  OrgIamPolicyResponse,
  OrgPolicyRequest,
  UpdateDomainPolicyRequest,
  UpdateOrgIamPolicyRequest,
} from './domain-policy.dto.js';
import { toDomainPolicy, toOrgIamPolicy } from './policy.mapping.js';
import { PolicyOperations } from './policy.operations.js';

/** Since when the domain policy has the settings that the older name had. */
const RENAMED = new Date('2026-01-01T00:00:00Z');
const AT_ONCE =
  'Login names change immediately. Turning userLoginMustBeDomain off may take minutes if many users were added in the meantime, and can be repeated.';
const OLDER = 'The former name of the domain policy, which has more fields.';

/** Domain policies: managers of the instance give them, also those of a single organization. */
@Tagged('Domain policy')
@Controller('admin/v1')
export class DomainPolicyController {
  constructor(
    private readonly on: PolicyOperations,
    private readonly domainPolicies: DomainPolicies,
  ) {}

  @Get('policies/domain')
  @Requires('iam.policy.read')
  @Operation({ id: 'GetDomainPolicy', summary: "Get the instance's domain policy", returns: DomainPolicyResponse })
  async get(@Asking() _actor: Actor): Promise<DomainPolicyResponse> {
    return toDomainPolicy(await this.on.policies.read('domain', await this.on.instanceId()));
  }

  @Put('policies/domain')
  @Requires('iam.policy.write')
  @Operation({
    id: 'UpdateDomainPolicy',
    summary: "Update the instance's domain policy",
    request: UpdateDomainPolicyRequest,
    returns: DetailsResponse,
    description: `Applies to the users of every organization without a policy of its own. ${AT_ONCE}`,
    refuses: [userNamesCollide(), userNamesBusy()],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateDomainPolicyRequest): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.update(await this.on.instanceId(), toSettings(request), actor.userId));
  }

  @Get('orgs/:orgId/policies/domain')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetCustomDomainPolicy',
    summary: 'Get the effective domain policy of an organization',
    request: OrgPolicyRequest,
    returns: DomainPolicyResponse,
    refuses: [orgNotFound()],
  })
  async getCustom(@Asking() _actor: Actor, @Message() { orgId }: OrgPolicyRequest): Promise<DomainPolicyResponse> {
    return toDomainPolicy(await this.on.policies.readOf('domain', orgId));
  }

  @Post('orgs/:orgId/policies/domain')
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddCustomDomainPolicy',
    summary: 'Add a custom domain policy to an organization',
    request: CustomDomainPolicyRequest,
    sets: true,
    returns: DetailsResponse,
    description: AT_ONCE,
    refuses: [orgNotFound(), policyExists('domain'), userNamesCollide(), userNamesBusy()],
  })
  async add(@Asking() actor: Actor, @Message() request: CustomDomainPolicyRequest): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.add(request.orgId, toSettings(request), actor.userId));
  }

  @Put('orgs/:orgId/policies/domain')
  @Requires('iam.policy.write')
  @Operation({
    id: 'UpdateCustomDomainPolicy',
    summary: "Update an organization's custom domain policy",
    request: CustomDomainPolicyRequest,
    returns: DetailsResponse,
    description: AT_ONCE,
    refuses: [policyNotFound('domain'), userNamesCollide(), userNamesBusy()],
  })
  async updateCustom(@Asking() actor: Actor, @Message() request: CustomDomainPolicyRequest): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.update(request.orgId, toSettings(request), actor.userId));
  }

  @Delete('orgs/:orgId/policies/domain')
  @Requires('iam.policy.delete')
  @Operation({
    id: 'ResetCustomDomainPolicyToDefault',
    summary: "Reset an organization to the instance's domain policy",
    request: OrgPolicyRequest,
    returns: DetailsResponse,
    description: `From then on, the instance's policy applies, also to existing users. ${AT_ONCE}`,
    refuses: [policyNotFound('domain'), userNamesCollide(), userNamesBusy()],
  })
  async reset(@Asking() actor: Actor, @Message() { orgId }: OrgPolicyRequest): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.reset(orgId, actor.userId));
  }
}

/** The domain policy under its older name, which knows one of the three settings; it leaves the others as they are. */
@Tagged('Domain policy')
@Controller('admin/v1')
export class OrgIamPolicyController {
  constructor(
    private readonly on: PolicyOperations,
    private readonly domainPolicies: DomainPolicies,
  ) {}

  @Get('policies/orgiam')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetOrgIAMPolicy',
    formerNameOf: 'GetDomainPolicy',
    summary: "Get the instance's domain policy (under its former name)",
    returns: OrgIamPolicyResponse,
    description: OLDER,
    deprecated: RENAMED,
  })
  async get(@Asking() _actor: Actor): Promise<OrgIamPolicyResponse> {
    return toOrgIamPolicy(await this.on.policies.read('domain', await this.on.instanceId()));
  }

  @Put('policies/orgiam')
  @Requires('iam.policy.write')
  @Operation({
    id: 'UpdateOrgIAMPolicy',
    formerNameOf: 'UpdateDomainPolicy',
    summary: "Update the instance's domain policy (under its former name)",
    request: UpdateOrgIamPolicyRequest,
    returns: DetailsResponse,
    description: OLDER,
    refuses: [userNamesCollide(), userNamesBusy()],
    deprecated: RENAMED,
  })
  async update(
    @Asking() actor: Actor,
    @Message() { userLoginMustBeDomain }: UpdateOrgIamPolicyRequest,
  ): Promise<DetailsResponse> {
    return toAnswer(
      await this.domainPolicies.update(await this.on.instanceId(), { userLoginMustBeDomain }, actor.userId),
    );
  }

  @Get('orgs/:orgId/policies/orgiam')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetCustomOrgIAMPolicy',
    formerNameOf: 'GetCustomDomainPolicy',
    summary: 'Get the effective domain policy of an organization (under its former name)',
    request: OrgPolicyRequest,
    exampleWith: { orgId: EXAMPLE.otherOrg },
    returns: OrgIamPolicyResponse,
    description: OLDER,
    refuses: [orgNotFound()],
    deprecated: RENAMED,
  })
  async getCustom(@Asking() _actor: Actor, @Message() { orgId }: OrgPolicyRequest): Promise<OrgIamPolicyResponse> {
    return toOrgIamPolicy(await this.on.policies.readOf('domain', orgId));
  }

  @Post('orgs/:orgId/policies/orgiam')
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddCustomOrgIAMPolicy',
    formerNameOf: 'AddCustomDomainPolicy',
    summary: 'Add a custom domain policy to an organization (under its former name)',
    request: CustomOrgIamPolicyRequest,
    sets: true,
    exampleWith: { orgId: EXAMPLE.otherOrg },
    returns: DetailsResponse,
    description: OLDER,
    refuses: [orgNotFound(), policyExists('domain'), userNamesCollide(), userNamesBusy()],
    deprecated: RENAMED,
  })
  async add(
    @Asking() actor: Actor,
    @Message() { orgId, userLoginMustBeDomain }: CustomOrgIamPolicyRequest,
  ): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.add(orgId, { userLoginMustBeDomain }, actor.userId));
  }

  @Put('orgs/:orgId/policies/orgiam')
  @Requires('iam.policy.write')
  @Operation({
    id: 'UpdateCustomOrgIAMPolicy',
    formerNameOf: 'UpdateCustomDomainPolicy',
    summary: "Update an organization's custom domain policy (under its former name)",
    request: CustomOrgIamPolicyRequest,
    exampleWith: { orgId: EXAMPLE.otherOrg },
    returns: DetailsResponse,
    description: OLDER,
    refuses: [policyNotFound('domain'), userNamesCollide(), userNamesBusy()],
    deprecated: RENAMED,
  })
  async updateCustom(
    @Asking() actor: Actor,
    @Message() { orgId, userLoginMustBeDomain }: CustomOrgIamPolicyRequest,
  ): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.update(orgId, { userLoginMustBeDomain }, actor.userId));
  }

  @Delete('orgs/:orgId/policies/orgiam')
  @Requires('iam.policy.delete')
  @Operation({
    id: 'ResetCustomOrgIAMPolicyToDefault',
    formerNameOf: 'ResetCustomDomainPolicyToDefault',
    summary: "Reset an organization to the instance's domain policy (under its former name)",
    request: OrgPolicyRequest,
    exampleWith: { orgId: EXAMPLE.otherOrg },
    returns: DetailsResponse,
    description: OLDER,
    refuses: [policyNotFound('domain'), userNamesCollide(), userNamesBusy()],
    deprecated: RENAMED,
  })
  async reset(@Asking() actor: Actor, @Message() { orgId }: OrgPolicyRequest): Promise<DetailsResponse> {
    return toAnswer(await this.domainPolicies.reset(orgId, actor.userId));
  }
}

/** An organization sees the domain policy that holds for it. */
@Tagged('Domain policy')
@Controller('management/v1/policies')
@OfOrg()
export class OrgDomainPolicyController {
  constructor(private readonly on: PolicyOperations) {}

  @Get('domain')
  @Requires('policy.read')
  @Operation({
    id: 'GetDomainPolicyOfOrg',
    summary: "Get the organization's effective domain policy",
    returns: DomainPolicyResponse,
  })
  async get(@Asking() actor: Actor): Promise<DomainPolicyResponse> {
    return toDomainPolicy(await this.on.policies.read('domain', actor.orgId));
  }

  @Get('orgiam')
  @Requires('policy.read')
  @Operation({
    id: 'GetOrgIAMPolicyOfOrg',
    formerNameOf: 'GetDomainPolicyOfOrg',
    summary: "Get the organization's effective domain policy (under its former name)",
    returns: OrgIamPolicyResponse,
    description: OLDER,
    deprecated: RENAMED,
  })
  async getOrgIam(@Asking() actor: Actor): Promise<OrgIamPolicyResponse> {
    return toOrgIamPolicy(await this.on.policies.read('domain', actor.orgId));
  }
}

function toSettings(request: UpdateDomainPolicyRequest | CustomDomainPolicyRequest): {
  userLoginMustBeDomain: boolean;
  validateOrgDomains: boolean;
  smtpSenderAddressMatchesInstanceDomain: boolean;
} {
  const { userLoginMustBeDomain, validateOrgDomains, smtpSenderAddressMatchesInstanceDomain } = request;
  return { userLoginMustBeDomain, validateOrgDomains, smtpSenderAddressMatchesInstanceDomain };
}

function toAnswer(details: Details): DetailsResponse {
  return { details: toOwnDetails(details) };
}
