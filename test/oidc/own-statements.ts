import { statementsDuring } from '../support/statement-counter.js';
import type { World } from '../support/world.js';

/**
 * Without those that the service makes by itself: for due mails, lost jobs, what has expired, and counts to be
 * returned.
 */
export async function ownStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await statementsDuring(work)).filter(
    (text) =>
      !/^(?:(?:outbox|logout_notice)\.claim|webhook\.any_active|purge\.|attempt\.forgive|job\.fail_lost)/.test(text),
  );
}

/** Their names, once nothing that was changed before has to be read again. */
export async function ownNamesOf(world: World, work: () => Promise<unknown>): Promise<string[]> {
  await world.changesToArrive();
  return (await ownStatementsOf(work)).map((text) => text.split(':')[0]!);
}
