import { wireTypeOf } from '../../../idp/idp.enums.js';
import type { OfferedIdp } from '../../../idp/offered-idps.js';
import type { FoundPolicy } from '../../../org/policy/policy.service.js';
import type { PolicyKind } from '../../../org/policy/policy-kind.js';
import { toOptions } from '../../idp/provider-options.dto.js';
import type { GetActiveIdentityProvidersRequestV2, IdentityProviderV2 } from './identity-provider.dto.js';
import type {
  BrandingSettingsV2,
  DomainSettingsV2,
  LegalAndSupportSettingsV2,
  LockoutSettingsV2,
  LoginSettingsV2,
  PasswordComplexitySettingsV2,
  PasswordExpirySettingsV2,
} from './settings.dto.js';

type Found<Kind extends PolicyKind> = FoundPolicy<Kind>;

function ownerType({ isDefault }: { readonly isDefault: boolean }): 'instance' | 'org' {
  return isDefault ? 'instance' : 'org';
}

export function toLoginSettings(found: Found<'login'>): LoginSettingsV2 {
  const { policy } = found;
  return {
    allowUsernamePassword: policy.allowUsernamePassword,
    allowRegister: policy.allowRegister,
    allowExternalIdp: policy.allowExternalIdp,
    forceMfa: policy.forceMfa,
    passkeysType: policy.passwordlessType,
    hidePasswordReset: policy.hidePasswordReset,
    ignoreUnknownUsernames: policy.ignoreUnknownUsernames,
    defaultRedirectUri: policy.defaultRedirectUri,
    passwordCheckLifetime: policy.passwordCheckLifetimeSeconds,
    externalLoginCheckLifetime: policy.externalLoginCheckLifetimeSeconds,
    mfaInitSkipLifetime: policy.mfaInitSkipLifetimeSeconds,
    secondFactorCheckLifetime: policy.secondFactorCheckLifetimeSeconds,
    multiFactorCheckLifetime: policy.multiFactorCheckLifetimeSeconds,
    secondFactors: policy.secondFactors,
    multiFactors: policy.multiFactors,
    allowDomainDiscovery: policy.allowDomainDiscovery,
    disableLoginWithEmail: policy.disableLoginWithEmail,
    disableLoginWithPhone: policy.disableLoginWithPhone,
    resourceOwnerType: ownerType(found),
    allowLocalAuthentication: policy.allowUsernamePassword,
    forceMfaLocalOnly: policy.forceMfaLocalOnly,
  };
}

export function toComplexitySettings(found: Found<'passwordComplexity'>): PasswordComplexitySettingsV2 {
  const { minLength, hasUppercase, hasLowercase, hasNumber, hasSymbol } = found.policy;
  return {
    minLength: BigInt(minLength),
    requiresUppercase: hasUppercase,
    requiresLowercase: hasLowercase,
    requiresNumber: hasNumber,
    requiresSymbol: hasSymbol,
    resourceOwnerType: ownerType(found),
  };
}

export function toExpirySettings(found: Found<'passwordAge'>): PasswordExpirySettingsV2 {
  const { maxAgeDays, expireWarnDays } = found.policy;
  return {
    maxAgeDays: BigInt(maxAgeDays),
    expireWarnDays: BigInt(expireWarnDays),
    resourceOwnerType: ownerType(found),
  };
}

export function toLockoutSettings(found: Found<'lockout'>): LockoutSettingsV2 {
  const { maxPasswordAttempts, maxOtpAttempts } = found.policy;
  return {
    maxPasswordAttempts: BigInt(maxPasswordAttempts),
    maxOtpAttempts: BigInt(maxOtpAttempts),
    resourceOwnerType: ownerType(found),
  };
}

export function toDomainSettings(found: Found<'domain'>): DomainSettingsV2 {
  const { userLoginMustBeDomain, validateOrgDomains, smtpSenderAddressMatchesInstanceDomain } = found.policy;
  return {
    loginNameIncludesDomain: userLoginMustBeDomain,
    requireOrgDomainVerification: validateOrgDomains,
    smtpSenderAddressMatchesInstanceDomain,
    resourceOwnerType: ownerType(found),
  };
}

export function toLegalSettings(found: Found<'privacy'>): LegalAndSupportSettingsV2 {
  const { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText } = found.policy;
  return {
    ...{ tosLink, privacyPolicyLink: privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText },
    resourceOwnerType: ownerType(found),
  };
}

/** @param urlOf the address of a picture; empty if there is none */
export function toBrandingSettings(
  found: Found<'label'>,
  urlOf: (slot: 'logo' | 'logoDark' | 'icon' | 'iconDark') => string,
): BrandingSettingsV2 {
  const { policy } = found;
  return {
    lightTheme: {
      primaryColor: policy.primaryColor,
      backgroundColor: policy.backgroundColor,
      warnColor: policy.warnColor,
      fontColor: policy.fontColor,
      logoUrl: urlOf('logo'),
      iconUrl: urlOf('icon'),
    },
    darkTheme: {
      primaryColor: policy.primaryColorDark,
      backgroundColor: policy.backgroundColorDark,
      warnColor: policy.warnColorDark,
      fontColor: policy.fontColorDark,
      logoUrl: urlOf('logoDark'),
      iconUrl: urlOf('iconDark'),
    },
    fontUrl: '',
    hideLoginNameSuffix: policy.hideLoginNameSuffix,
    disableWatermark: policy.disableWatermark,
    resourceOwnerType: ownerType(found),
    themeMode: policy.themeMode,
  };
}

/** The providers that have the options that the request names. */
export function toOfferedProviders(
  offered: readonly OfferedIdp[],
  { creationAllowed, linkingAllowed, autoCreation, autoLinking }: GetActiveIdentityProvidersRequestV2,
): IdentityProviderV2[] {
  const fits = (wanted: boolean | undefined, is: boolean): boolean => wanted === undefined || wanted === is;
  return offered
    .map((idp) => ({ id: idp.id, name: idp.name, type: wireTypeOf(idp.type), options: toOptions(idp) }))
    .filter(
      ({ options }) =>
        fits(creationAllowed, options.isCreationAllowed) &&
        fits(linkingAllowed, options.isLinkingAllowed) &&
        fits(autoCreation, options.isAutoCreation) &&
        fits(autoLinking, options.autoLinking !== 'unspecified'),
    );
}
