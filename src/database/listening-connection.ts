import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { statement } from './statement.js';

const CONNECT_LIMIT_MS = 5_000;
/** Together they bound for how long a dead connection is believed: one second. */
const BEAT_EVERY_MS = 300;
const BEAT_LIMIT_MS = 700;

const BEAT = statement('change.heartbeat', 'SELECT 1');

export interface ConnectionEvents {
  /** What was announced. */
  readonly heard: (payload: string) => void;
  /** Called once, however the connection ended, unless it was closed. */
  readonly lost: (error: Error) => void;
}

/**
 * A connection that only listens. Nothing else would ever be sent on it, so that a firewall or a failed machine could cut it off
 * unnoticed: a heartbeat asks whether the server still answers.
 */
export class ListeningConnection {
  private ended = false;

  private constructor(
    private readonly client: Client,
    private readonly events: ConnectionEvents,
  ) {}

  /** Connected and listening, or else thrown and gone. */
  static async open(settings: ClientConfig, channel: string, events: ConnectionEvents): Promise<ListeningConnection> {
    const client = new Client({
      ...settings,
      application_name: 'gatehouse changes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
    });
    const connection = new ListeningConnection(client, events);
    client.on('notification', ({ payload }) => events.heard(payload ?? ''));
    client.on('error', () => undefined); // said by whatever waits for an answer, or by the end
    try {
      await client.connect();
      await answered(client.query(`LISTEN ${channel}`), CONNECT_LIMIT_MS);
    } catch (error) {
      connection.close(); // a server that connects but does not listen must not keep the connection
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
        await answered(this.client.query({ name: BEAT.name, text: BEAT.text }), BEAT_LIMIT_MS);
      } catch (error) {
        this.lose(error as Error);
        return;
      }
      await sleep(BEAT_EVERY_MS, undefined, { ref: false });
    }
  }

  private lose(error: Error): void {
    if (this.ended) return;
    this.close();
    this.events.lost(error);
  }
}

/** @throws Error when nothing came within the time. An answer that arrived while this process was busy counts. */
async function answered(query: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // Sockets are read between a timer and an immediate: what lies there already is not late.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`No answer within ${limitMs} ms.`))), limitMs).unref();
  });
  try {
    await Promise.race([query, limit]);
  } finally {
    clearTimeout(timer);
  }
}
