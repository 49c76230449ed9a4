import { setTimeout as sleep } from 'node:timers/promises';
import { EventDispatcher } from '../../foundation/event/event-dispatcher.js';
import type { RunningService } from './running-service.js';

/** A transaction of somebody else, in any database of the server, holds the feed back for as long. */
export const FEED_LIMIT_MS = 45_000;

type Asked = Pick<RunningService, 'get' | 'rows'>;

interface Progress {
  readonly tries: number;
  readonly reason: string | null;
  readonly isBehind: boolean;
}

/**
 * Brings events to the listeners of a world until one of them has heard everything.
 * @param cursor of the listener, `hr/provision`
 * @throws Error if it fails, or does not get that far
 */
export async function catchUp(world: Asked, cursor: string, types: readonly string[]): Promise<void> {
  for (const until = performance.now() + FEED_LIMIT_MS; ; await sleep(20)) {
    await world.get(EventDispatcher).run();
    const [progress] = await world.rows<Progress>(
      `SELECT tries, reason, EXISTS (
         SELECT 1 FROM event e WHERE e.type = ANY ($2) AND (e.tx, e.position) > (c.tx, c.position)
       ) AS "isBehind"
       FROM event_cursor c WHERE listener = $1`,
      [cursor, types],
    );
    if (!progress) throw new Error(`There is no cursor ${cursor}: the listener was not started.`);
    if (progress.tries > 0) throw new Error(`The listener ${cursor} fails: ${String(progress.reason)}`);
    if (!progress.isBehind) return;
    if (performance.now() > until)
      throw new Error(`The listener ${cursor} has not heard everything within ${FEED_LIMIT_MS / 1000} s.`);
  }
}
