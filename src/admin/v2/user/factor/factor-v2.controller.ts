import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Clock } from '../../../../foundation/time/clock.js';
import { IdpLinks } from '../../../../idp/idp-links.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import type { SoleFactorKind } from '../../../../user/factor/factor.entity.js';
import { factorNotFound, passkeyNotFound } from '../../../../user/factor/factor.errors.js';
import { FactorService } from '../../../../user/factor/factor.service.js';
import { PasskeyService } from '../../../../user/factor/passkey.service.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { checkPerson } from '../../../../user/person.service.js';
import { notPerson, userNotFound } from '../../../../user/user.errors.js';
import { UserDirectory } from '../../../../user/user-directory.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2, toWholeListDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2, UserIdRequestV2 } from '../user.dto.js';
import {
  ListAuthenticationFactorsRequestV2,
  ListAuthenticationFactorsResponseV2,
  ListAuthenticationMethodTypesRequestV2,
  ListAuthenticationMethodTypesResponseV2,
  U2fByIdRequestV2,
} from './factor.dto.js';
import { isAskedFor, methodTypesOf, toFactors } from './factor.mapping.js';

const REFUSALS = [userNotFound(), notPerson()];
const REMOVAL_REFUSALS = [...REFUSALS, userTooStrong(), applicationNotTrusted()];
const AFTERWARDS =
  'Existing sessions continue. At the next sign-in, the user sets up a new factor if the login policy requires or offers it.';

/** How users sign in, and the second factors that managers remove for those who have lost theirs. */
@Tagged('User factors v2')
@Controller('v2/users/:userId')
@InService('user')
export class FactorV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly links: IdpLinks,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
    private readonly clock: Clock,
  ) {}

  @Get('authentication_methods')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListAuthenticationMethodTypesV2',
    summary: 'List by what a user can sign in',
    description:
      'What was set up, whether or not the login policy allows it. Factors whose setup was not completed do not count.',
    request: ListAuthenticationMethodTypesRequestV2,
    returns: ListAuthenticationMethodTypesResponseV2,
    refuses: REFUSALS,
  })
  async listTypes(
    @Asking() caller: Caller,
    @Message() { userId, domainQuery }: ListAuthenticationMethodTypesRequestV2,
  ): Promise<ListAuthenticationMethodTypesResponseV2> {
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    const user = await this.directory.get(orgId, userId);
    checkPerson(user);
    const domain = domainQuery?.domain ?? '';
    const keys = (await this.passkeys.list(userId)).filter(({ rpId }) => domain === '' || rpId === domain);
    const authMethodTypes = methodTypesOf({
      hasPassword: user.passwordChangedAt !== null,
      hasLink: (await this.links.of(userId)).length > 0,
      factors: await this.factors.listSole(userId),
      keys,
    });
    return { details: toWholeListDetailsV2(authMethodTypes.length, this.clock.now()), authMethodTypes };
  }

  @Post('authentication_factors/_search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListAuthenticationFactorsV2',
    sameAs: ['ListHumanAuthFactors'],
    summary: 'List the second factors of a user',
    description: 'Returns the complete list, without anything that could be used to sign in.',
    request: ListAuthenticationFactorsRequestV2,
    exampleWith: { authFactors: [], states: [] },
    returns: ListAuthenticationFactorsResponseV2,
    refuses: REFUSALS,
  })
  async list(
    @Asking() caller: Caller,
    @Message() request: ListAuthenticationFactorsRequestV2,
  ): Promise<ListAuthenticationFactorsResponseV2> {
    const { userId } = request;
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    checkPerson(await this.directory.get(orgId, userId));
    const found = toFactors(await this.factors.listSole(userId), await this.passkeys.list(userId));
    return { result: found.filter((factor) => isAskedFor(factor, request)) };
  }

  @Delete('totp')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveTOTPV2',
    sameAs: ['RemoveHumanAuthFactorOTP'],
    summary: "Remove a user's authenticator app",
    description: `Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REMOVAL_REFUSALS, factorNotFound()],
  })
  async removeTotp(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    return this.remove(caller, userId, 'otp');
  }

  @Delete('otp_email')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveOTPEmailV2',
    sameAs: ['RemoveHumanAuthFactorOTPEmail'],
    summary: "Remove e-mail codes as a user's second factor",
    description: `Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REMOVAL_REFUSALS, factorNotFound()],
  })
  async removeOtpEmail(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    return this.remove(caller, userId, 'otp_email');
  }

  @Delete('recovery_codes')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveRecoveryCodesV2',
    sameAs: ['RemoveHumanAuthFactorRecoveryCodes'],
    summary: "Remove a user's recovery codes",
    description: "For codes that may have been seen by others. The user's other second factors are kept.",
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REMOVAL_REFUSALS, factorNotFound()],
  })
  async removeRecoveryCodes(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    return this.remove(caller, userId, 'recovery_codes');
  }

  @Delete('u2f/:u2fId')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveU2FV2',
    sameAs: ['RemoveHumanAuthFactorU2F'],
    summary: 'Remove a security key of a user',
    description: `For a key that was lost. Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    request: U2fByIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REMOVAL_REFUSALS, passkeyNotFound()],
  })
  async removeU2f(@Asking() caller: Caller, @Message() { userId, u2fId }: U2fByIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.passkeys.remove(tx, userId, u2fId, 'u2f', actor.userId);
    });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  private async remove(caller: Caller, userId: string, kind: SoleFactorKind): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.factors.remove(tx, userId, kind, actor.userId);
    });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
