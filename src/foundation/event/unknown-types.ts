import { nearest } from '../config/misspelling.js';
import type { Filled } from '../extension/seam.js';
import type { EventListener } from './event-listener.js';

/**
 * A sentence for each type that a listener names and that is not public. It may be one that the product appends and
 * does not promise; most likely it is misspelt, and the listener would hear nothing without anybody noticing.
 */
export function unknownTypes(listeners: ReadonlyArray<Filled<EventListener>>, known: readonly string[]): string[] {
  const types = new Set(known);
  return listeners.flatMap(({ extension, name, part }) =>
    part.types
      .filter((type) => !types.has(type))
      .map(
        (type) =>
          `The listener ${name} of the extension ${extension} names the event type ${type}, which is not public: it can change at any ` +
          `time, or may never happen. The nearest public type is ${nearest(type, known)} (docs/events.md).`,
      ),
  );
}
