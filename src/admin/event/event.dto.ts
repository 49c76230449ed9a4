import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Count, Filter, Flag, Long, Moment, Named, Part, Parts, Struct, Text, Texts } from '../kit/wire/fields.js';

@Named('LocalizedMessage')
export class LocalizedMessage {
  @Text(1, { description: 'Same as the type.' })
  readonly key!: string;

  @Text(2, { description: 'The type in words, in English.', example: 'Changed the password of a user' })
  readonly localizedMessage!: string;
}

@Named('EventType')
export class EventType {
  @Text(1, { example: 'user.human.added', description: 'The type of the event.' })
  readonly type!: string;

  @Part(2, () => LocalizedMessage)
  readonly localized!: LocalizedMessage;
}

@Named('AggregateType')
export class AggregateType {
  @Text(1, { example: 'user', description: 'The type of the aggregate.' })
  readonly type!: string;

  @Part(2, () => LocalizedMessage)
  readonly localized!: LocalizedMessage;
}

@Named('Editor')
export class Editor {
  @Text(1, { description: 'The user who made the change; `system` for the service itself.', example: EXAMPLE.person })
  readonly userId!: string;

  @Text(2, { example: 'Ilse Brandt', description: 'Display name of the editor.' })
  readonly displayName!: string;

  @Text(3, { description: 'What made the change, if it was not a user.' })
  readonly service!: string;
}

@Named('Aggregate')
export class Aggregate {
  @Text(1, { example: EXAMPLE.person })
  readonly id!: string;

  @Part(2, () => AggregateType)
  readonly type!: AggregateType;

  @Text(3, { example: EXAMPLE.org, description: 'The organization that owns the object, or else the instance.' })
  readonly resourceOwner!: string;
}

@Named('Event')
export class Event {
  @Part(1, () => Editor)
  readonly editor!: Editor;

  @Part(2, () => Aggregate)
  readonly aggregate!: Aggregate;

  @Long(3, { description: 'Sequence number of the event within its aggregate.', example: '3' })
  readonly sequence!: bigint;

  @Moment(4, { example: '2026-11-20T08:30:00.000Z', description: 'When the event occurred.' })
  readonly creationDate!: Date;

  @Struct(5, { description: 'What changed. Never contains secrets.' })
  readonly payload!: object;

  @Part(6, () => EventType)
  readonly type!: EventType;

  @Text(101, {
    description: 'Who did what, in English: the editor, the action, the current name of the object, and what changed.',
    example: 'Ilse Brandt: Added the user “Otto Vogel” (userName: otto)',
  })
  readonly sentence!: string;

  @Long(100, {
    description: 'Position of the event. To get the next page, send the position of the last event as `position`.',
    example: '42',
  })
  readonly position!: bigint;
}

@Named('CreationDateRange')
export class CreationDateRange {
  @Moment(1, { example: '2026-11-20T00:00:00Z', description: 'Start of the time range, inclusive.' })
  readonly since?: Date;

  @Moment(2, { example: '2100-01-01T00:00:00Z', description: 'End of the time range, exclusive.' })
  readonly until?: Date;
}

@Filter()
@Named('ListEventsRequest')
export class ListEventsRequest {
  @Long(1, {
    description: 'Only events from this sequence number on, in the requested order. 0 means from the first.',
  })
  readonly sequence!: bigint;

  @Count(2, { description: 'Maximum number of events to return. Defaults to 100; at most 1,000.', example: 20 })
  readonly limit!: number;

  @Flag(3, { description: 'Sort ascending (oldest first). By default, newest first.' })
  readonly asc!: boolean;

  @Text(4, { max: 200, description: 'Only events caused by this user.' })
  readonly editorUserId!: string;

  @Texts(5, { max: 200, maxItems: 30, description: 'Only events of these types. A type that cannot occur is refused.' })
  readonly eventTypes!: string[];

  @Text(6, { max: 200, description: 'Only events of this aggregate; for a user, also the failed sign-ins.' })
  readonly aggregateId!: string;

  @Texts(7, {
    max: 200,
    maxItems: 10,
    description: 'Only events of aggregates of these types, such as `user`.',
  })
  readonly aggregateTypes!: string[];

  @Text(8, { max: 200, description: 'Only events of this organization, or of the instance.' })
  readonly resourceOwner!: string;

  @Moment(9, { deprecated: true, description: 'Use `from` instead.' })
  readonly creationDate?: Date;

  @Part(10, () => CreationDateRange, { oneof: 'creation_date_filter' })
  readonly range?: CreationDateRange;

  @Moment(11, { oneof: 'creation_date_filter', description: 'Only events from this time on, in the requested order.' })
  readonly from?: Date;

  @Long(100, {
    optional: true,
    description: 'The position of the last event that was read; the response continues after it.',
  })
  readonly position?: bigint;
}

@Named('ListEventsResponse')
export class ListEventsResponse {
  @Parts(1, () => Event)
  readonly events!: readonly Event[];
}

@Named('ListEventTypesResponse')
export class ListEventTypesResponse {
  @Parts(1, () => EventType)
  readonly eventTypes!: readonly EventType[];
}

@Named('ListAggregateTypesResponse')
export class ListAggregateTypesResponse {
  @Parts(1, () => AggregateType)
  readonly aggregateTypes!: readonly AggregateType[];
}
