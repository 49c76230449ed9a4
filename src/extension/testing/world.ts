import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../../foundation/config/config.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { EVENT_LISTENER, type EventListener, listenerName } from '../../foundation/event/event-listener.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { FirstStart } from '../../process/setup/first-start.service.js';
import { type AdminApi, callerWith } from './admin-api.js';
import { Browser } from './browser.js';
import { Builders, type TestClient, type TestOrg } from './builders.js';
import { catchUp } from './event-progress.js';
import type { FixedClock } from './fixed-clock.js';
import { type Reply, type Sent, send } from './http.js';
import { type Ground, ownGround } from './own-ground.js';
import { RelyingParty } from './relying-party.js';
import { launch, type WorldParts } from './service-launch.js';
import type { TestDatabase } from './test-database.js';
import type { TestKey } from './test-key.js';
import type { WorldOptions } from './world-options.js';

/** Gatehouse as it ships, with extensions, listening in this process on a database of its own. @public */
export class World {
  /** Makes organizations, users and applications. */
  readonly add: Builders;
  /** Where it listens: `http://127.0.0.1:…` */
  readonly origin: string;
  /** Its own time; moved by hand unless the world runs in real time. */
  readonly clock: FixedClock;
  /** @internal */
  readonly config: Config;
  /** @internal */
  readonly database: TestDatabase;
  /**
   * What the first start made; a replica knows it from its elder.
   * @internal
   */
  readonly firstStart: FirstStart;
  private readonly parts: WorldParts;
  private nest: NestExpressApplication | undefined;
  private readonly secrets = new Set<string>();
  private readonly replicas: World[] = [];

  /** @internal Use `startWorld`. */
  constructor(parts: WorldParts) {
    this.parts = parts;
    this.config = parts.config;
    this.origin = parts.origin;
    this.clock = parts.clock;
    this.database = parts.database;
    this.firstStart = parts.firstStart;
    this.nest = parts.nest;
    this.add = new Builders(this);
  }

  get issuer(): string {
    return this.config.issuer.publicUrl;
  }

  /** A provider of the running application by its class, such as a part of an extension. */
  get<T>(provider: abstract new (...values: never[]) => T): T {
    return this.application.get(provider, { strict: false });
  }

  /** @internal */
  get application(): NestExpressApplication {
    if (!this.nest) throw new Error('This world is closed.');
    return this.nest;
  }

  /** Rows of the database: ``world.sql`SELECT cost_centre FROM ext_hr.employee WHERE user_id = ${user.id}` ``. */
  async sql<Row extends object = Record<string, unknown>>(
    text: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Row[]> {
    const numbered = text.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('');
    return this.rows<Row>(numbered, values);
  }

  /**
   * What it was started with.
   * @internal
   */
  get options(): WorldOptions {
    return this.parts.options;
  }

  /** @internal */
  async rows<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.get(Database).source.query<Row[]>(sql, [...values]);
  }

