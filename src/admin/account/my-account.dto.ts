import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { wireEnum } from '../../foundation/http/wire-enum.js';
import { LocalizedMessage } from '../event/event.dto.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Count, Flag, Long, Moment, Named, Part, Parts, Reserves, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { PasswordComplexityPolicyDto } from '../policy/policy.dto.js';
import { IDPUserLink } from '../user/linked-idp.dto.js';
import { SentProfile } from '../user/profile.dto.js';
import { UserMetadataQuery } from '../user/user-metadata.dto.js';

@Named('UpdateMyUserNameRequest')
export class UpdateMyUserNameRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description: 'The user name: the part of the login name before the domain.',
    example: 'ilse.brandt',
  })
  readonly userName!: string;
}

@Named('GetMyPasswordComplexityPolicyResponse')
export class GetMyPasswordComplexityPolicyResponse {
  @Part(1, () => PasswordComplexityPolicyDto)
  readonly policy!: PasswordComplexityPolicyDto;
}

@Named('UpdateMyPasswordRequest')
export class UpdateMyPasswordRequest {
  @Text(1, { max: 200, writeOnly: true, description: 'The current password; empty if there is none.' })
  readonly oldPassword!: string;

  @Text(2, { min: 1, max: 200, writeOnly: true, description: 'The new password.', example: 'Birkenhof-2026!' })
  readonly newPassword!: string;
}

@Named('UpdateMyProfileRequest')
export class UpdateMyProfileRequest extends SentProfile {}

@Named('SetMyEmailRequest')
export class SetMyEmailRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description: 'The new address. It counts once its code is sent.',
    example: 'ilse@birkenhof.example',
  })
  readonly email!: string;
}

@Named('VerifyMyEmailRequest')
export class VerifyMyEmailRequest {
  @Text(1, {
    min: 1,
    max: 20,
    writeOnly: true,
    description: 'The code that was sent to the new address.',
    example: 'K7QX9M',
  })
  readonly code!: string;
}

@Named('SetMyPhoneRequest')
export class SetMyPhoneRequest {
  @Text(1, {
    min: 1,
    max: 50,
    form: { fits: (text: string) => text.startsWith('+'), says: 'must start with +' },
    description: 'Phone number with country code. It is stored as not verified.',
    example: '+49 30 1234567',
  })
  readonly phone!: string;
}

@Named('ListMyLinkedIDPsRequest')
export class ListMyLinkedIDPsRequest {
  @Part(1, () => ListQuery, { description: 'Which page of the list to return.' })
  readonly query?: ListQuery;
}

@Named('ListMyLinkedIDPsResponse')
export class ListMyLinkedIDPsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => IDPUserLink)
  readonly result!: readonly IDPUserLink[];
}

@Named('RemoveMyLinkedIDPRequest')
export class RemoveMyLinkedIDPRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the identity provider.', example: EXAMPLE.idp })
  readonly idpId!: string;

  @Text(2, { min: 1, max: 255, description: "The provider's ID of the user.", example: 'u-4471' })
  readonly linkedUserId!: string;
}

@Named('RemoveMyUserResponse')
export class RemoveMyUserResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Moment(100, {
    description: 'When the account is removed; absent if it is already. The mail tells how to take it back.',
  })
  readonly removalDate?: Date | undefined;
}

const SESSION_STATE = wireEnum('SessionState', {
  SESSION_STATE_UNSPECIFIED: [0, 'unspecified'],
  SESSION_STATE_ACTIVE: [1, 'active'],
  SESSION_STATE_TERMINATED: [2, 'terminated'],
});

@Reserves({ 10: 'avatar_url' })
@Named('Session')
export class Session {
  @Text(1, { description: 'ID of the session, which tokens contain as `sid`.', example: EXAMPLE.session })
  readonly sessionId!: string;

  @Text(2, { description: 'The browser, in words; empty if unknown.', example: 'Firefox on Linux' })
  readonly agentId!: string;

  @Choice(3, SESSION_STATE, { example: 'SESSION_STATE_ACTIVE', description: 'Ended sessions are not listed.' })
  readonly authState!: ValueOf<typeof SESSION_STATE>;

