import { Controller, Post } from '@nestjs/common';
import { newId } from '../../../../foundation/crypto/id.js';
import { invalidFields } from '../../../../foundation/error/domain-error.js';
import { MOST_KEYS } from '../../../../user/factor/auth-key.entity.js';
import type { KeyKind } from '../../../../user/factor/factor.entity.js';
import {
  challengeExpired,
  challengeSpent,
  factorNotAllowed,
  passkeyExists,
  passkeyRefused,
  passkeysNotAllowed,
  passkeysUnavailable,
  tooManyKeys,
  userNotVerified,
} from '../../../../user/factor/factor.errors.js';
import { PasskeyService } from '../../../../user/factor/passkey.service.js';
import { MAX_CREDENTIAL_BYTES } from '../../../account/my-factor.dto.js';
import { MyKeys, type WantedKey } from '../../../account/my-keys.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { AUTHENTICATED } from '../../../kit/guard/demand.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { type DetailsV2, toChangedDetailsV2, toDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2 } from '../user.dto.js';
import {
  RegisterPasskeyRequestV2,
  RegisterPasskeyResponseV2,
  RegisterU2fRequestV2,
  RegisterU2fResponseV2,
  VerifyPasskeyRegistrationRequestV2,
  VerifyU2fRegistrationRequestV2,
} from './own-factor.dto.js';
import { ABOUT_OWN, OWN_FACTOR_REFUSALS } from './own-refusals.js';

const OF_PASSKEYS = [...OWN_FACTOR_REFUSALS, passkeysUnavailable(), passkeysNotAllowed()];
const OF_SECURITY_KEYS = [...OWN_FACTOR_REFUSALS, passkeysUnavailable(), factorNotAllowed()];
const OF_ANSWERS = [
  passkeyRefused(''),
  userNotVerified(),
  challengeExpired(),
  challengeSpent(),
  passkeyExists(),
  tooManyKeys(MOST_KEYS),
];
const ABOUT_OPTIONS = `The relying party is that of the sign-in pages, and so is the origin that is accepted. ${ABOUT_OWN}`;
const ABOUT_STORING = `At most thirty answers per hour are checked for a user. The next sign-in shows recovery codes if the user has none. The user is notified of the new key by e-mail. ${ABOUT_OWN}`;

interface BegunKey {
  readonly id: string;
  readonly details: DetailsV2;
  readonly options: object;
}

interface SentKey {
  readonly id: string;
  readonly credential: object | undefined;
  readonly name: string;
  readonly nameField: string;
}

