import { Controller, Get, Put } from '@nestjs/common';
import { IssuerConfig, SelfDescribedConfig } from '../../../foundation/config/config.js';
import { type FieldViolation, invalidFields } from '../../../foundation/error/domain-error.js';
import { Clock } from '../../../foundation/time/clock.js';
import { OfferedIdps } from '../../../idp/offered-idps.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { type FoundPolicy, PolicyService } from '../../../org/policy/policy.service.js';
import type { PolicyKind } from '../../../org/policy/policy-kind.js';
import { supportedLanguages } from '../../../text/supported-language.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { AUTHENTICATED } from '../../kit/guard/demand.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { imageUrl } from '../../policy/image-url.js';
import { type DetailsV2, toDetailsV2, toWholeListDetailsV2 } from '../kit/object.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { GetActiveIdentityProvidersRequestV2, GetActiveIdentityProvidersResponseV2 } from './identity-provider.dto.js';
import {
  type DynamicClientRegistrationSettingsV2,
  GetSecuritySettingsResponseV2,
  SetSecuritySettingsRequestV2,
  SetSecuritySettingsResponseV2,
} from './security.dto.js';
import {
  GetBrandingSettingsResponseV2,
  GetDomainSettingsResponseV2,
  GetGeneralSettingsResponseV2,
  GetLegalAndSupportSettingsResponseV2,
  GetLockoutSettingsResponseV2,
  GetLoginSettingsResponseV2,
  GetPasswordComplexitySettingsResponseV2,
  GetPasswordExpirySettingsResponseV2,
  SettingsRequestV2,
} from './settings.dto.js';
import {
  toBrandingSettings,
  toComplexitySettings,
  toDomainSettings,
  toExpirySettings,
  toLegalSettings,
  toLockoutSettings,
  toLoginSettings,
  toOfferedProviders,
} from './settings.mapping.js';

