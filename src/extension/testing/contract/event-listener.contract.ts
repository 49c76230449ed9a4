import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../../foundation/database/database.js';
import { EventDispatcher } from '../../../foundation/event/event-dispatcher.js';
import {
  EVENT_LISTENER,
  type EventListener,
  type HeardEvent,
  listenerName,
} from '../../../foundation/event/event-listener.js';
import { inTransaction, type SqlTransaction } from '../../../foundation/extension/sql.js';
import { FEED_LIMIT_MS, catchUp as untilHeard } from '../event-progress.js';
import type { World } from '../world.js';
import {
  asked,
  broken,
  type ContractCase,
  type GivenWorld,
  partOf,
  require,
  requirement,
  requireSame,
  shown,
  whileIt,
  worldOf,
} from './contract.js';

/** @public */
export interface EventListenerContractInput {
  /** The name of the listener. */
  readonly listener: string;
  /** Causes events that it hears, in a new user, organization or application each time. */
  readonly cause: () => Promise<unknown>;
  /** Everything that it has written so far, in an order of its own. */
  readonly written: () => Promise<unknown>;
}

const LIMIT_MS = 10_000;
const FULL_BATCH = 100;

/**
 * What every event listener keeps: it hears and writes once; what it writes goes with its transaction, so that a
 * process which dies between `handle` and the commit has written nothing; hearing everything again leads to the same
 * rows; an event about something that is gone is no failure; a batch of 100 is heard within 10 s; a failure stops or
 * parks, as it declares; of two processes one works.
 *
 * It cannot prove that effects elsewhere can be repeated, such as calls of other services: there `event.id` is the key,
 * and a test of your own asks the other service. That late commits are heard is a matter of the feed, and a test of
 * Gatehouse.
 * @public
 */
