import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Count, Filter, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const LOGOUT_NOTICE_STATE = wireEnum('LogoutNoticeState', {
  LOGOUT_NOTICE_STATE_UNSPECIFIED: [0, 'unspecified'],
  LOGOUT_NOTICE_STATE_WAITING: [1, 'waiting'],
  LOGOUT_NOTICE_STATE_DELIVERED: [2, 'delivered'],
  LOGOUT_NOTICE_STATE_DEAD: [3, 'dead'],
  LOGOUT_NOTICE_STATE_WITHDRAWN: [4, 'withdrawn'],
});

const NOTICE_ID = { min: 1, max: 200, description: 'ID of the notice.', example: '4711' };

@Named('LogoutNoticeEntry')
export class LogoutNoticeEntry {
  @Text(1, NOTICE_ID)
  readonly id!: string;

  @Choice(2, LOGOUT_NOTICE_STATE, {
    description:
      'Waiting to be delivered or tried again, delivered (accepted by the application), dead (given up), or withdrawn (the application is gone, or has no back-channel logout URI any more).',
    example: 'LOGOUT_NOTICE_STATE_DEAD',
  })
  readonly state!: ValueOf<typeof LOGOUT_NOTICE_STATE>;

  @Text(3, { description: 'The client ID of the application.', example: EXAMPLE.clientId })
  readonly clientId!: string;

  @Text(4, { description: 'ID of the session, which tokens contain as `sid`.', example: EXAMPLE.session })
  readonly sessionId!: string;

  @Text(5, { description: 'The user whose session has ended.', example: EXAMPLE.administrator })
  readonly userId!: string;

  @Count(6, { description: 'Number of attempts.', example: 4 })
  readonly tries!: number;

  @Text(7, {
    description: 'Why the last attempt failed.',
    example: 'The application responded with status 500.',
  })
  readonly reason!: string;

  @Moment(8, { description: 'When the session ended.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: Date;

  @Moment(9, { description: 'When the next attempt is due; only present while the notice waits.' })
  readonly nextTryDate?: Date | undefined;

  @Moment(10, { description: 'When the notice was delivered, given up or withdrawn.' })
  readonly settledDate?: Date | undefined;
}

@Filter()
@Named('ListLogoutNoticesRequest')
export class ListLogoutNoticesRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, LOGOUT_NOTICE_STATE, { description: 'Filter by state. If unspecified, all states.' })
  readonly state!: ValueOf<typeof LOGOUT_NOTICE_STATE>;

  @Text(3, { max: 200, description: 'Filter by the client ID of the application. If empty, all applications.' })
  readonly clientId!: string;
}

@Named('ListLogoutNoticesResponse')
export class ListLogoutNoticesResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => LogoutNoticeEntry)
  readonly result!: readonly LogoutNoticeEntry[];
}

@Named('LogoutNoticeById')
export class LogoutNoticeById {
  @Text(1, NOTICE_ID)
  readonly id!: string;
}
