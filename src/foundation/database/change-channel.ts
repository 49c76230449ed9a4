import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomToken } from '../crypto/random.js';
import { Logger } from '../log/logger.js';
import { TimeLimit } from '../time/time-limit.js';
import { ConnectionSettings } from './connection-settings.js';
import type { Transaction } from './database.js';
import { ListeningConnection } from './listening-connection.js';
import { type Queryable, statement } from './statement.js';

const CHANNEL = 'gatehouse_change';
const RECONNECT_MS = 500;

/** The key that means every key of a topic. */
export const EVERYTHING = '*';
const NOTIFY = statement('change.notify', `SELECT pg_notify('${CHANNEL}', :change)`);

/**
 * The subject of an announcement: what may be cached, by kind; and what others wait for: `outbox`, mails to be sent;
 * `logout-notice`, applications to be told that a session has ended; `webhook-delivery`, webhooks to be told of an
 * event; `migration-job`, a job to be cancelled; `probe`, a sign that announcements arrive.
 */
export type ChangeTopic =
  | 'instance'
  | 'org'
  | 'client'
  | 'project'
  | 'service-user'
  | 'key'
  | 'policy'
  | 'org-domain'
  | 'login-text'
  | 'idp'
  | 'outbox'
  | 'logout-notice'
  | 'mail-server'
  | 'webhook'
  | 'webhook-delivery'
  | 'migration-job'
  | 'password-mix'
  | 'probe';

/** Called with the key that changed; undefined: something may have been missed, so drop everything. */
export type ChangeListener = (key: string | undefined) => void;

/**
 * Tells every process that something cached has changed, through LISTEN and NOTIFY: PostgreSQL delivers on commit, so
 * nothing is dropped too early. While the connection is lost no notifications arrive, so nothing may be cached then.
 */
@Injectable()
export class ChangeChannel implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners = new Map<ChangeTopic, ChangeListener[]>();
  private connection: ListeningConnection | undefined;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    @Inject(ConnectionSettings) private readonly settings: ConnectionSettings,
    private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    this.connection?.close();
  }

  /** Whether notifications are being received; what is read while they are not must not be cached. */
  get isUp(): boolean {
    return this.connection !== undefined;
  }

  on(topic: ChangeTopic, listener: ChangeListener): void {
    const listeners = this.listeners.get(topic) ?? [];
    listeners.push(listener);
    this.listeners.set(topic, listeners);
  }

  /**
   * Part of the change itself: this process drops its entry right after the commit, the others when notified. With
   * `EVERYTHING` as key they drop the whole topic.
   */
  async announce(tx: Transaction, topic: ChangeTopic, key: string): Promise<void> {
    await tx.query(NOTIFY, { change: `${topic}:${key}` });
    tx.onCommit(() => this.notify(topic, key));
  }

  /**
   * Whether an announcement through `database` arrives in time. It does not if the connection is one of a pooler, which
   * does not listen between two transactions.
   */
  async hears(database: Queryable, limitMs: number): Promise<boolean> {
    const probe = randomToken();
    const heard = new Promise<boolean>((resolve) => {
      this.on('probe', (key) => {
        if (key === probe) resolve(true);
      });
    });
    await database.query(NOTIFY, { change: `probe:${probe}` });
    using limit = new TimeLimit(limitMs);
    return await Promise.race([heard, limit.passed.then(() => false)]);
  }

  /**
   * Announces to this process only what the others notice by themselves: PostgreSQL commits transactions that notify
   * one after the other, and each waits for the disk meanwhile.
   */
  announceHere(tx: Transaction, topic: ChangeTopic, key: string): void {
    tx.onCommit(() => this.notify(topic, key));
  }

  private async connect(): Promise<void> {
    const { direct } = this.settings;
    const events = { heard: (payload: string) => this.receive(payload), lost: (error: Error) => this.lose(error) };
    const connection = await ListeningConnection.open(direct, CHANNEL, events).catch((error: unknown) => {
      direct.lookAgain?.(); // for the next try
      throw error;
    });
    if (this.stopped) connection.close();
    else this.connection = connection;
  }

  private lose(error: Error): void {
    this.connection = undefined;
    this.log.warn({ err: error }, 'lost the connection that announces changes');
    this.forgetEverything();
    this.reconnectLater();
  }

  private reconnectLater(): void {
    if (!this.stopped) this.retry = setTimeout(() => void this.reconnect(), RECONNECT_MS).unref();
  }

  private async reconnect(): Promise<void> {
    try {
      await this.connect();
      this.forgetEverything(); // Notifications in the meantime were missed.
    } catch {
      this.reconnectLater();
    }
  }

  private receive(payload: string): void {
    const colon = payload.indexOf(':');
    this.notify(payload.slice(0, colon) as ChangeTopic, payload.slice(colon + 1));
  }

  private notify(topic: ChangeTopic, key: string | undefined): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(key === EVERYTHING ? undefined : key);
  }

  private forgetEverything(): void {
    for (const topic of this.listeners.keys()) this.notify(topic, undefined);
  }
}
