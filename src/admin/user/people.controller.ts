import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { idpLinkingNotAllowed, idpLinkTaken, idpNotFound } from '../../idp/idp.errors.js';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { Newcomers } from '../../management/user/newcomers.js';
import { AddressOwners } from '../../user/address-owners.js';
import { passkeysNotAllowed, passkeysUnavailable } from '../../user/factor/factor.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { checkPerson, PersonService } from '../../user/person.service.js';
import {
  emailNotVerified,
  emailVerifiedAlready,
  notPerson,
  phoneMissing,
  smsUnavailable,
  userDomainElsewhere,
  userInitial,
  userNameTaken,
  userNotFound,
  userNotInitial,
} from '../../user/user.errors.js';
import { UserDirectory, type UserEntry } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { exampleOf } from '../kit/wire/declared-field.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import {
  AddHumanUserRequest,
  AddHumanUserResponse,
  HumanEmailResponse,
  HumanPhoneResponse,
  ImportedPasswordHash,
  ImportHumanUserRequest,
  ImportHumanUserResponse,
  SetHumanInitialPasswordRequest,
  SetHumanPasswordRequest,
  UpdateHumanEmailRequest,
  UpdateHumanEmailResponse,
  UpdateHumanPhoneRequest,
} from './people.dto.js';
import { toImported, toNewcomer, toPasswordlessRegistration, toProfileChange } from './people.mapping.js';
import {
  ResendHumanInitializationRequest,
  SendHumanResetPasswordNotificationRequest,
} from './people-notification.dto.js';
import { HumanProfileResponse, UpdateHumanProfileRequest } from './profile.dto.js';
import { UserByUserId } from './user.dto.js';
import { toProfile } from './user.mapping.js';

const CHANGE_REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson()];

/** A user other than the one that the example of `AddHumanUser` creates. */
const IMPORTED = {
  userName: 'jonas.weber',
  profile: { firstName: 'Jonas', lastName: 'Weber', preferredLanguage: 'de' },
  email: { email: 'jonas@birkenhof.example' },
  otpCode: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  recoveryCodes: [{ raw: '4K7QX-9M3RT' }],
  hashedPassword: exampleOf(ImportedPasswordHash),
};

@Tagged('Human users')
@Controller('management/v1/users')
@OfOrg()
export class PeopleController {
  constructor(
    private readonly newcomers: Newcomers,
    private readonly persons: PersonService,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
    private readonly addresses: AddressOwners,
  ) {}

  @Post('human')
  @Requires('user.write')
  @Operation({
    id: 'AddHumanUser',
    summary: 'Create a human user',
    request: AddHumanUserRequest,
    returns: AddHumanUserResponse,
    refuses: [userNameTaken(), userDomainElsewhere()],
    description:
      'With a verified e-mail address and a password, the user can sign in immediately. Otherwise, a code to set up the account is sent by e-mail.',
  })
  async add(@Asking() actor: Actor, @Message() request: AddHumanUserRequest): Promise<AddHumanUserResponse> {
    const { id, details } = await this.newcomers.add(actor, toNewcomer(request));
    return { userId: id, details: toDetails(details, actor.orgId), ...(await this.warn(request.email.email, id)) };
  }

  @Post('human/_import')
  @Requires('user.write')
  @Operation({
    id: 'ImportHumanUser',
    summary: 'Import a human user from another service',
    request: ImportHumanUserRequest,
    exampleWith: IMPORTED,
    returns: ImportHumanUserResponse,
    description:
      'Accepts the hash of the password, the seed of one-time codes, recovery codes and links to identity providers.',
    refuses: [
      userNameTaken(),
      userDomainElsewhere(),
      idpNotFound(),
      idpLinkingNotAllowed(),
      idpLinkTaken(),
      passkeysUnavailable(),
      passkeysNotAllowed(),
    ],
  })
  async import(@Asking() actor: Actor, @Message() request: ImportHumanUserRequest): Promise<ImportHumanUserResponse> {
    const { id, details, passkeyLink } = await this.newcomers.add(actor, toImported(request));
    return {
      userId: id,
      details: toDetails(details, actor.orgId),
      ...(passkeyLink === undefined ? {} : { passwordlessRegistration: toPasswordlessRegistration(passkeyLink) }),
      ...(await this.warn(request.email.email, id)),
    };
  }

