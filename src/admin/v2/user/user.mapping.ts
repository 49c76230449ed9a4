import { Secret } from '../../../foundation/config/secret.js';
import { definedValues } from '../../../foundation/database/changed-values.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { Newcomer } from '../../../management/user/newcomers.js';
import type { PasswordChange, PersonChange, UserChange } from '../../../management/user/user-changes.js';
import type { Profile } from '../../../user/profile.js';
import type { NewServiceUser } from '../../../user/service-user.service.js';
import { smsUnavailable } from '../../../user/user.errors.js';
import type { UserEntry } from '../../../user/user-directory.js';
import { toDetailsV2 } from '../kit/object.dto.js';
import type { CreateHumanV2, CreateMachineV2, CreateUserRequestV2 } from './create-user.dto.js';
import type { AddHumanUserRequestV2, SetHumanEmailV2, SetHumanPhoneV2, SetHumanProfileV2 } from './human.dto.js';
import type {
  SetPasswordV2,
  UpdateHumanUserRequestV2,
  UpdateHumanV2,
  UpdateProfileV2,
  UpdateUserRequestV2,
} from './update-user.dto.js';
import type { HumanUserV2, UserV2 } from './user.dto.js';

export function toUserV2(entry: UserEntry): UserV2 {
  const { id: userId, state, userName: username, loginNames, preferredLoginName } = entry;
  const { serviceName, description, hasSecret, accessTokenType } = entry;
  const same = { userId, state, username, loginNames, preferredLoginName };
  const type =
    entry.kind === 'human'
      ? { human: { ...same, ...toHuman(entry) } }
      : { machine: { name: serviceName, description, hasSecret, accessTokenType } };
  return { ...same, ...type, details: toDetailsV2(entry, entry.orgId) };
}

function toHuman(
  entry: UserEntry,
): Omit<HumanUserV2, 'userId' | 'state' | 'username' | 'loginNames' | 'preferredLoginName'> {
  const { firstName, lastName, nickName, displayName, preferredLanguage, gender, pictureUrl } = entry;
  const { email, emailVerified, phone, phoneVerified, passwordChangedAt, factorSkippedAt } = entry;
  return {
    profile: {
      givenName: firstName,
      familyName: lastName,
      nickName,
      displayName,
      preferredLanguage,
      gender,
      avatarUrl: pictureUrl,
    },
    email: { email, isVerified: emailVerified },
    phone: phone === '' ? undefined : { phone, isVerified: phoneVerified },
    passwordChangeRequired: entry.passwordChangeRequired,
    passwordChanged: passwordChangedAt ?? undefined,
    mfaInitSkipped: factorSkippedAt ?? undefined,
  };
}

/** Whether a request brings what signs the new user in. */
export function hasCredentials(human: CreateHumanV2 | AddHumanUserRequestV2): boolean {
  const { password, hashedPassword, idpLinks, totpSecret = '' } = human;
  return password !== undefined || hashedPassword !== undefined || idpLinks.length > 0 || totpSecret !== '';
}

/** @param at the path of the fields in the request, with a trailing dot */
export function toNewcomer(
  human: Omit<CreateHumanV2, 'metadata'>,
  {
    userId,
    username,
    metadata,
  }: Pick<AddHumanUserRequestV2, 'userId' | 'username'> & { readonly metadata: Newcomer['metadata'] },
  at: string,
): Newcomer {
  const { password, hashedPassword, totpSecret = '', idpLinks } = human;
  const email = toEmail(human.email, `${at}email`);
  const phone = human.phone && toPhone(human.phone, `${at}phone`);
  return {
    ...(userId === undefined || userId === '' ? {} : { id: userId }),
    userName: username ?? email.address,
    profile: toProfile(human.profile),
    email: email.address,
    emailVerified: email.isVerified,
    ...(phone && phone.number !== '' ? { phone: phone.number, phoneVerified: phone.isVerified } : {}),
    ...(password ? { password: { secret: new Secret(password.password), field: `${at}password.password` } } : {}),
    ...(hashedPassword ? { hashedPassword: hashedPassword.hash } : {}),
    passwordChangeRequired: (password ?? hashedPassword)?.changeRequired ?? false,
    ...(totpSecret === '' ? {} : { totpSeed: new Secret(totpSecret) }),
    providers: idpLinks.map(({ idpId, userId: externalUserId, userName }) => ({
      idpId,
      externalUserId,
      displayName: userName,
    })),
    ...(metadata ? { metadata } : {}),
  };
}

