import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Notification } from 'pg';
import { Client } from 'pg';
import { Logger } from '../log/logger.js';
import { ConnectionSettings } from './connection-settings.js';
import { statement } from './statement.js';
import type { Transaction } from './database.js';

const CHANNEL = 'gatehouse_change';
const RECONNECT_MS = 500;
const CONNECT_LIMIT_MS = 5_000;

/** The key that means every key of a topic. */
export const EVERYTHING = '*';
const NOTIFY = statement('change.notify', `SELECT pg_notify('${CHANNEL}', $1)`);

/** What may be cached in memory, by kind. */
export type ChangeTopic = 'instance' | 'client' | 'project' | 'service-user' | 'key';

/** Told which key of the topic changed; undefined: something may have been missed, forget everything. */
export type ChangeListener = (key: string | undefined) => void;

/**
 * Tells every process that something cached has changed, through LISTEN and NOTIFY: PostgreSQL delivers on commit,
 * so nobody forgets too early. After a lost connection listeners are told to forget everything.
 */
@Injectable()
export class ChangeChannel implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners = new Map<ChangeTopic, ChangeListener[]>();
  private client: Client | undefined;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    @Inject(ConnectionSettings) private readonly settings: ConnectionSettings,
    private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  on(topic: ChangeTopic, listener: ChangeListener): void {
    const listeners = this.listeners.get(topic) ?? [];
    listeners.push(listener);
    this.listeners.set(topic, listeners);
  }

  /**
   * Part of the change itself: this process forgets right after the commit, the others when told.
   * `EVERYTHING` as key makes them forget the whole topic.
   */
  async announce(tx: Transaction, topic: ChangeTopic, key: string): Promise<void> {
    await tx.query(NOTIFY, [`${topic}:${key}`]);
    tx.onCommit(() => this.tell(topic, key));
  }

  private async connect(): Promise<void> {
    const client = new Client({
      ...this.settings.pg, application_name: 'gatehouse changes', keepAlive: true, connectionTimeoutMillis: CONNECT_LIMIT_MS,
    });
    client.on('notification', (message) => this.receive(message));
    client.on('error', (error) => this.log.warn({ err: error }, 'lost the connection that announces changes'));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined); // a server that connects but does not listen must not keep the connection
      throw error;
    }
    // From here on only: a connection that never stood ends as well, and must not be mended twice.
    client.on('end', () => this.reconnectLater());
    this.client = client;
  }

  private reconnectLater(): void {
    if (this.stopped) return;
    this.forgetEverything();
    this.retry = setTimeout(() => void this.reconnect(), RECONNECT_MS).unref();
  }

  private async reconnect(): Promise<void> {
    try {
      await this.connect();
      this.forgetEverything(); // what was announced meanwhile was missed
    } catch {
      this.reconnectLater();
    }
  }

  private receive(message: Notification): void {
    const text = message.payload ?? '';
    const colon = text.indexOf(':');
    this.tell(text.slice(0, colon) as ChangeTopic, text.slice(colon + 1));
  }

  private tell(topic: ChangeTopic, key: string | undefined): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(key === EVERYTHING ? undefined : key);
  }

  private forgetEverything(): void {
    for (const topic of this.listeners.keys()) this.tell(topic, undefined);
  }
}
