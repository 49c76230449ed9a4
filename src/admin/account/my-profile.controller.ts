import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { lastMark } from '../../foundation/event/journal.js';
import { signInTooOld } from '../../management/user/my-account.errors.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PendingEmails } from '../../user/pending-emails.js';
import type { Actor } from '../../user/permission/actor.js';
import { PersonService } from '../../user/person.service.js';
import { phoneMissing, selfServiceClosed } from '../../user/user.errors.js';
import { UserMails } from '../../user/user-mails.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { HumanEmailResponse, HumanPhoneResponse } from '../user/people.dto.js';
import { HumanProfileResponse } from '../user/profile.dto.js';
import { toProfile } from '../user/user.mapping.js';
import {
  SetMyEmailRequest,
  SetMyPhoneRequest,
  UpdateMyProfileRequest,
  VerifyMyEmailRequest,
} from './my-account.dto.js';
import { MyEmail } from './my-email.js';
import { OWN_REFUSALS } from './my-refusals.js';

const CHANGE = [...OWN_REFUSALS, selfServiceClosed('editProfile')];
const PROVED = [...OWN_REFUSALS, selfServiceClosed('changeEmail'), signInTooOld()];

/** The caller's own profile, e-mail address and phone number. */
@Tagged('My account')
@Controller('auth/v1/users/me')
export class MyProfileController {
  constructor(
    private readonly account: MyAccount,
    private readonly persons: PersonService,
    private readonly pending: PendingEmails,
    private readonly mails: UserMails,
    private readonly email: MyEmail,
  ) {}

  @Get('profile')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetMyProfile',
    summary: "Get the caller's profile",
    returns: HumanProfileResponse,
    refuses: OWN_REFUSALS,
  })
  async getProfile(@Asking() actor: Actor): Promise<HumanProfileResponse> {
    const entry = await this.account.read(actor);
    return { details: toDetails(entry, entry.orgId), profile: toProfile(entry) };
  }

  @Put('profile')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'UpdateMyProfile',
    summary: "Update the caller's profile",
    request: UpdateMyProfileRequest,
    returns: DetailsResponse,
    refuses: CHANGE,
  })
  async changeProfile(@Asking() actor: Actor, @Message() request: UpdateMyProfileRequest): Promise<DetailsResponse> {
    const mark = await this.account.change(actor, 'editProfile', (tx, user) =>
      this.persons.changeProfile(tx, user, request, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Get('email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetMyEmail',
    summary: "Get the caller's e-mail address",
    returns: HumanEmailResponse,
    refuses: OWN_REFUSALS,
  })
  async getEmail(@Asking() actor: Actor): Promise<HumanEmailResponse> {
    const entry = await this.account.read(actor);
    return {
      details: toDetails(entry, entry.orgId),
      email: { email: entry.email, isEmailVerified: entry.emailVerified },
    };
  }

  @Put('email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'SetMyEmail',
    summary: "Set the caller's e-mail address",
    description:
      'Sends a code to the new address. It replaces the old one once the code is sent to VerifyMyEmail; the old address is notified.',
    request: SetMyEmailRequest,
    returns: DetailsResponse,
    refuses: PROVED,
  })
  async changeEmail(@Asking() actor: Actor, @Message() { email }: SetMyEmailRequest): Promise<DetailsResponse> {
    const mark = await this.account.changeProved(actor, 'changeEmail', async (tx, user) => {
      this.persons.checkEmail(email);
      await this.pending.begin(tx, user, email);
      return lastMark(user);
    });
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Post('email/_verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyMyEmail',
    summary: "Verify the caller's new e-mail address by its code",
    request: VerifyMyEmailRequest,
    returns: DetailsResponse,
    refuses: PROVED,
  })
  async verifyEmail(@Asking() actor: Actor, @Message() { code }: VerifyMyEmailRequest): Promise<DetailsResponse> {
    const mark = await this.email.verify(actor, code);
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Post('email/_resend_verification')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ResendMyEmailVerification',
    summary: "Send the code of the caller's unverified e-mail address again",
    description: 'A new address that waits for its code is named once more to SetMyEmail instead.',
    returns: DetailsResponse,
    refuses: OWN_REFUSALS,
  })
  async resendEmail(@Asking() actor: Actor): Promise<DetailsResponse> {
    const mark = await this.account.change(actor, 'changeEmail', (tx, user) =>
      this.persons.resendEmailVerification(tx, user, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Get('phone')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetMyPhone',
    summary: "Get the caller's phone number",
    returns: HumanPhoneResponse,
    refuses: [...OWN_REFUSALS, phoneMissing()],
  })
  async getPhone(@Asking() actor: Actor): Promise<HumanPhoneResponse> {
    const entry = await this.account.read(actor);
    if (entry.phone === '') throw phoneMissing();
    return {
      details: toDetails(entry, entry.orgId),
      phone: { phone: entry.phone, isPhoneVerified: entry.phoneVerified },
    };
  }

  @Put('phone')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'SetMyPhone',
    summary: "Set the caller's phone number",
    request: SetMyPhoneRequest,
    returns: DetailsResponse,
    refuses: PROVED,
  })
  async changePhone(@Asking() actor: Actor, @Message() { phone }: SetMyPhoneRequest): Promise<DetailsResponse> {
    const mark = await this.account.changeProved(actor, 'changePhone', async (tx, user) => {
      const changed = await this.persons.changePhone(tx, user, phone, false, actor.userId);
      if (changed.sequence !== user.sequence) await this.mails.tellAccountChanged(tx, user, 'phoneChanged');
      return changed;
    });
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Delete('phone')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyPhone',
    summary: "Remove the caller's phone number",
    returns: DetailsResponse,
    refuses: [...PROVED, phoneMissing()],
  })
  async removePhone(@Asking() actor: Actor): Promise<DetailsResponse> {
    const mark = await this.account.changeProved(actor, 'changePhone', async (tx, user) => {
      const changed = await this.persons.removePhone(tx, user, actor.userId);
      await this.mails.tellAccountChanged(tx, user, 'phoneChanged');
      return changed;
    });
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }
}