  @Get(':userId/profile')
  @Requires('user.read')
  @Operation({
    id: 'GetHumanProfile',
    summary: 'Get the profile of a human user',
    request: UserByUserId,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: HumanProfileResponse,
    refuses: [userNotFound(), notPerson()],
  })
  async getProfile(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<HumanProfileResponse> {
    const entry = await this.person(actor, userId);
    return { details: toDetails(entry, entry.orgId), profile: toProfile(entry) };
  }

  @Put(':userId/profile')
  @Requires('user.write')
  @Operation({
    id: 'UpdateHumanProfile',
    summary: 'Update the profile of a human user',
    request: UpdateHumanProfileRequest,
    returns: DetailsResponse,
    refuses: CHANGE_REFUSALS,
  })
  async changeProfile(@Asking() actor: Actor, @Message() request: UpdateHumanProfileRequest): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, request.userId, (tx, user) =>
      this.persons.changeProfile(tx, user, toProfileChange(request), actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Get(':userId/email')
  @Requires('user.read')
  @Operation({
    id: 'GetHumanEmail',
    summary: 'Get the e-mail address of a human user',
    request: UserByUserId,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: HumanEmailResponse,
    refuses: [userNotFound(), notPerson()],
  })
  async getEmail(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<HumanEmailResponse> {
    const entry = await this.person(actor, userId);
    return {
      details: toDetails(entry, entry.orgId),
      email: { email: entry.email, isEmailVerified: entry.emailVerified },
    };
  }

  @Put(':userId/email')
  @Requires('user.write')
  @Operation({
    id: 'UpdateHumanEmail',
    summary: 'Update or verify the e-mail address of a human user',
    request: UpdateHumanEmailRequest,
    exampleWith: { email: 'ilse.brandt@birkenhof.example', isEmailVerified: false },
    returns: UpdateHumanEmailResponse,
    description: 'Codes that were sent to the previous address become invalid.',
    refuses: CHANGE_REFUSALS,
  })
  async changeEmail(
    @Asking() actor: Actor,
    @Message() { userId, email, isEmailVerified }: UpdateHumanEmailRequest,
  ): Promise<UpdateHumanEmailResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.changeEmail(tx, user, email, isEmailVerified, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId), ...(await this.warn(email, userId)) };
  }

  @Post(':userId/_resend_initialization')
  @Requires('user.write')
  @Operation({
    id: 'ResendHumanInitialization',
    summary: 'Resend the code to set up an account',
    request: ResendHumanInitializationRequest,
    exampleWith: { userId: EXAMPLE.importedPerson },
    returns: DetailsResponse,
    description: 'The previous code becomes invalid.',
    refuses: [...CHANGE_REFUSALS, userNotInitial()],
  })
  async resendInitialization(
    @Asking() actor: Actor,
    @Message() { userId, email }: ResendHumanInitializationRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.resendInitialization(tx, user, email, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':userId/email/_resend_verification')
  @Requires('user.write')
  @Operation({
    id: 'ResendHumanEmailVerification',
    summary: 'Resend the code to verify an e-mail address',
    request: UserByUserId,
    returns: DetailsResponse,
    refuses: [...CHANGE_REFUSALS, userInitial(), emailVerifiedAlready()],
  })
  async resendEmailVerification(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.resendEmailVerification(tx, user, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Get(':userId/phone')
  @Requires('user.read')
  @Operation({
    id: 'GetHumanPhone',
    summary: 'Get the phone number of a human user',
    request: UserByUserId,
    returns: HumanPhoneResponse,
    refuses: [userNotFound(), phoneMissing(), notPerson()],
  })
  async getPhone(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<HumanPhoneResponse> {
    const entry = await this.person(actor, userId);
    if (entry.phone === '') throw phoneMissing();
    return {
      details: toDetails(entry, entry.orgId),
      phone: { phone: entry.phone, isPhoneVerified: entry.phoneVerified },
    };
  }

  @Put(':userId/phone')
  @Requires('user.write')
  @Operation({
    id: 'UpdateHumanPhone',
    summary: 'Update or verify the phone number of a human user',
    request: UpdateHumanPhoneRequest,
    returns: DetailsResponse,
    refuses: CHANGE_REFUSALS,
  })
  async changePhone(
    @Asking() actor: Actor,
    @Message() { userId, phone, isPhoneVerified }: UpdateHumanPhoneRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.changePhone(tx, user, phone, isPhoneVerified, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Delete(':userId/phone')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanPhone',
    summary: 'Remove the phone number of a human user',
    request: UserByUserId,
    returns: DetailsResponse,
    refuses: [...CHANGE_REFUSALS, phoneMissing()],
  })
  async removePhone(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.removePhone(tx, user, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':userId/password/_initialize')
  @Requires('user.write')
  @Operation({
    id: 'SetHumanInitialPassword',
    summary: 'Set the initial password of a human user',
    request: SetHumanInitialPasswordRequest,
    returns: DetailsResponse,
    description:
      'Ends all sessions and tokens of the user. SetHumanPassword also controls whether the password must be changed.',
    deprecated: new Date('2026-11-21'),
    supersededBy: 'SetHumanPassword',
    refuses: CHANGE_REFUSALS,
  })
  async setInitialPassword(
    @Asking() actor: Actor,
    @Message() { userId, password }: SetHumanInitialPasswordRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.setPassword(actor, userId, new Secret(password), { changeRequired: true });
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':userId/password/_reset')
  @Requires('user.write')
  @Operation({
    id: 'SendHumanResetPasswordNotification',
    summary: 'Send a password reset code',
    request: SendHumanResetPasswordNotificationRequest,
    returns: DetailsResponse,
    description: 'The current password remains valid until a new one is set.',
    refuses: [...CHANGE_REFUSALS, userInitial(), emailNotVerified(), smsUnavailable()],
  })
  async sendPasswordReset(
    @Asking() actor: Actor,
    @Message() { userId, type }: SendHumanResetPasswordNotificationRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.requestPasswordReset(tx, user, type, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':userId/password')
  @Requires('user.write')
  @Operation({
    id: 'SetHumanPassword',
    summary: 'Set the password of a human user',
    request: SetHumanPasswordRequest,
    returns: DetailsResponse,
    description: 'Ends all sessions and tokens of the user.',
    refuses: CHANGE_REFUSALS,
  })
  async setPassword(
    @Asking() actor: Actor,
    @Message() { userId, password, noChangeRequired }: SetHumanPasswordRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.setPassword(actor, userId, new Secret(password), {
      changeRequired: !noChangeRequired,
    });
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  /** A manager may say that an address is the user's; who has proved it keeps it all the same (LOG-065). */
  private async warn(email: string, userId: string): Promise<{ readonly isEmailProvedByAnother: boolean }> {
    return { isEmailProvedByAnother: await this.addresses.isProvedByAnother(email, userId) };
  }

  private async person(actor: Actor, userId: string): Promise<UserEntry> {
    const entry = await this.directory.get(actor.orgId, userId);
    checkPerson(entry);
    return entry;
  }
}
