import { EXAMPLE } from '../wire/example-ids.js';
import { Count, Filter, Flag, Long, Moment, Part, Parts, Struct, Text, Texts } from '../wire/fields.js';

export class LocalizedMessage {
  @Text(1, { description: 'The type once more.' })
  readonly key!: string;

  @Text(2, { description: 'The type once more: the journal is not translated.' })
  readonly localizedMessage!: string;
}

export class EventType {
  @Text(1, { example: 'user.human.added', description: 'What the journal calls the change.' })
  readonly type!: string;

  @Part(2, () => LocalizedMessage)
  readonly localized!: LocalizedMessage;
}

export class AggregateType {
  @Text(1, { example: 'user', description: 'What the journal calls the kind of object.' })
  readonly type!: string;

  @Part(2, () => LocalizedMessage)
  readonly localized!: LocalizedMessage;
}

export class Editor {
  @Text(1, { description: 'The user who did it; `system` for the service itself.', example: EXAMPLE.person })
  readonly userId!: string;

  @Text(2, { example: 'Ilse Brandt', description: 'What the editor is called.' })
  readonly displayName!: string;

  @Text(3, { description: 'What made the change, where it was no user.' })
  readonly service!: string;
}

export class Aggregate {
  @Text(1, { example: EXAMPLE.person })
  readonly id!: string;

  @Part(2, () => AggregateType)
  readonly type!: AggregateType;

  @Text(3, { example: EXAMPLE.org, description: 'The organization that owns the object; else the instance.' })
  readonly resourceOwner!: string;
}

export class Event {
  @Part(1, () => Editor)
  readonly editor!: Editor;

  @Part(2, () => Aggregate)
  readonly aggregate!: Aggregate;

  @Long(3, { description: 'Counts the events of the aggregate.', example: '3' })
  readonly sequence!: bigint;

  @Moment(4, { example: '2026-11-20T08:30:00.000Z', description: 'When it happened.' })
  readonly creationDate!: Date;

  @Struct(5, { description: 'What changed; never a secret.' })
  readonly payload!: object;

  @Part(6, () => EventType)
  readonly type!: EventType;

  @Long(100, {
    description: 'Place in the journal: give that of the last event as `position` to read on.',
    example: '42',
  })
  readonly position!: bigint;
}

export class CreationDateRange {
  @Moment(1, { example: '2026-11-20T00:00:00Z', description: 'The earliest moment, itself included.' })
  readonly since?: Date;

  @Moment(2, { example: '2100-01-01T00:00:00Z', description: 'The latest moment, itself excluded.' })
  readonly until?: Date;
}

@Filter()
export class ListEventsRequest {
  @Long(1, {
    description: 'Events of their aggregate from this number on, in the direction of reading; 0: from the first.',
  })
  readonly sequence!: bigint;

  @Count(2, { description: 'How many to answer: 100 when it is 0 or absent, 1,000 at most.', example: 20 })
  readonly limit!: number;

  @Flag(3, { description: 'Oldest first; else newest first.', example: true })
  readonly asc!: boolean;

  @Text(4, { max: 200, description: 'By this user.' })
  readonly editorUserId!: string;

  @Texts(5, { max: 200, maxItems: 30, description: 'Of these types.' })
  readonly eventTypes!: string[];

  @Text(6, { max: 200, description: 'About this object.' })
  readonly aggregateId!: string;

  @Texts(7, { max: 200, maxItems: 10, description: 'About objects of these types.', example: ['org', 'user'] })
  readonly aggregateTypes!: string[];

  @Text(8, { max: 200, description: 'Of this organization, or of the instance.' })
  readonly resourceOwner!: string;

  @Moment(9, { deprecated: true, description: 'Use `from`.' })
  readonly creationDate?: Date;

  @Part(10, () => CreationDateRange, { oneof: 'creation_date_filter' })
  readonly range?: CreationDateRange;

  @Moment(11, { oneof: 'creation_date_filter', description: 'From this time on, in the direction of reading.' })
  readonly from?: Date;

  @Long(100, {
    optional: true,
    description: 'The position of the last event that was read: the answer goes on behind it.',
  })
  readonly position?: bigint;
}

export class ListEventsResponse {
  @Parts(1, () => Event)
  readonly events!: readonly Event[];
}

export class ListEventTypesResponse {
  @Parts(1, () => EventType)
  readonly eventTypes!: readonly EventType[];
}

export class ListAggregateTypesResponse {
  @Parts(1, () => AggregateType)
  readonly aggregateTypes!: readonly AggregateType[];
}
