import type { WireEnum } from '../../foundation/http/wire-enum.js';
import type { LoginPolicy } from '../../org/policy/login-policy.entity.js';
import { MULTI_FACTOR_TYPE, PASSWORDLESS_TYPE, SECOND_FACTOR_TYPE } from '../../org/policy/policy.enums.js';
import type { FoundPolicy } from '../../org/policy/policy.service.js';
import type { Mend } from './link.js';
import type { Sight } from './sight.js';

/*
 * Operations that change a policy replace its settings, so that the whole of it is in their parameters.
 */

/**
 * The ways to change the login policy that applies to an organization: its own, or else that of the instance, for which
 * an organization may also add one of its own.
 */
export function loginPolicyMends(
  sight: Sight,
  { policy, isDefault }: FoundPolicy<'login'>,
  orgId: string,
  change: Partial<LoginPolicy>,
): Mend[] {
  // The parameters contain the policy.
  if (!sight.seesPolicies(orgId)) return [];
  const parameters = settings({ ...policy, ...change });
  const permission = 'policy.write';
  if (!isDefault)
    return [sight.mend({ operationId: 'UpdateCustomLoginPolicy', permission, parameters, reach: { orgId } })];
  return [
    sight.mend({ operationId: 'UpdateLoginPolicy', permission: 'iam.policy.write', parameters }),
    sight.mend({
      operationId: 'AddCustomLoginPolicy',
      permission,
      parameters: { ...parameters, ...factors({ ...policy, ...change }) },
      reach: { orgId },
    }),
  ];
}

/** The ways to let the users of an organization have an authenticator app. */
export function secondFactorMends(sight: Sight, { isDefault }: FoundPolicy<'login'>, orgId: string): Mend[] {
  if (!sight.seesPolicies(orgId)) return [];
  const parameters = { type: nameOf(SECOND_FACTOR_TYPE, 'otp') };
  return [
    isDefault
      ? sight.mend({ operationId: 'AddSecondFactorToLoginPolicy', permission: 'iam.policy.write', parameters })
      : sight.mend({
          operationId: 'AddSecondFactorToLoginPolicyOfOrg',
          permission: 'policy.write',
          parameters,
          reach: { orgId },
        }),
  ];
}

/** The ways to let people of an organization type their name without its domain. */
export function domainPolicyMends(sight: Sight, { policy, isDefault }: FoundPolicy<'domain'>, orgId: string): Mend[] {
  if (!sight.seesPolicies(orgId)) return [];
  const { validateOrgDomains, smtpSenderAddressMatchesInstanceDomain } = policy;
  const parameters = { userLoginMustBeDomain: false, validateOrgDomains, smtpSenderAddressMatchesInstanceDomain };
  const permission = 'iam.policy.write';
  const custom = { permission, parameters: { orgId, ...parameters } } as const;
  return isDefault
    ? [sight.mend({ operationId: 'AddCustomDomainPolicy', ...custom })]
    : [sight.mend({ operationId: 'UpdateCustomDomainPolicy', ...custom })];
}

function settings(policy: LoginPolicy): Record<string, unknown> {
  return {
    allowUsernamePassword: policy.allowUsernamePassword,
    allowRegister: policy.allowRegister,
    allowExternalIdp: policy.allowExternalIdp,
    forceMfa: policy.forceMfa,
    forceMfaLocalOnly: policy.forceMfaLocalOnly,
    passwordlessType: nameOf(PASSWORDLESS_TYPE, policy.passwordlessType),
    hidePasswordReset: policy.hidePasswordReset,
    ignoreUnknownUsernames: policy.ignoreUnknownUsernames,
    allowDomainDiscovery: policy.allowDomainDiscovery,
    disableLoginWithEmail: policy.disableLoginWithEmail,
    disableLoginWithPhone: policy.disableLoginWithPhone,
    defaultRedirectUri: policy.defaultRedirectUri,
    passwordCheckLifetime: `${policy.passwordCheckLifetimeSeconds}s`,
    externalLoginCheckLifetime: `${policy.externalLoginCheckLifetimeSeconds}s`,
    mfaInitSkipLifetime: `${policy.mfaInitSkipLifetimeSeconds}s`,
    secondFactorCheckLifetime: `${policy.secondFactorCheckLifetimeSeconds}s`,
    multiFactorCheckLifetime: `${policy.multiFactorCheckLifetimeSeconds}s`,
  };
}

function factors({ secondFactors, multiFactors }: LoginPolicy): Record<string, unknown> {
  return {
    secondFactors: secondFactors.map((factor) => nameOf(SECOND_FACTOR_TYPE, factor)),
    multiFactors: multiFactors.map((factor) => nameOf(MULTI_FACTOR_TYPE, factor)),
  };
}

function nameOf<Value extends string>({ members }: WireEnum<Value>, value: Value): string {
  return members.find((member) => member.value === value)?.name ?? '';
}
