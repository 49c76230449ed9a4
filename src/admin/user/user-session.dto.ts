import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Count, Flag, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { USER_ID } from './user-id.js';

const SIGNED_IN_USER_ID = { ...USER_ID, example: EXAMPLE.administrator };

const SESSION_ID = {
  min: 1,
  max: 200,
  description: 'ID of the session, which tokens contain as `sid`.',
  example: EXAMPLE.session,
};

@Named('UserSession')
export class UserSession {
  @Text(1, SESSION_ID)
  readonly id!: string;

  @Moment(2, { description: 'When the user first signed in in that browser.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: Date;

  @Moment(3, { description: 'When the password was last checked.', example: '2026-11-20T08:30:00.000Z' })
  readonly passwordCheckDate?: Date | undefined;

  @Moment(4, { description: 'When an identity provider last authenticated the user.' })
  readonly externalCheckDate?: Date | undefined;

  @Text(5, { description: 'That identity provider; empty if there was none.' })
  readonly idpId!: string;

  @Moment(6, {
    description:
      'When a second factor was last checked; a passkey that stands for both factors has a field of its own.',
  })
  readonly secondFactorCheckDate?: Date | undefined;

  @Flag(7, {
    description: 'Whether that second factor was a security key, or a passkey in place of one, rather than a code.',
  })
  readonly isSecondFactorKey!: boolean;

  @Moment(8, { description: 'When the user last signed in with a passkey.' })
  readonly passkeyCheckDate?: Date | undefined;
}

@Named('ListUserSessionsRequest')
export class ListUserSessionsRequest {
  @Text(1, SIGNED_IN_USER_ID)
  readonly userId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListUserSessionsResponse')
export class ListUserSessionsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => UserSession)
  readonly result!: readonly UserSession[];
}

@Named('UserSessionById')
export class UserSessionById {
  @Text(1, SIGNED_IN_USER_ID)
  readonly userId!: string;

  @Text(2, SESSION_ID)
  readonly sessionId!: string;
}

@Named('EndUserSessionsRequest')
export class EndUserSessionsRequest {
  @Text(1, USER_ID)
  readonly userId!: string;
}

@Named('EndedSessionsResponse')
export class EndedSessionsResponse {
  @Count(1, { description: 'How many sessions ended.', example: 2 })
  readonly ended!: number;
}
