import { type Filled, Seam } from '../extension/seam.js';
import type { SqlTransaction } from '../extension/sql.js';

/** An event, as a listener hears it. Members may be added in a minor version. @public */
export interface HeardEvent {
  /** Unique, and the same whenever the event is heard: the key that makes effects elsewhere repeatable. */
  readonly id: string;
  readonly type: string;
  /** The object that it is about. */
  readonly aggregateId: string;
  /** The organization that the object belongs to, or the instance. */
  readonly orgId: string;
  /** Who did it; `system` for the product itself. */
  readonly editorId: string;
  readonly at: Date;
  /** What changed; never a secret. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Hears events in the order of the transactions that made them, one batch at a time, in one process at a time. It runs
 * behind the commit, so it can neither delay nor refuse what has happened.
 * @public
 */
export interface EventListener {
  /** Lower-case letters, digits and hyphens. With the id of the extension it names the cursor: never change it. */
  readonly name: string;
  /** Exact types of events, such as `user.human.added`. */
  readonly types: readonly string[];
  /** What a listener hears that is new in this database: what happens from its first start on, or everything. */
  readonly since: 'now' | 'beginning';
  /**
   * If an event fails again and again: `stop` tries for ever (default), `park` leaves the event out after 20 tries and
   * continues with the next.
   */
  readonly onPoison?: 'stop' | 'park';
  /**
   * Handles up to 100 events within 10 s. What it writes in `tx` commits together with the cursor, and so happens
   * exactly once; effects elsewhere happen at least once. After an error all of it is rolled back and tried again,
   * after 1 s doubling to 5 min.
   */
  handle(events: readonly HeardEvent[], tx: SqlTransaction, signal: AbortSignal): Promise<void>;
}

/** @public */
export const EVENT_LISTENER: Seam<EventListener> = new Seam<EventListener>('EVENT_LISTENER', 'many', {
  mistakes: listenerMistakes,
  nameOf: ({ name }) => name,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const TYPE = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/;

function listenerMistakes(filled: ReadonlyArray<Filled<EventListener>>): string[] {
  const names = filled.map((one) => listenerName(one));
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...filled.flatMap(({ extension, name: part, part: { name, types, since } }) => [
      ...(NAME.test(name)
        ? []
        : [`${part} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`]),
      ...(Array.isArray(types) && types.length > 0 && types.every((type: unknown) => TYPE.test(String(type)))
        ? []
        : [
            `${part} of the extension ${extension} must list exact types of events, such as user.human.added; there are no patterns.`,
          ]),
      ...(since === 'now' || since === 'beginning'
        ? []
        : [`${part} of the extension ${extension} must say since when it hears events: now or beginning.`]),
    ]),
    ...repeated.map((name) => `Several listeners have the name ${name}. Give each its own.`),
  ];
}

/** The name of its cursor. */
export function listenerName({ extension, part }: Filled<EventListener>): string {
  return `${extension}/${part.name}`;
}
