import { Secret } from '../../foundation/config/secret.js';
import { definedValues } from '../../foundation/database/changed-values.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { Newcomer, RecoveryCode } from '../../management/user/newcomers.js';
import type { PasskeyLink } from '../../management/user/passkey-links.js';
import type { Profile, ProfileMember } from '../../user/profile.js';
import type { Address } from '../../user/user.entity.js';
import type {
  AddHumanUserRequest,
  HumanEmailInput,
  HumanPhoneInput,
  ImportedRecoveryCode,
  ImportHumanUserRequest,
  PasswordlessRegistration,
} from './people.dto.js';
import type { HumanProfileInput, UpdateHumanProfileRequest, UserAddress } from './profile.dto.js';

export function toNewcomer({ userName, profile, email, phone, initialPassword }: AddHumanUserRequest): Newcomer {
  return {
    ...toPerson(userName, profile, email, phone),
    ...(initialPassword === '' ? {} : { password: { secret: new Secret(initialPassword), field: 'initialPassword' } }),
  };
}

export function toImported(request: ImportHumanUserRequest): Newcomer {
  const {
    userName,
    profile,
    email,
    phone,
    password,
    hashedPassword,
    passwordChangeRequired,
    otpCode,
    idps,
    recoveryCodes,
  } = request;
  return {
    ...toPerson(userName, profile, email, phone),
    passwordChangeRequired,
    isPasswordless: request.requestPasswordlessRegistration,
    ...(password === '' ? {} : { password: { secret: new Secret(password), field: 'password' } }),
    ...(hashedPassword ? { hashedPassword: hashedPassword.value } : {}),
    ...(otpCode === '' ? {} : { totpSeed: new Secret(otpCode) }),
    providers: idps.map(({ configId, externalUserId, displayName }) => ({
      idpId: configId,
      externalUserId,
      displayName,
    })),
    recoveryCodes: recoveryCodes.map(toRecoveryCode),
  };
}

export function toProfileChange({ userId: _, ...profile }: UpdateHumanProfileRequest): Partial<Profile> {
  return toSentProfile(profile);
}

function toPerson(
  userName: string,
  profile: HumanProfileInput,
  email: HumanEmailInput,
  phone: HumanPhoneInput | undefined,
): Newcomer {
  return {
    userName,
    profile: toSentProfile(profile),
    email: email.email,
    emailVerified: email.isEmailVerified,
    ...(phone ? { phone: phone.phone, phoneVerified: phone.isPhoneVerified } : {}),
  };
}

/** A request that lacks a member of the profile does not compile. */
type SentProfile = Pick<HumanProfileInput, ProfileMember> | Pick<UpdateHumanProfileRequest, ProfileMember>;

/** Members that were not sent are fields of the class without a value. */
function toSentProfile({ address, ...same }: SentProfile): Newcomer['profile'] {
  return { ...definedValues(same), ...(address ? { address: toAddress(address) } : {}) };
}

/** The address, whose empty members are absent ones. */
function toAddress(address: UserAddress): Address {
  return Object.fromEntries(Object.entries(address).filter(([, text]) => text !== ''));
}

function toRecoveryCode({ raw, hash }: ImportedRecoveryCode, index: number): RecoveryCode {
  if (raw !== undefined && hash === undefined) return { raw: new Secret(raw) };
  if (hash !== undefined && raw === undefined) return { hash };
  throw invalidFields([{ field: `recoveryCodes[${index}]`, description: 'must contain either raw or hash' }]);
}

export function toPasswordlessRegistration({ link, lifetimeSeconds }: PasskeyLink): PasswordlessRegistration {
  return { link, lifetime: lifetimeSeconds, expiration: lifetimeSeconds };
}
