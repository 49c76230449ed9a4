import { Controller, Post } from '@nestjs/common';
import { Secret } from '../../../../foundation/config/secret.js';
import { invalidFields } from '../../../../foundation/error/domain-error.js';
import type { EventMark } from '../../../../foundation/event/journal.js';
import { MailedProofs } from '../../../../management/user/mailed-proofs.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { signInTooOld } from '../../../../management/user/my-account.errors.js';
import { UserChanges } from '../../../../management/user/user-changes.js';
import type { Actor } from '../../../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { PersonService } from '../../../../user/person.service.js';
import {
  emailNotVerified,
  notPerson,
  selfServiceClosed,
  smsUnavailable,
  userInitial,
  userNotFound,
} from '../../../../user/user.errors.js';
import { MyPassword } from '../../../account/my-password.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { AUTHENTICATED } from '../../../kit/guard/demand.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2 } from '../user.dto.js';
import { codeNotReturned, templateRefused } from '../user.mapping.js';
import { PasswordResetRequestV2, PasswordResetResponseV2, SetPasswordRequestV2 } from './password.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson()];
const FIELD = 'newPassword.password';

/** The passwords of people: of others by a permission, of oneself by a proof. */
@Tagged('User credentials v2')
@Controller('v2/users/:userId')
@InService('user')
export class PasswordV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly persons: PersonService,
    private readonly managed: ManagedUsers,
    private readonly changes: UserChanges,
    private readonly proofs: MailedProofs,
    private readonly own: MyPassword,
  ) {}

  @Post('password')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'SetPasswordV2',
    sameAs: ['SetHumanPassword', 'UpdateMyPassword'],
    summary: 'Set the password of a human user',
    description:
      "Ends all sessions and tokens of the user. With user.credential.write, that of any user; the caller's own with the present password and a token of a recent sign-in, or with the code of an e-mail.",
    request: SetPasswordRequestV2,
    exampleWith: { currentPassword: undefined, verificationCode: undefined },
    returns: UserChangedV2,
    refuses: [...REFUSALS, selfServiceClosed('changePassword'), signInTooOld()],
  })
  async set(@Asking() caller: Caller, @Message() request: SetPasswordRequestV2): Promise<UserChangedV2> {
    const { userId, newPassword, currentPassword, verificationCode } = request;
    const isProved = currentPassword !== undefined || verificationCode !== undefined;
    // Whoever may set no passwords has nothing but a proof, which is then missing.
    const isAllowed = caller.rights.may('user.credential.write', { orgId: caller.ownOrgId });
    const isOwn = userId === caller.userId && (isProved || !isAllowed);
    const actor = isOwn ? this.reach.own(caller) : await this.reach.user(caller, 'user.credential.write', userId);
    const { password, changeRequired } = newPassword;
    const change = { password: { secret: new Secret(password), changeRequired, field: FIELD } };
    const mark =
      isOwn || isProved
        ? await this.setByProof(actor, request)
        : await this.changes.change(actor, userId, { person: change });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Post('password_reset')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'PasswordResetV2',
    sameAs: ['SendHumanResetPasswordNotification'],
    summary: 'Send a password reset code',
    description: 'The current password remains valid until a new one is set.',
    request: PasswordResetRequestV2,
    exampleWith: { returnCode: undefined, sendLink: { notificationType: 'NOTIFICATION_TYPE_Email' } },
    returns: PasswordResetResponseV2,
    refuses: [...REFUSALS, userInitial(), emailNotVerified(), smsUnavailable()],
  })
  async reset(
    @Asking() caller: Caller,
    @Message() { userId, sendLink, returnCode }: PasswordResetRequestV2,
  ): Promise<PasswordResetResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    if (returnCode) throw codeNotReturned('returnCode');
    if ((sendLink?.urlTemplate ?? '') !== '') throw templateRefused('sendLink.urlTemplate');
    const by = sendLink?.notificationType === 'sms' ? 'sms' : 'email';
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.requestPasswordReset(tx, user, by, actor.userId),
    );
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  private async setByProof(
    actor: Actor,
    { userId, newPassword, currentPassword, verificationCode }: SetPasswordRequestV2,
  ): Promise<EventMark> {
    if (currentPassword === undefined && verificationCode === undefined)
      throw invalidFields([{ field: 'currentPassword', description: 'is required, or verificationCode in its place' }]);
    if (newPassword.changeRequired)
      throw invalidFields([
        { field: 'newPassword.changeRequired', description: 'cannot be asked for with a proof: the user chooses it' },
      ]);
    if (verificationCode !== undefined)
      return this.proofs.setPassword(
        actor,
        userId,
        { text: verificationCode, field: 'verificationCode' },
        { secret: new Secret(newPassword.password), field: FIELD },
      );
    if (userId !== actor.userId)
      throw invalidFields([
        { field: 'currentPassword', description: "is a proof for the caller's own account: others need none of it" },
      ]);
    const fields = { old: 'currentPassword', new: FIELD };
    const oldPassword = currentPassword ?? '';
    return this.own.change(actor, { oldPassword, newPassword: newPassword.password }, fields);
  }
}