/** Passkeys and security keys that users register for themselves (RFC 9470). */
@Tagged('User factors v2')
@Controller('v2/users/:userId')
@InService('user')
export class OwnKeyV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly own: MyKeys,
    private readonly passkeys: PasskeyService,
  ) {}

  @Post('passkeys')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RegisterPasskeyV2',
    sameAs: ['AddMyPasswordless'],
    summary: 'Begin the registration of a passkey of the caller',
    description: `Returns what the authenticator is asked for; VerifyPasskeyRegistration gets its answer. ${ABOUT_OPTIONS}`,
    request: RegisterPasskeyRequestV2,
    exampleWith: { code: undefined, authenticator: 'PASSKEY_AUTHENTICATOR_PLATFORM', domain: undefined },
    returns: RegisterPasskeyResponseV2,
    refuses: OF_PASSKEYS,
  })
  async beginPasskey(
    @Asking() caller: Caller,
    @Message() { userId, code, authenticator, domain }: RegisterPasskeyRequestV2,
  ): Promise<RegisterPasskeyResponseV2> {
    if (code)
      throw invalidFields([
        { field: 'code', description: 'is not supported: it is used on the page that its link opens' },
      ]);
    const wanted = authenticator === 'unspecified' ? {} : { isForThisDevice: authenticator === 'platform' };
    const { id, details, options } = await this.begin(caller, userId, 'passkey', domain, wanted);
    return { details, passkeyId: id, publicKeyCredentialCreationOptions: options };
  }

  @Post('passkeys/:passkeyId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyPasskeyRegistrationV2',
    sameAs: ['VerifyMyPasswordless'],
    summary: 'Add a passkey of the caller',
    description: ABOUT_STORING,
    request: VerifyPasskeyRegistrationRequestV2,
    returns: UserChangedV2,
    refuses: [...OF_PASSKEYS, ...OF_ANSWERS],
  })
  async addPasskey(
    @Asking() caller: Caller,
    @Message() { userId, passkeyId: id, publicKeyCredential, passkeyName: name }: VerifyPasskeyRegistrationRequestV2,
  ): Promise<UserChangedV2> {
    const sent = { id, credential: publicKeyCredential, name, nameField: 'passkeyName' };
    return this.add(caller, userId, 'passkey', sent);
  }

  @Post('u2f')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RegisterU2FV2',
    sameAs: ['AddMyAuthFactorU2F'],
    summary: 'Begin the registration of a security key of the caller',
    description: `Returns what the authenticator is asked for; VerifyU2FRegistration gets its answer. ${ABOUT_OPTIONS}`,
    request: RegisterU2fRequestV2,
    exampleWith: { domain: undefined },
    returns: RegisterU2fResponseV2,
    refuses: OF_SECURITY_KEYS,
  })
  async beginU2f(
    @Asking() caller: Caller,
    @Message() { userId, domain }: RegisterU2fRequestV2,
  ): Promise<RegisterU2fResponseV2> {
    const { id, details, options } = await this.begin(caller, userId, 'u2f', domain);
    return { details, u2fId: id, publicKeyCredentialCreationOptions: options };
  }

  @Post('u2f/:u2fId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyU2FRegistrationV2',
    sameAs: ['VerifyMyAuthFactorU2F'],
    summary: 'Add a security key of the caller',
    description: ABOUT_STORING,
    request: VerifyU2fRegistrationRequestV2,
    returns: UserChangedV2,
    refuses: [...OF_SECURITY_KEYS, ...OF_ANSWERS],
  })
  async addU2f(
    @Asking() caller: Caller,
    @Message() { userId, u2fId: id, publicKeyCredential, tokenName: name }: VerifyU2fRegistrationRequestV2,
  ): Promise<UserChangedV2> {
    return this.add(caller, userId, 'u2f', { id, credential: publicKeyCredential, name, nameField: 'tokenName' });
  }

  private async begin(
    caller: Caller,
    userId: string,
    kind: KeyKind,
    domain: string,
    wanted: Pick<WantedKey, 'isForThisDevice'> = {},
  ): Promise<BegunKey> {
    const actor = this.reach.ownAccount(caller, userId);
    if (domain !== '' && this.passkeys.arePossible && !this.passkeys.worksHere({ rpId: domain }))
      throw invalidFields([{ field: 'domain', description: 'must be that of the sign-in pages, or empty' }]);
    const id = newId();
    const { json, owner } = await this.own.options(actor, kind, { ...wanted, id });
    return { id, details: toDetailsV2(owner, owner.orgId), options: { publicKey: JSON.parse(json) as object } };
  }

  private async add(caller: Caller, userId: string, kind: KeyKind, sent: SentKey): Promise<UserChangedV2> {
    const actor = this.reach.ownAccount(caller, userId);
    const { credential, ...rest } = sent;
    const answer = JSON.stringify(credential ?? {});
    if (Buffer.byteLength(answer) > MAX_CREDENTIAL_BYTES)
      throw invalidFields([
        { field: 'publicKeyCredential', description: `must have at most ${MAX_CREDENTIAL_BYTES} bytes` },
      ]);
    const made = { ...rest, answer };
    return { details: toChangedDetailsV2(await this.own.add(actor, kind, made), actor.orgId) };
  }
}