/** Settings as they apply to an organization: its own, or those of the instance. */
@Tagged('Settings v2')
@Controller('v2')
@InService('settings')
export class SettingsV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly policies: PolicyService,
    private readonly offered: OfferedIdps,
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
    private readonly selfDescribed: SelfDescribedConfig,
    private readonly clock: Clock,
  ) {}

  @Get('settings')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetGeneralSettingsV2',
    summary: 'Get the default organization and the languages',
    returns: GetGeneralSettingsResponseV2,
  })
  async getGeneral(): Promise<GetGeneralSettingsResponseV2> {
    const { defaultOrgId, defaultLanguage } = await this.instances.get();
    const languages = supportedLanguages;
    return {
      defaultOrgId,
      defaultLanguage,
      supportedLanguages: languages,
      defaultOrganizationId: defaultOrgId,
      allowedLanguages: languages,
    };
  }

  @Get('settings/login')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetLoginSettingsV2',
    sameAs: ['GetLoginPolicyOfOrg'],
    summary: 'Get how users may sign in',
    request: SettingsRequestV2,
    returns: GetLoginSettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getLogin(@Asking() caller: Caller, @Message() request: SettingsRequestV2): Promise<GetLoginSettingsResponseV2> {
    const found = await this.read('login', caller, request);
    return { details: detailsOf(found), settings: toLoginSettings(found) };
  }

  @Get('settings/login/idps')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetActiveIdentityProvidersV2',
    sameAs: ['ListLoginPolicyIDPsOfOrg'],
    summary: 'List the identity providers by which users may sign in',
    description:
      'Those that the login page offers: the active ones that the login policy lists or, if it lists none, all active ones; none if the policy disables them.',
    request: GetActiveIdentityProvidersRequestV2,
    example: {},
    returns: GetActiveIdentityProvidersResponseV2,
    refuses: [orgNotFound()],
  })
  async getProviders(
    @Asking() caller: Caller,
    @Message() request: GetActiveIdentityProvidersRequestV2,
  ): Promise<GetActiveIdentityProvidersResponseV2> {
    const offered = await this.offered.of(await this.ownerOf(caller, request));
    const identityProviders = toOfferedProviders(offered, request);
    return { details: toWholeListDetailsV2(identityProviders.length, this.clock.now()), identityProviders };
  }

  @Get('settings/password/complexity')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetPasswordComplexitySettingsV2',
    sameAs: ['GetPasswordComplexityPolicyOfOrg'],
    summary: 'Get what a password must contain',
    request: SettingsRequestV2,
    returns: GetPasswordComplexitySettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getComplexity(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetPasswordComplexitySettingsResponseV2> {
    const found = await this.read('passwordComplexity', caller, request);
    return { details: detailsOf(found), settings: toComplexitySettings(found) };
  }

  @Get('settings/password/expiry')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetPasswordExpirySettingsV2',
    sameAs: ['GetPasswordAgePolicyOfOrg'],
    summary: 'Get when passwords expire',
    request: SettingsRequestV2,
    returns: GetPasswordExpirySettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getExpiry(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetPasswordExpirySettingsResponseV2> {
    const found = await this.read('passwordAge', caller, request);
    return { details: detailsOf(found), settings: toExpirySettings(found) };
  }

  @Get('settings/branding')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetBrandingSettingsV2',
    sameAs: ['GetLabelPolicyOfOrg'],
    summary: 'Get colors and pictures of the pages',
    request: SettingsRequestV2,
    returns: GetBrandingSettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getBranding(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetBrandingSettingsResponseV2> {
    const found = await this.read('label', caller, request);
    const settings = toBrandingSettings(found, (slot) => imageUrl(found.policy, slot, this.issuer.publicUrl));
    return { details: detailsOf(found), settings };
  }

  @Get('settings/domain')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetDomainSettingsV2',
    sameAs: ['GetDomainPolicyOfOrg'],
    summary: 'Get whether login names end with the domain of the organization',
    request: SettingsRequestV2,
    returns: GetDomainSettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getDomain(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetDomainSettingsResponseV2> {
    const found = await this.read('domain', caller, request);
    return { details: detailsOf(found), settings: toDomainSettings(found) };
  }

  @Get('settings/legal_support')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetLegalAndSupportSettingsV2',
    sameAs: ['GetPrivacyPolicyOfOrg'],
    summary: 'Get links to terms, privacy statement and help',
    request: SettingsRequestV2,
    returns: GetLegalAndSupportSettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getLegal(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetLegalAndSupportSettingsResponseV2> {
    const found = await this.read('privacy', caller, request);
    return { details: detailsOf(found), settings: toLegalSettings(found) };
  }

  @Get('settings/lockout')
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetLockoutSettingsV2',
    sameAs: ['GetLockoutPolicyOfOrg'],
    summary: 'Get after how many attempts a user is locked',
    request: SettingsRequestV2,
    returns: GetLockoutSettingsResponseV2,
    refuses: [orgNotFound()],
  })
  async getLockout(
    @Asking() caller: Caller,
    @Message() request: SettingsRequestV2,
  ): Promise<GetLockoutSettingsResponseV2> {
    const found = await this.read('lockout', caller, request);
    return { details: detailsOf(found), settings: toLockoutSettings(found) };
  }

  @Get('settings/security')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetSecuritySettingsV2',
    sameAs: ['GetSecurityPolicy'],
    summary: 'Get whether users may act for others',
    returns: GetSecuritySettingsResponseV2,
  })
  async getSecurity(): Promise<GetSecuritySettingsResponseV2> {
    const instance = await this.instances.get();
    return {
      details: toDetailsV2(instance, instance.id),
      settings: {
        embeddedIframe: { enabled: false, allowedOrigins: [] },
        enableImpersonation: instance.enableImpersonation,
        dynamicClientRegistration: this.registration,
      },
    };
  }

  @Put('settings/security')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetSecuritySettingsV2',
    sameAs: ['SetSecurityPolicy'],
    summary: 'Update whether users may act for others',
    request: SetSecuritySettingsRequestV2,
    example: { enableImpersonation: false },
    returns: SetSecuritySettingsResponseV2,
  })
  async setSecurity(
    @Asking() caller: Caller,
    @Message() request: SetSecuritySettingsRequestV2,
  ): Promise<SetSecuritySettingsResponseV2> {
    const violations = [...this.iframeViolations(request), ...this.registrationViolations(request)];
    if (violations.length > 0) throw invalidFields(violations);
    const instance = await this.instances.setImpersonation(request.enableImpersonation, caller.userId);
    return { details: toDetailsV2(instance, instance.id) };
  }

  private get registration(): DynamicClientRegistrationSettingsV2 {
    const { registration } = this.selfDescribed;
    return { enabled: registration !== 'off', allowUnauthenticated: registration === 'open' };
  }

  private iframeViolations({ embeddedIframe }: SetSecuritySettingsRequestV2): FieldViolation[] {
    return embeddedIframe?.enabled === true
      ? [{ field: 'embeddedIframe.enabled', description: 'must be false: pages are never shown in frames' }]
      : [];
  }

  private registrationViolations({
    dynamicClientRegistration: wanted,
  }: SetSecuritySettingsRequestV2): FieldViolation[] {
    const { enabled, allowUnauthenticated } = this.registration;
    if (!wanted || (wanted.enabled === enabled && wanted.allowUnauthenticated === allowUnauthenticated)) return [];
    const description = 'is a setting of the process here: REGISTRATION decides';
    return [{ field: 'dynamicClientRegistration', description }];
  }

  private async read<Kind extends PolicyKind>(
    kind: Kind,
    caller: Caller,
    request: SettingsRequestV2,
  ): Promise<FoundPolicy<Kind>> {
    return this.policies.read(kind, await this.ownerOf(caller, request));
  }

  /** Defaults of the instance are known to whoever may read the policies of an organization. */
  private async ownerOf(caller: Caller, { ctx }: SettingsRequestV2): Promise<string> {
    if (ctx?.instance === true) return (await this.instances.get()).id;
    return (await this.reach.org(caller, 'policy.read', ctx?.orgId ?? caller.ownOrgId)).orgId;
  }
}

function detailsOf(found: FoundPolicy<PolicyKind>): DetailsV2 {
  return toDetailsV2(found.policy, found.policy.ownerId);
}
