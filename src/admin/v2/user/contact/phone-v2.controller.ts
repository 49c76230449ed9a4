import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { PersonService } from '../../../../user/person.service.js';
import { notPerson, phoneMissing, smsUnavailable, userNotFound } from '../../../../user/user.errors.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2, UserIdRequestV2 } from '../user.dto.js';
import { toPhone } from '../user.mapping.js';
import { SetPhoneRequestV2, SetPhoneResponseV2 } from './phone.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson()];

/** The phone numbers of people. They are kept and never called, so that no code verifies one. */
@Tagged('User contact v2')
@Controller('v2/users/:userId/phone')
@InService('user')
export class PhoneV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly persons: PersonService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post()
  @Requires('user.write', { named: true })
  @Operation({
    id: 'SetPhoneV2',
    sameAs: ['UpdateHumanPhone'],
    summary: 'Set or verify the phone number of a human user',
    request: SetPhoneRequestV2,
    exampleWith: { sendCode: undefined, returnCode: undefined, isVerified: true },
    returns: SetPhoneResponseV2,
    refuses: [...REFUSALS, smsUnavailable()],
  })
  async set(@Asking() caller: Caller, @Message() request: SetPhoneRequestV2): Promise<SetPhoneResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', request.userId);
    const { number, isVerified } = toPhone(request, '');
    const mark = await this.managed.change(actor, request.userId, (tx, user) =>
      this.persons.changePhone(tx, user, number, isVerified, actor.userId),
    );
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Delete()
  @Requires('user.write', { named: true })
  @Operation({
    id: 'RemovePhoneV2',
    sameAs: ['RemoveHumanPhone'],
    summary: 'Remove the phone number of a human user',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, phoneMissing()],
  })
  async remove(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.removePhone(tx, user, actor.userId),
    );
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
