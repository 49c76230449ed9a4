import type { JournalEntry, JournalSearch } from '../../foundation/event/event-reader.js';
import type { Event, EventType, ListEventsRequest } from './event.dto.js';
import { eventSentence, typeSentence } from './event-sentence.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** The largest bigint of PostgreSQL; no event has this number. */
const MAX_NUMBER = 9_223_372_036_854_775_807n;

export function toSearch(request: ListEventsRequest, orgId = request.resourceOwner): JournalSearch {
  const {
    sequence,
    limit,
    asc,
    editorUserId,
    eventTypes,
    aggregateId,
    aggregateTypes,
    creationDate,
    range,
    from,
    position,
  } = request;
  const start = from ?? creationDate;
  const since = range ? range.since : asc ? start : undefined;
  const until = range ? range.until : asc ? undefined : start;
  return {
    aggregateTypes,
    aggregateId,
    types: eventTypes,
    editorId: editorUserId,
    orgId,
    ascending: asc,
    limit: limit === 0 ? DEFAULT_LIMIT : Math.min(limit, MAX_LIMIT),
    ...(position === undefined ? {} : { behind: atMost(position) }),
    ...(sequence === 0n ? {} : { fromSequence: atMost(sequence) }),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

function atMost(number: bigint): bigint {
  return number > MAX_NUMBER ? MAX_NUMBER : number;
}

export function toEvent(entry: JournalEntry): Event {
  const { position, aggregateType, aggregateId, sequence, type, editorId, editorName, orgId, createdAt } = entry;
  return {
    editor: { userId: editorId, displayName: editorName, service: 'Gatehouse' },
    aggregate: { id: aggregateId, type: toType(aggregateType), resourceOwner: orgId },
    sequence,
    creationDate: createdAt,
    payload: shownPayload(entry),
    type: toType(type),
    position,
    sentence: `${editorName || 'Gatehouse'}: ${eventSentence(entry)}`,
  };
}

/**
 * What takes an applied configuration back says more than readers of the journal may read elsewhere:
 * `GetAppliedConfiguration` shows it to owners.
 */
function shownPayload({ type, payload }: JournalEntry): object {
  if (!type.endsWith('.configuration.applied')) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== 'undo'));
}

/** The words are English: there is nothing to translate. */
export function toType(type: string): EventType {
  return { type, localized: { key: type, localizedMessage: type.includes('.') ? typeSentence(type) : type } };
}