export function toNewServiceUser(
  { name, description, accessTokenType }: CreateMachineV2,
  { userId, username, metadata }: CreateUserRequestV2,
): Omit<NewServiceUser, 'orgId'> & Pick<Newcomer, 'metadata'> {
  return {
    name,
    accessTokenType,
    metadata,
    ...(description === undefined ? {} : { description }),
    ...(userId === undefined ? {} : { id: userId }),
    ...(username === undefined ? {} : { userName: username }),
  };
}

export function toUserChange({ username, human, machine, metadata }: UpdateUserRequestV2): UserChange {
  return {
    ...(username === undefined ? {} : { userName: username }),
    ...(human ? { person: toPersonChange(human, 'human.') } : {}),
    ...(machine ? { service: definedValues(machine) } : {}),
    metadata,
  };
}

export function toHumanChange(request: UpdateHumanUserRequestV2): UserChange {
  const { username } = request;
  return {
    ...(username === undefined ? {} : { userName: username }),
    person: toPersonChange(request, ''),
  };
}

function toPersonChange(
  {
    profile,
    email,
    phone,
    password,
  }: Pick<UpdateHumanV2, 'email' | 'phone' | 'password'> & { readonly profile?: UpdateProfileV2 | SetHumanProfileV2 },
  at: string,
): PersonChange {
  return {
    ...(profile ? { profile: toSentProfile(profile) } : {}),
    ...(email ? { email: toEmail(email, `${at}email`) } : {}),
    ...(phone ? { phone: toPhone(phone, `${at}phone`) } : {}),
    ...(password ? { password: toPasswordChange(password, `${at}password`) } : {}),
  };
}

function toProfile(sent: SetHumanProfileV2): Newcomer['profile'] {
  return { ...toSentProfile(sent), firstName: sent.givenName, lastName: sent.familyName };
}

function toSentProfile({ givenName, familyName, ...same }: UpdateProfileV2 | SetHumanProfileV2): Partial<Profile> {
  return definedValues({ ...same, firstName: givenName, lastName: familyName }) as Partial<Profile>;
}

function toEmail(
  { email, sendCode, returnCode, isVerified = false }: SetHumanEmailV2,
  at: string,
): {
  readonly address: string;
  readonly isVerified: boolean;
} {
  if (returnCode) throw codeNotReturned(`${at}.returnCode`);
  if ((sendCode?.urlTemplate ?? '') !== '') throw templateRefused(`${at}.sendCode.urlTemplate`);
  return { address: email, isVerified };
}

export function codeNotReturned(field: string): Error {
  return invalidFields([{ field, description: 'is not supported: a code reaches the owner of the address alone' }]);
}

export function templateRefused(field: string): Error {
  return invalidFields([
    { field, description: 'is not supported: links in e-mails lead to the pages of this service' },
  ]);
}

/** Without a word about its verification, a number is stored unverified, as in the first generation. */
function toPhone(
  { phone, sendCode, returnCode, isVerified = false }: SetHumanPhoneV2,
  at: string,
): {
  readonly number: string;
  readonly isVerified: boolean;
} {
  if (sendCode) throw smsUnavailable();
  if (returnCode)
    throw invalidFields([
      { field: `${at}.returnCode`, description: 'is not supported: phone numbers are not verified by codes' },
    ]);
  return { number: phone, isVerified };
}

function toPasswordChange(request: SetPasswordV2, at: string): PasswordChange {
  const { password, hashedPassword, currentPassword, verificationCode } = request;
  const proof = currentPassword === undefined ? 'verificationCode' : 'currentPassword';
  if (currentPassword !== undefined || verificationCode !== undefined)
    throw invalidFields([
      { field: `${at}.${proof}`, description: 'is not supported: this operation sets passwords by a permission' },
    ]);
  if (password)
    return {
      secret: new Secret(password.password),
      changeRequired: password.changeRequired,
      field: `${at}.password.password`,
    };
  if (hashedPassword)
    return {
      hash: hashedPassword.hash,
      changeRequired: hashedPassword.changeRequired,
      field: `${at}.hashedPassword.hash`,
    };
  throw invalidFields([{ field: at, description: 'must contain either password or hashedPassword' }]);
}
