import type { ListedIdp } from '../../idp/login-policy-idps.js';
import type { ImageSlot, LabelSettings } from '../../org/policy/label.service.js';
import type { MultiFactor, SecondFactor } from '../../org/policy/login-policy.entity.js';
import type { FoundPolicy } from '../../org/policy/policy.service.js';
import type { Policies, PolicyKind, Settings } from '../../org/policy/policy-kind.js';
import { toPolicyLinks } from '../idp/login-policy-idp.dto.js';
import { type ObjectDetails, toDetails } from '../kit/wire/details.dto.js';
import type { DomainPolicyResponse, OrgIamPolicyResponse } from './domain-policy.dto.js';
import { imageUrl } from './image-url.js';
import type { LabelPolicyRequest, LabelPolicyResponse } from './label-policy.dto.js';
import type { AddCustomLoginPolicyRequest, LoginPolicyResponse, UpdateLoginPolicyRequest } from './login-policy.dto.js';
import type {
  InstancePasswordComplexityPolicyRequest,
  LockoutPolicyRequest,
  LockoutPolicyResponse,
  NotificationPolicyRequest,
  NotificationPolicyResponse,
  PasswordAgePolicyRequest,
  PasswordAgePolicyResponse,
  PasswordComplexityPolicyRequest,
  PasswordComplexityPolicyResponse,
  PrivacyPolicyRequest,
  PrivacyPolicyResponse,
  SelfServicePolicyRequest,
  SelfServicePolicyResponse,
} from './policy.dto.js';

type Answer<Kind extends PolicyKind> = Omit<Policies[Kind], 'ownerId'> & {
  readonly details: ObjectDetails;
  readonly isDefault: boolean;
};

/** A policy with its history; what the response's class does not name is not written. */
function toAnswer<Kind extends PolicyKind>({ policy, isDefault }: FoundPolicy<Kind>): Answer<Kind> {
  return { ...policy, details: toDetails(policy, policy.ownerId), isDefault };
}

export function toLoginSettings(
  request: AddCustomLoginPolicyRequest | UpdateLoginPolicyRequest,
): Partial<Settings<'login'>> {
  return {
    allowUsernamePassword: request.allowUsernamePassword,
    allowRegister: request.allowRegister,
    allowExternalIdp: request.allowExternalIdp,
    forceMfa: request.forceMfa,
    forceMfaLocalOnly: request.forceMfaLocalOnly,
    passwordlessType: request.passwordlessType,
    hidePasswordReset: request.hidePasswordReset,
    ignoreUnknownUsernames: request.ignoreUnknownUsernames,
    allowDomainDiscovery: request.allowDomainDiscovery,
    disableLoginWithEmail: request.disableLoginWithEmail,
    disableLoginWithPhone: request.disableLoginWithPhone,
    defaultRedirectUri: request.defaultRedirectUri,
    ...lifetimes({
      passwordCheckLifetimeSeconds: request.passwordCheckLifetime,
      externalLoginCheckLifetimeSeconds: request.externalLoginCheckLifetime,
      mfaInitSkipLifetimeSeconds: request.mfaInitSkipLifetime,
      secondFactorCheckLifetimeSeconds: request.secondFactorCheckLifetime,
      multiFactorCheckLifetimeSeconds: request.multiFactorCheckLifetime,
    }),
  };
}

export function toNewLoginSettings(request: AddCustomLoginPolicyRequest): Partial<Settings<'login'>> {
  return {
    ...toLoginSettings(request),
    secondFactors: request.secondFactors.filter((factor): factor is SecondFactor => factor !== 'unspecified'),
    multiFactors: request.multiFactors.filter((factor): factor is MultiFactor => factor !== 'unspecified'),
  };
}

/** The lifetimes that were sent. */
function lifetimes<T extends Record<string, number | undefined>>(sent: T): { [Name in keyof T]?: number } {
  return Object.fromEntries(Object.entries(sent).filter(([, seconds]) => seconds !== undefined)) as {
    [Name in keyof T]?: number;
  };
}

export function toLoginPolicy(found: FoundPolicy<'login'>, idps: readonly ListedIdp[]): LoginPolicyResponse {
  const { policy, isDefault } = found;
  return {
    policy: {
      ...toAnswer(found),
      idps: toPolicyLinks(idps),
      passwordCheckLifetime: policy.passwordCheckLifetimeSeconds,
      externalLoginCheckLifetime: policy.externalLoginCheckLifetimeSeconds,
      mfaInitSkipLifetime: policy.mfaInitSkipLifetimeSeconds,
      secondFactorCheckLifetime: policy.secondFactorCheckLifetimeSeconds,
      multiFactorCheckLifetime: policy.multiFactorCheckLifetimeSeconds,
    },
    isDefault,
  };
}

export function toLockoutSettings({ maxPasswordAttempts, maxOtpAttempts }: LockoutPolicyRequest): Settings<'lockout'> {
  return { maxPasswordAttempts, maxOtpAttempts };
}

