import type { INestApplicationContext } from '@nestjs/common';
import type { EventReader } from '../foundation/event/event-reader.js';
import type { ListenerEntry } from '../foundation/event/listener-register.js';
import type { Arguments } from './command/arguments.js';
import { checkSchema } from './command/check-schema.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT, usage } from './command/command-error.js';
import { onDatabase } from './command/on-database.js';

const HELP = `
gatehouse events COMMAND [options]: the event listeners of extensions, on the database itself

  Runs with the settings of the service, on a machine that reaches its database. The service may run meanwhile, and its
  processes bring the events.

  list                     every listener: how often it has failed in a row and why, and how many events it has left out;
                           then the types of events that extensions have appended, and when each last happened
  replay EXTENSION/LISTENER
                           lets it hear again, in order, what has happened since a time or an event; it must be able to.
                           A listener that has not got that far is not moved
    --from beginning       everything that the journal has
    --from TIME            such as 2026-11-01T08:00:00Z
    --from evt_NUMBER      that event and what has followed: the id as in ListParkedEvents and in webhooks

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments
`;

const EVENT_ID = /^evt_\d{1,18}$/;
/** RFC 3339 §5.6: with an offset, since a time without an offset means something else on each machine. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

export const EVENTS: Command = {
  name: 'events',
  summary: 'List the event listeners of extensions, and replay events to them',
  help: HELP,
  options: { from: { type: 'string' } },
  run: async (given, around) => {
    const [name = '', listener, ...others] = given.positionals;
    if (name === 'list' && listener === undefined)
      return withServices(async (services) => {
        const { ListenerRegister } = await import('../foundation/event/listener-register.js');
        const { EventReader: Reader } = await import('../foundation/event/event-reader.js');
        list(around, await services.get(ListenerRegister).list(), await services.get(Reader).extTypes());
      });
    if (name === 'replay' && listener !== undefined && others.length === 0) return replay(listener, given, around);
    throw usage('Give one of: gatehouse events list, gatehouse events replay EXTENSION/LISTENER --from ….');
  },
};

type Start = { readonly at: Date } | { readonly eventId: string };

async function replay(listener: string, given: Arguments, around: Surroundings): Promise<number> {
  const text = given.text('from') ?? '';
  const start = readStart(text);
  return withServices(async (services) => {
    const { SYSTEM } = await import('../foundation/event/journal.js');
    const { EventListeners } = await import('../org/instance/event-listeners.js');
    const listeners = services.get(EventListeners, { strict: false });
    if ('at' in start) await listeners.replay(listener, start.at, SYSTEM);
    else await listeners.replayFromEvent(listener, start.eventId, SYSTEM);
    around.output.write(`${listener} hears again what has happened since ${text}.\n`);
  });
}

/** @throws CommandError */
function readStart(text: string): Start {
  if (text === 'beginning') return { at: new Date(0) };
  if (EVENT_ID.test(text)) return { eventId: text };
  const at = TIME.test(text) ? new Date(text) : undefined;
  if (at && !Number.isNaN(at.getTime())) return { at };
  throw usage(`--from is "${text}". Give a time such as 2026-11-01T08:00:00Z, the id of an event, or beginning.`);
}

type ExtTypes = Awaited<ReturnType<EventReader['extTypes']>>;

function list({ output }: Surroundings, all: readonly ListenerEntry[], types: ExtTypes): void {
  if (all.length === 0) output.write('This database has no listener of an extension.\n');
  for (const { listener, tries, reason, parked } of all) {
    const state = tries === 0 ? 'no failure' : `${tries} ${tries === 1 ? 'failure' : 'failures'} in a row (${reason})`;
    output.write(`${listener}: ${state}; ${parked} left out\n`);
  }
  for (const { type, lastAt } of types)
    output.write(`${type}: an event of an extension, last ${lastAt.toISOString()}\n`);
}

async function withServices(work: (services: INestApplicationContext) => Promise<void>): Promise<number> {
  await onDatabase(async (services) => {
    await checkSchema(services);
    await work(services);
  });
  return EXIT.done;
}
