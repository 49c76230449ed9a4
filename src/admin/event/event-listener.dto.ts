import { Count, Filter, Flag, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const Extension = (): PropertyDecorator =>
  Text(1, { min: 1, max: 40, description: 'ID of the extension.', example: 'hr' });

const Listener = (): PropertyDecorator =>
  Text(2, { min: 1, max: 40, description: 'Name of the listener.', example: 'provision' });

@Filter()
@Named('ListEventListenersRequest')
export class ListEventListenersRequest {}

@Named('EventListenerEntry')
export class EventListenerEntry {
  @Extension()
  readonly extension!: string;

  @Listener()
  readonly listener!: string;

  @Count(3, { description: 'Failures in a row; 0 if it works.', example: 0 })
  readonly tries!: number;

  @Text(4, { description: 'Why it failed last.', example: '' })
  readonly reason!: string;

  @Moment(5, { description: 'When it is tried again; absent if it works.' })
  readonly nextTryDate?: Date | undefined;

  @Count(6, { description: 'How many events it has left out.', example: 0 })
  readonly parkedEvents!: number;

  @Flag(7, { description: 'Whether the process that answers loads its extension.', example: true })
  readonly isLoaded!: boolean;
}

@Named('ListEventListenersResponse')
export class ListEventListenersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => EventListenerEntry)
  readonly result!: readonly EventListenerEntry[];
}

@Named('ReplayEventListenerRequest')
export class ReplayEventListenerRequest {
  @Extension()
  readonly extension!: string;

  @Listener()
  readonly listener!: string;

  @Moment(3, {
    description: 'Events from this time on, and some that are little older. If absent, from the beginning.',
    example: '2026-11-20T00:00:00Z',
  })
  readonly from?: Date | undefined;
}

@Filter()
@Named('ListParkedEventsRequest')
export class ListParkedEventsRequest {
  @Extension()
  readonly extension!: string;

  @Listener()
  readonly listener!: string;

  @Part(3, () => ListQuery)
  readonly query?: ListQuery;
}

const EVENT_ID = { min: 1, max: 200, description: 'ID of the event, as the listener hears it.', example: 'evt_4711' };

@Named('ParkedEventEntry')
export class ParkedEventEntry {
  @Text(1, EVENT_ID)
  readonly eventId!: string;

  @Text(2, { description: 'The type of the event.', example: 'user.human.added' })
  readonly eventType!: string;

  @Text(3, { description: 'Why it was left out.', example: 'It failed 20 times.' })
  readonly reason!: string;

  @Moment(4, { description: 'When it was left out.', example: '2026-11-20T08:30:00.000Z' })
  readonly parkedDate!: Date;
}

@Named('ListParkedEventsResponse')
export class ListParkedEventsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => ParkedEventEntry)
  readonly result!: readonly ParkedEventEntry[];
}

@Named('RetryParkedEventRequest')
export class RetryParkedEventRequest {
  @Extension()
  readonly extension!: string;

  @Listener()
  readonly listener!: string;

  @Text(3, EVENT_ID)
  readonly eventId!: string;
}