  @Text(4, { example: EXAMPLE.person })
  readonly userId!: string;

  @Text(5, { example: 'ilse.brandt' })
  readonly userName!: string;

  @Text(7, { example: 'ilse.brandt@birkenhof.example' })
  readonly loginName!: string;

  @Text(8, { example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Part(9, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('ListMyUserSessionsResponse')
export class ListMyUserSessionsResponse {
  @Parts(1, () => Session)
  readonly result!: readonly Session[];
}

@Named('RefreshToken')
export class RefreshToken {
  @Text(1, { description: 'ID of the refresh token and those that replace it.', example: EXAMPLE.session })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, { description: 'Client ID of the application.', example: EXAMPLE.clientId })
  readonly clientId!: string;

  @Moment(4, { description: 'When the user had signed in.', example: '2026-11-20T08:30:00.000Z' })
  readonly authTime!: Date;

  @Moment(5, { description: 'When it expires if it is not used.', example: '2026-11-20T08:30:00.000Z' })
  readonly idleExpiration!: Date;

  @Moment(6, { description: 'When it expires.', example: '2026-11-20T08:30:00.000Z' })
  readonly expiration!: Date;

  @Texts(7, { description: 'The scopes that were granted.', example: ['openid', 'offline_access'] })
  readonly scopes!: readonly string[];

  @Texts(8, { description: 'The protected resources that were named; empty: as the scopes say.' })
  readonly audience!: readonly string[];
}

@Named('ListMyRefreshTokensResponse')
export class ListMyRefreshTokensResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => RefreshToken)
  readonly result!: readonly RefreshToken[];
}

@Named('RevokeMyRefreshTokenRequest')
export class RevokeMyRefreshTokenRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the refresh token.', example: EXAMPLE.session })
  readonly id!: string;
}

@Named('RevokeAllMyRefreshTokensResponse')
export class RevokeAllMyRefreshTokensResponse {}

@Named('MyMetadataByKey')
export class MyMetadataByKey {
  @Text(1, { min: 1, max: 200, description: 'Key of the entry.', example: 'department' })
  readonly key!: string;
}

@Named('ListMyMetadataRequest')
export class ListMyMetadataRequest {
  @Part(1, () => ListQuery, { description: 'At most 100 entries at once.' })
  readonly query?: ListQuery;

  @Parts(2, () => UserMetadataQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserMetadataQuery[];
}

@Named('ChangeQuery')
export class ChangeQuery {
  @Long(1, {
    description: 'Entries from this sequence number on, in the direction of reading; 0: from the start.',
    example: '0',
  })
  readonly sequence!: bigint;

  @Count(2, { description: 'Maximum number of entries. Defaults to 100; at most 1,000.', example: 100 })
  readonly limit!: number;

  @Flag(3, { description: 'Oldest first. Newest first by default.' })
  readonly asc!: boolean;
}

@Named('ListMyUserChangesRequest')
export class ListMyUserChangesRequest {
  @Part(1, () => ChangeQuery)
  readonly query?: ChangeQuery;
}

@Reserves({ 7: 'editor_preferred_login_name', 8: 'editor_avatar_url' })
@Named('Change')
export class Change {
  @Moment(1, { description: 'When it happened.', example: '2026-11-20T08:30:00.000Z' })
  readonly changeDate!: Date;

  @Part(2, () => LocalizedMessage)
  readonly eventType!: LocalizedMessage;

  @Long(3, { description: 'Sequence number of the event among those of the user.', example: '3' })
  readonly sequence!: bigint;

  @Text(4, {
    description: 'The user, if they did it themselves; empty for administrators and the service.',
    example: EXAMPLE.person,
  })
  readonly editorId!: string;

  @Text(5, { description: 'The same as a name.', example: 'Ilse Brandt' })
  readonly editorDisplayName!: string;

  @Text(6, { example: EXAMPLE.org, description: 'The organization of the user.' })
  readonly resourceOwnerId!: string;
}

@Named('ListMyUserChangesResponse')
export class ListMyUserChangesResponse {
  @Parts(2, () => Change)
  readonly result!: readonly Change[];
}
