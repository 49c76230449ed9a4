import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { statement } from './statement.js';
import { TAKES_NO_CHANGES } from './write-check.js';

const CONNECT_LIMIT_MS = 5_000;
/** Together they bound how long a dead connection goes unnoticed: one second. */
const BEAT_EVERY_MS = 300;
const BEAT_LIMIT_MS = 700;

const BEAT = statement('change.heartbeat', `SELECT ${TAKES_NO_CHANGES} AS "readsOnly"`);

export interface ConnectionEvents {
  /** Called with each notification. */
  readonly heard: (payload: string) => void;
  /** Called once when the connection ends, unless it was closed. */
  readonly lost: (error: Error) => void;
}

/**
 * A connection that only listens. Nothing else would ever be sent on it, so that a firewall or a failed machine could
 * cut it off unnoticed: a heartbeat checks that the server still answers. It also checks that it takes changes: those
 * that are made on another one, which has taken its place, are not announced here.
 */
export class ListeningConnection {
  private ended = false;

  private constructor(
    private readonly client: Client,
    private readonly events: ConnectionEvents,
  ) {}

  /** Connected and listening when it settles; otherwise it throws and leaves nothing open. */
  static async open(settings: ClientConfig, channel: string, events: ConnectionEvents): Promise<ListeningConnection> {
    const client = new Client({
      ...settings,
      application_name: 'gatehouse changes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
    });
    const connection = new ListeningConnection(client, events);
    client.on('notification', ({ payload }) => events.heard(payload ?? ''));
    client.on('error', () => undefined); // Reported by whatever waits for an answer, or by the end.
    try {
      await client.connect();
      await answered(client.query(`LISTEN ${channel}`), CONNECT_LIMIT_MS);
      await connection.check(CONNECT_LIMIT_MS);
    } catch (error) {
      connection.close(); // A server that accepts connections but does not listen must not keep this one open.
      throw error;
    }
    client.on('end', () => connection.lose(new Error('The server ended the connection.')));
    void connection.beat();
    return connection;
  }

  close(): void {
    this.ended = true;
    void this.client.end().catch(() => undefined);
  }

  private async beat(): Promise<void> {
    while (!this.ended) {
      try {
        await this.check(BEAT_LIMIT_MS);
      } catch (error) {
        this.lose(error as Error);
        return;
      }
      await sleep(BEAT_EVERY_MS, undefined, { ref: false });
    }
  }

  private async check(limitMs: number): Promise<void> {
    const beat = this.client.query<{ readsOnly: boolean }>({ name: BEAT.name, text: BEAT.text });
    const { rows } = await answered(beat, limitMs);
    if (rows[0]?.readsOnly !== false) throw new Error('The server takes no changes.');
  }

  private lose(error: Error): void {
    if (this.ended) return;
    this.close();
    this.events.lost(error);
  }
}

/** @throws Error if nothing came in time; an answer that arrived while this process was busy counts */
async function answered<Answer>(query: Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // Sockets are read between a timer and an immediate: data that has arrived is not late.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`No answer within ${limitMs} ms.`))), limitMs).unref();
  });
  try {
    return await Promise.race([query, limit]);
  } finally {
    clearTimeout(timer);
  }
}