  /** @internal */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.get(Database).transaction(work);
  }

  /** @internal */
  async makeKey(algorithm: string): Promise<Omit<TestKey, 'kid'>> {
    return this.parts.ground.makeKey(algorithm);
  }

  /** A browser without JavaScript that has never been here. */
  browser(): Browser {
    return new Browser(this);
  }

  /** The application, with a browser in front of it. */
  party(application: TestClient): RelyingParty {
    return new RelyingParty(this, application);
  }

  /**
   * The administrative API as a service user with these manager roles sees it.
   * @param org over which roles of organizations are held, and to which the user belongs; by default one of its own
   */
  async manager(roles: readonly string[], org?: TestOrg): Promise<AdminApi> {
    return (await callerWith(this, org ?? (await this.add.org()), roles)).api;
  }

  /**
   * One request.
   * @throws Error for an answer that no caller may cause: 5xx, or one without content type and `nosniff`
   */
  async send(sent: Sent): Promise<Reply> {
    return send(this.origin, sent);
  }

  /** What the service says of itself. */
  async discovery(): Promise<Record<string, unknown>> {
    return (await this.send({ path: '/.well-known/openid-configuration' })).json();
  }

  /**
   * A second process on the same database, with the same master key and clock.
   * @param changes what is different from this world
   */
  async replica(changes: WorldOptions = {}): Promise<World> {
    const replica = await openWorld(
      { ...this.parts.options, ...changes },
      this.parts.ground,
      (parts) => new World(parts),
      this,
    );
    this.replicas.push(replica);
    return replica;
  }

  /**
   * Brings what has happened to the listeners of the extensions now; otherwise they hear it within about a second.
   * @throws Error if one fails
   */
  async hear(): Promise<void> {
    const filled = this.application.get<ReadonlyArray<Filled<EventListener>>>(EVENT_LISTENER.token, { strict: false });
    for (const one of filled) await catchUp(this, listenerName(one), one.part.types);
  }

  /** The moment of this world in Unix seconds. */
  now(): number {
    return this.get(Clock).nowSeconds();
  }

  /** The id of the instance. */
  async instanceId(): Promise<string> {
    return (await this.get(InstanceService).get()).id;
  }

  /**
   * Resolves once this process has heard of everything that was committed before.
   * @internal
   */
  async changesToArrive(): Promise<void> {
    while (!(await this.hasHeardItself())) continue;
  }

  /** False if the connection was lost meanwhile, and with it what was announced. */
  private async hasHeardItself(): Promise<boolean> {
    const channel = this.get(ChangeChannel);
    const marker = randomUUID();
    const heard = new Promise<boolean>((resolve) => {
      let count = 0;
      channel.on('client', (key) => {
        if (key === undefined) resolve(false);
        if (key === marker) count += 1;
        if (count === 2) resolve(true); // once at the commit, and once more by PostgreSQL, in the order of the commits
      });
    });
    await this.transaction((tx) => channel.announce(tx, 'client', marker));
    return heard;
  }

  /** Everything that was logged so far. */
  logText(): string {
    return this.parts.lines.join('');
  }

  /**
   * A value that must never be logged; `close` looks. Passwords, secrets and tokens that this world makes are planted.
   */
  plant(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= 8) this.secrets.add(secret);
  }

  /** The planted ones among what a text holds. */
  secretsIn(text: string): string[] {
    return [...this.secrets].filter((secret) => holds(text, secret));
  }

  /** Ends the service and its replicas, and looks for planted secrets in the log. @throws Error when there is one */
  async close(): Promise<void> {
    if (!this.nest) return;
    await Promise.all(this.replicas.map((replica) => replica.close()));
    // A client keeps its connection, also one on which the end of a refused body never came.
    this.nest.getHttpServer().closeAllConnections();
    await this.nest.close();
    this.nest = undefined; // V8 keeps the variables of a test file until its worker ends
    await this.parts.cleanUp();
    const leaked = this.secretsIn(this.logText());
    if (leaked.length > 0) {
      const line = this.parts.lines.find((text) => text.includes(leaked[0]!));
      throw new Error(`The log holds ${leaked.length} secret(s): ${line}`);
    }
  }
}

/** Digits by themselves: some ten thousand ids and times of a log contain those of a short code by chance. */
function holds(text: string, secret: string): boolean {
  return /^\d+$/.test(secret) ? new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text) : text.includes(secret);
}

/**
 * Starts Gatehouse with extensions in this process; end it with `close()`. Its database is a clone on the server of
 * `DATABASE_URL`, or on an embedded one where the package of its binaries is installed.
 * @throws ConfigError with everything that is wrong with settings and extensions
 * @public
 */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  return openWorld(options, ownGround, (parts) => new World(parts));
}

/** @param elder whose database, master key and clock the new one has */
export async function openWorld<W extends World>(
  options: WorldOptions,
  ground: Ground,
  make: (parts: WorldParts) => W,
  elder?: World,
): Promise<W> {
  return make(await launch(options, ground, elder));
}