export function eventListenerContract(given: GivenWorld, input: EventListenerContractInput): readonly ContractCase[] {
  const on = (check: (stage: ListenerStage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const filled = partOf(
      world,
      EVENT_LISTENER,
      ({ name }) => name === input.listener,
      `a listener named ${input.listener}`,
    );
    const stage = { world, input, part: filled.part, name: filled.name, cursor: listenerName(filled) };
    await catchUp(stage);
    await check(stage);
  };
  return [
    requirement('event listener: what happens is heard, and written once', on(hears)),
    requirement('event listener: what it writes goes with its transaction', on(rollsBack)),
    requirement('event listener: the same events twice lead to the same rows', on(again)),
    requirement('event listener: replayed from the beginning, it writes the same', on(replayed)),
    requirement('event listener: an event about something that is gone is no failure', on(gone)),
    requirement('event listener: a full batch is heard within 10 s', on(fullBatch)),
    requirement('event listener: an event that fails is tried again, and parked if it declares so', on(poison)),
    requirement('event listener: of two processes, one works at a time', on(twoProcesses)),
  ];
}

interface ListenerStage {
  readonly world: World;
  readonly input: EventListenerContractInput;
  readonly part: EventListener;
  /** The name of the class. */
  readonly name: string;
  readonly cursor: string;
}

interface Cursor {
  readonly tries: number;
  readonly reason: string | null;
}

async function cursorOf({ world, cursor }: ListenerStage): Promise<Cursor> {
  const [row] = await world.rows<Cursor>('SELECT tries, reason FROM event_cursor WHERE listener = $1', [cursor]);
  return row ?? broken(`There is no cursor ${cursor}: the listener was not started.`);
}

async function catchUp({ world, cursor, part }: ListenerStage, at = world): Promise<void> {
  await untilHeard(at, cursor, part.types).catch((error: Error) => broken(error.message, { cause: error }));
}

/** Events that were caused now, as the listener hears them. */
async function heardDuring(stage: ListenerStage, work: () => Promise<unknown>): Promise<HeardEvent[]> {
  const { part } = stage;
  const heard: HeardEvent[] = [];
  const handle = part.handle.bind(part);
  const noting: EventListener['handle'] = async (events, tx, signal) => {
    await handle(events, tx, signal);
    heard.push(...events);
  };
  await whileIt(part, 'handle', noting, async () => {
    await work();
    await catchUp(stage);
  });
  return heard;
}

async function caused(stage: ListenerStage): Promise<HeardEvent[]> {
  const heard = await heardDuring(stage, stage.input.cause);
  require(heard.length >
    0, `${stage.name} hears nothing of what "cause" does: none of it is ${stage.part.types.join(' or ')}.`);
  return heard;
}

async function handle(
  stage: ListenerStage,
  events: readonly HeardEvent[],
  after?: (tx: SqlTransaction) => Promise<void>,
): Promise<void> {
  const { part, name, world } = stage;
  const work = async (tx: SqlTransaction): Promise<void> => {
    await asked(`${name}.handle`, () => part.handle(events, tx, AbortSignal.timeout(LIMIT_MS)), LIMIT_MS);
    await after?.(tx);
  };
  // The listener's own calls through the service show what is kept of the transaction.
  await inTransaction(world.get(Database), work, () => undefined);
}

async function hears(stage: ListenerStage): Promise<void> {
  const before = await stage.input.written();
  const heard = await caused(stage);
  const ids = heard.map(({ id }) => id);
  require(new Set(ids).size === ids.length, `${stage.name} was given an event twice: ${shown(ids)}`);
  const after = await stage.input.written();
  require(JSON.stringify(before) !==
    JSON.stringify(after), `${stage.name} has heard ${heard.length} events, and written nothing.`);
}

async function rollsBack(stage: ListenerStage): Promise<void> {
  const before = await stage.input.written();
  let events: readonly HeardEvent[] = [];
  const { part } = stage;
  // Takes the place of the listener: its work is done below, in a transaction that ends like that of a dying process.
  await whileIt(
    part,
    'handle',
    async (given) => void (events = [...events, ...given]),
    async () => {
      await stage.input.cause();
      await catchUp(stage);
    },
  );
  requireSame(await stage.input.written(), before, `Before ${stage.name} has heard of it, what is written`);
  const gone = new Error('The process dies.');
  await handle(stage, events, () => Promise.reject(gone)).catch((error: unknown) => {
    if (error !== gone) throw error;
  });
  requireSame(
    await stage.input.written(),
    before,
    `After its transaction was rolled back, what ${stage.name} has written`,
  );
  await handle(stage, events);
}

async function again(stage: ListenerStage): Promise<void> {
  const events = await caused(stage);
  const before = await stage.input.written();
  await handle(stage, events);
  requireSame(await stage.input.written(), before, `After the same events once more, what ${stage.name} has written`);
}

async function replayed(stage: ListenerStage): Promise<void> {
  const replay = async (): Promise<void> => {
    await stage.world.rows('UPDATE event_cursor SET tx = 0, position = 0 WHERE listener = $1', [stage.cursor]);
    await catchUp(stage);
  };
  await caused(stage);
  // Repeats the first events, since other tests may have removed the rows that they lead to.
  await replay();
  const before = await stage.input.written();
  await replay();
  requireSame(await stage.input.written(), before, `After a replay from the beginning, what ${stage.name} has written`);
}

async function gone(stage: ListenerStage): Promise<void> {
  const [event] = await caused(stage);
  const before = await stage.input.written();
  await handle(stage, [{ ...event!, id: 'evt_0', aggregateId: 'gone-since', orgId: 'gone-as-well' }]);
  requireSame(
    await stage.input.written(),
    before,
    `After an event about a user who is gone, what ${stage.name} has written`,
  );
}

async function fullBatch(stage: ListenerStage): Promise<void> {
  const [event] = await caused(stage);
  const events = Array.from({ length: FULL_BATCH }, (_, index) => ({ ...event!, id: `evt_full_${index}` }));
  await handle(stage, events);
}

async function poison(stage: ListenerStage): Promise<void> {
  const before = await stage.input.written();
  const { part, world } = stage;
  await stage.input.cause();
  await whileIt(
    part,
    'handle',
    () => Promise.reject(new Error('The contract lets it throw.')),
    async () => {
      for (const until = performance.now() + FEED_LIMIT_MS; (await cursorOf(stage)).tries === 0; await sleep(20)) {
        await world.get(EventDispatcher).run();
        require(performance.now() < until, `The failure of ${stage.name} is not counted.`);
      }
    },
  );
  requireSame(await stage.input.written(), before, `While ${stage.name} fails, what it has written`);
  world.clock.advance('10m');
  for (const until = performance.now() + FEED_LIMIT_MS; (await cursorOf(stage)).tries > 0; await sleep(20)) {
    await world.get(EventDispatcher).run();
    require(performance.now() <
      until, `${stage.name} does not recover from a failure: ${String((await cursorOf(stage)).reason)}`);
  }
  await catchUp(stage);
  require(JSON.stringify(await stage.input.written()) !==
    JSON.stringify(before), `${stage.name} has left out the event that failed once.`);
}

async function twoProcesses(stage: ListenerStage): Promise<void> {
  const replica = await stage.world.replica();
  const other = partOf(replica, EVENT_LISTENER, ({ name }) => name === stage.part.name, 'the same listener').part;
  const seen: string[] = [];
  const noting = (part: EventListener): EventListener['handle'] => {
    const own = part.handle.bind(part);
    return async (events, tx, signal) => {
      await own(events, tx, signal);
      seen.push(...events.map(({ id }) => id));
    };
  };
  await whileIt(stage.part, 'handle', noting(stage.part), () =>
    whileIt(other, 'handle', noting(other), async () => {
      await Promise.all(Array.from({ length: 4 }, async () => stage.input.cause()));
      await Promise.all([catchUp(stage), catchUp(stage, replica)]);
    }),
  );
  await replica.close();
  require(seen.length > 0, `${stage.name} has heard nothing in two processes.`);
  requireSame(
    [...new Set(seen)].length,
    seen.length,
    'Of two processes that listen, the number of events that are heard',
  );
}