export function toLockoutPolicy(found: FoundPolicy<'lockout'>): LockoutPolicyResponse {
  const { maxPasswordAttempts, maxOtpAttempts } = found.policy;
  const figures = { maxPasswordAttempts: BigInt(maxPasswordAttempts), maxOtpAttempts: BigInt(maxOtpAttempts) };
  return { policy: { ...toAnswer(found), ...figures }, isDefault: found.isDefault };
}

export function toComplexitySettings(
  request: PasswordComplexityPolicyRequest | InstancePasswordComplexityPolicyRequest,
): Settings<'passwordComplexity'> {
  const { minLength, hasUppercase, hasLowercase, hasNumber, hasSymbol, minLengthWithoutSecondFactor } = request;
  return {
    minLength: Number(minLength),
    minLengthWithoutSecondFactor: minLengthWithoutSecondFactor ?? 0,
    hasUppercase,
    hasLowercase,
    hasNumber,
    hasSymbol,
  };
}

export function toComplexityPolicy(found: FoundPolicy<'passwordComplexity'>): PasswordComplexityPolicyResponse {
  const { minLength, minLengthWithoutSecondFactor } = found.policy;
  return {
    policy: {
      ...toAnswer(found),
      minLength: BigInt(minLength),
      minLengthWithoutSecondFactor: Math.max(minLength, minLengthWithoutSecondFactor),
    },
    isDefault: found.isDefault,
  };
}

export function toAgeSettings({ maxAgeDays, expireWarnDays }: PasswordAgePolicyRequest): Settings<'passwordAge'> {
  return { maxAgeDays, expireWarnDays };
}

export function toAgePolicy(found: FoundPolicy<'passwordAge'>): PasswordAgePolicyResponse {
  const { maxAgeDays, expireWarnDays } = found.policy;
  return {
    policy: { ...toAnswer(found), maxAgeDays: BigInt(maxAgeDays), expireWarnDays: BigInt(expireWarnDays) },
    isDefault: found.isDefault,
  };
}

export function toPrivacySettings(request: PrivacyPolicyRequest): Settings<'privacy'> {
  const { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText } = request;
  return { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText };
}

export function toPrivacyPolicy(found: FoundPolicy<'privacy'>): PrivacyPolicyResponse {
  return { policy: toAnswer(found), isDefault: found.isDefault };
}

export function toNotificationSettings({ passwordChange }: NotificationPolicyRequest): Settings<'notification'> {
  return { passwordChange };
}

export function toNotificationPolicy(found: FoundPolicy<'notification'>): NotificationPolicyResponse {
  return { policy: toAnswer(found), isDefault: found.isDefault };
}

export function toSelfServiceSettings(request: SelfServicePolicyRequest): Settings<'selfService'> {
  return {
    editProfile: request.editProfile,
    changeEmail: request.changeEmail,
    changePhone: request.changePhone,
    changePassword: request.changePassword,
    manageFactors: request.manageFactors,
    linkProviders: request.linkProviders,
    downloadData: request.downloadData,
    deleteAccount: request.deleteAccount,
    accountDeletionGraceDays: request.accountDeletionGraceDays,
  };
}

export function toSelfServicePolicy(found: FoundPolicy<'selfService'>): SelfServicePolicyResponse {
  return { policy: toAnswer(found) };
}

export function toDomainPolicy(found: FoundPolicy<'domain'>): DomainPolicyResponse {
  return { policy: toAnswer(found), isDefault: found.isDefault };
}

export function toOrgIamPolicy(found: FoundPolicy<'domain'>): OrgIamPolicyResponse {
  return { policy: toAnswer(found), isDefault: found.isDefault };
}

/** A theme that was not said is the browser's choice. */
export function toLabelSettings(request: LabelPolicyRequest): LabelSettings {
  return {
    primaryColor: request.primaryColor,
    warnColor: request.warnColor,
    backgroundColor: request.backgroundColor,
    fontColor: request.fontColor,
    primaryColorDark: request.primaryColorDark,
    warnColorDark: request.warnColorDark,
    backgroundColorDark: request.backgroundColorDark,
    fontColorDark: request.fontColorDark,
    hideLoginNameSuffix: request.hideLoginNameSuffix,
    disableWatermark: request.disableWatermark,
    themeMode: request.themeMode === 'unspecified' ? 'auto' : request.themeMode,
  };
}

export function toLabelPolicy(found: FoundPolicy<'label' | 'labelPreview'>, publicUrl: string): LabelPolicyResponse {
  const { policy, isDefault } = found;
  const urlOf = (slot: ImageSlot): string => imageUrl(policy, slot, publicUrl);
  const urls = {
    logoUrl: urlOf('logo'),
    logoUrlDark: urlOf('logoDark'),
    iconUrl: urlOf('icon'),
    iconUrlDark: urlOf('iconDark'),
    fontUrl: '',
  };
  return { policy: { ...toAnswer(found), ...urls }, isDefault };
}
