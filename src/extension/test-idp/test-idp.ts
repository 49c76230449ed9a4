import { randomToken } from '../../foundation/crypto/random.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Clock } from '../../foundation/time/clock.js';
import { MailWorker } from '../../mail/mail-worker.js';
import { DevelopmentMailbox } from '../../mail/mailbox/development-mailbox.js';
import { KEYS_MAX_AGE_SECONDS, KeyService } from '../../token/key/key.service.js';
import { LogoutWorker } from '../../token/logout/logout-worker.js';
import { AdminApi } from '../testing/admin-api.js';
import { EDITOR } from '../testing/builders.js';
import type { Span } from '../testing/fixed-clock.js';
import type { Ground } from '../testing/own-ground.js';
import { publishedKeys } from '../testing/relying-party.js';
import type { RunningService } from '../testing/running-service.js';
import { launch, type WorldParts } from '../testing/service-launch.js';
import { makeKey, type TestKey } from '../testing/test-key.js';
import { type Cast, type CastApplication, type CastUser, copyOf, emptyCast } from './cast.js';
import { FixtureDraft } from './fixture-draft.js';
import type { FixtureMistake } from './fixture-mistake.js';
import { shapeMistakes } from './fixture-shape.js';
import type { FixtureText } from './fixture-text.js';
import { Front } from './front.js';
import type { HeldPort } from './held-port.js';
import { inputMistake } from './input-mistake.js';
import { type Control, Interference } from './interference.js';
import { Mails } from './mails.js';
import { RunningClock } from './running-clock.js';
import { SignIns } from './sign-ins.js';
import { Snapshot } from './snapshot.js';

/** A key is published for so long before it signs. */
const PUBLISHED_SECONDS = KEYS_MAX_AGE_SECONDS + 61;

export interface TestIdpOptions {
  /** `localhost` or `127.0.0.1`. */
  readonly host: string;
  readonly held: HeldPort;
  /** Settings of the service by the names of their environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly fixture: FixtureText;
  readonly ground: Ground;
}

/** What an import has left out or changed of an object: `app.redirectUris[1]: "x" is left out`. */
interface LeftOut {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

/** What an import refuses, by its place in the document. */
interface Detail {
  readonly fieldViolations?: ReadonlyArray<{ readonly field: string; readonly description: string }>;
}

/** The service for tests of applications, with everything that was made for it. */
export class TestIdp implements RunningService {
  readonly clock: RunningClock;
  readonly origin: string;
  readonly signIns: SignIns;
  readonly mails: Mails;
  private snapshot: Snapshot | undefined;
  private kept = emptyCast();
  private present = emptyCast();

  private constructor(
    private readonly parts: WorldParts,
    readonly interference: Interference,
    private readonly front: Front,
  ) {
    this.clock = parts.clock as RunningClock;
    this.origin = parts.origin;
    this.mails = new Mails(this.get(MailWorker), this.get(DevelopmentMailbox));
    this.signIns = new SignIns(this, async (email) => (await this.mails.list(email))[0]?.code);
  }

  /** @throws FixtureError; ConfigError; DomainError with what the user can correct */
  static async start(options: TestIdpOptions, controlOf: (idp: TestIdp) => Control): Promise<TestIdp> {
    const { host, held, settings, fixture, ground } = options;
    const interference = new Interference();
    const front = new Front(interference);
    const parts = await launch(
      {
        clock: new RunningClock(),
        port: held.port,
        publicUrl: `http://${host}:${held.port}`,
        logTo: { write: (line) => void process.stderr.write(line) },
        env: {
          MASTER_KEY: randomToken(),
          LOG_LEVEL: 'error',
          FIRST_ORG_NAME: 'Gatehouse',
          OUTBOUND_ALLOW: '127.0.0.0/8,::1',
          ...settings,
        },
        beforeListening: async (nest) => {
          front.standBefore(nest.getHttpServer());
          await held.release();
        },
      },
      ground,
    );
    const idp = new TestIdp(parts, interference, front);
    try {
      await idp.begin(fixture);
    } catch (error) {
      await idp.stop();
      throw error;
    }
    interference.serve(idp, controlOf(idp));
    return idp;
  }

  private async begin(fixture: FixtureText): Promise<void> {
    await this.add(fixture);
    const [first] = this.present.organizations.values();
    if (first) await this.admin().call('PUT', `/admin/v1/orgs/default/${encodeURIComponent(first.id)}`, {});
    this.kept = copyOf(this.present);
    this.snapshot = await Snapshot.take(this.get(Database), this.get(ChangeChannel));
  }

  get issuer(): string {
    return this.parts.config.issuer.publicUrl;
  }

  get cast(): Cast {
    return this.present;
  }

  /** The owner of the instance. */
  get token(): string {
    return this.parts.firstStart.personalAccessToken!.reveal();
  }

  now(): number {
    return this.get(Clock).nowSeconds();
  }

  /** Adds what a fixture has to what there is, until the next reset. @throws FixtureError */
  async add(text: FixtureText): Promise<void> {
    const mistakes = shapeMistakes(text.content);
    if (mistakes.length > 0) throw text.toError(mistakes);
    const cast = copyOf(this.present);
    const draft = new FixtureDraft(text.content ?? {}, cast);
    if (draft.mistakes.length > 0) throw text.toError(draft.mistakes);
    // What cannot be as it is said is left out of an import and told: here it is a mistake, before anything is written.
    if (this.snapshot) await this.import(draft, text, { dryRun: true });
    await this.import(draft, text);
    if (draft.needsEmailCodes) await this.allowEmailCodes();
    this.present = cast;
  }

  private async import(draft: FixtureDraft, text: FixtureText, how: { readonly dryRun?: boolean } = {}): Promise<void> {
    const request = JSON.stringify({ ...how, dataOrgs: draft.document });
    const reply = await this.admin().ask('POST', '/admin/v1/import', request);
    const answer = reply.json<{ errors?: readonly LeftOut[]; details?: readonly Detail[] }>();
    const mistakes = [...leftOutIn(answer.errors ?? [], draft), ...violationsIn(answer.details ?? [], draft)];
    if (mistakes.length > 0) throw text.toError(mistakes);
    if (reply.status !== 200) throw new Error(`The fixture was refused (${reply.status}): ${reply.text}`);
  }

  /** Otherwise users have them and are not asked. */
  private async allowEmailCodes(): Promise<void> {
    const type = 'SECOND_FACTOR_TYPE_OTP_EMAIL';
    const { status, text } = await this.admin().ask('POST', '/admin/v1/policies/login/second_factors', { type });
    const isThere = status === 409;
    if (status !== 200 && !isThere) throw new Error(`Codes by mail cannot be allowed (${status}): ${text}`);
  }

  /** Back to the fixture. */
  async reset(): Promise<void> {
    this.interference.disarm();
    await this.front.alone(async () => {
      this.clock.set();
      await this.snapshot!.restore();
      this.signIns.forget();
      this.interference.forget();
      this.present = copyOf(this.kept);
    });
  }

  /** A new key signs from now on, and those before verify. */
  async rotateKey(): Promise<string> {
    const keys = this.get(KeyService);
    await this.front.alone(async () => {
      await keys.requestRotation(EDITOR);
      // Nobody is asked meanwhile.
      await this.clock.later(PUBLISHED_SECONDS, async () => keys.maintain());
    });
    return (await keys.signer()).keyId;
  }

  async lock(name: string): Promise<CastUser> {
    const user = this.user(name);
    await this.admin(user).call('POST', `/management/v1/users/${encodeURIComponent(user.id)}/_lock`, {});
    return user;
  }

  async unlock(name: string): Promise<CastUser> {
    const user = this.user(name);
    await this.admin(user).call('POST', `/management/v1/users/${encodeURIComponent(user.id)}/_unlock`, {});
    return user;
  }

  /** Ends the sessions of a user, and resolves when applications were told, or could not be. */
  async endSessions(name: string): Promise<CastUser> {
    const user = this.user(name);
    await this.admin(user).call('DELETE', `/management/v1/users/${encodeURIComponent(user.id)}/sessions`);
    await this.get(LogoutWorker).run();
    return user;
  }

  /** @throws InputMistake */
  jump(span: Span): void {
    try {
      this.clock.advance(span);
    } catch (error) {
      throw inputMistake((error as Error).message);
    }
  }

  /** @throws InputMistake */
  setTime(moment: Date): void {
    if (Number.isNaN(moment.getTime())) throw inputMistake('That is no moment: write 2030-01-01T00:00:00Z.');
    this.clock.set(moment);
  }

  /** @param name by default the first one that signs users in. @throws InputMistake */
  application(name?: string): CastApplication {
    const { applications } = this.present;
    const found =
      name === undefined ? [...applications.values()].find(({ kind }) => kind !== 'api') : applications.get(name);
    if (found) return found;
    throw inputMistake(
      `There is no application "${name ?? ''}". Applications: ${[...applications.keys()].join(', ')}.`,
    );
  }

  /** @param name in the fixture, login name, e-mail address or id. @throws InputMistake */
  user(name: string): CastUser {
    const all = [...this.present.users.values()];
    const found =
      this.present.users.get(name) ?? all.find(({ id, loginName, email }) => [id, loginName, email].includes(name));
    if (found) return found;
    throw inputMistake(`There is no user "${name}". Users: ${[...this.present.users.keys()].join(', ')}.`);
  }

  async stop(): Promise<void> {
    const { nest, cleanUp } = this.parts;
    nest.getHttpServer().closeAllConnections();
    await nest.close();
    await cleanUp();
  }

  get<T>(provider: abstract new (...values: never[]) => T): T {
    return this.parts.nest.get(provider, { strict: false });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.get(Database).transaction(work);
  }

  async rows<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.get(Database).source.query<Row[]>(sql, [...values]);
  }

  async makeKey(algorithm: string): Promise<Omit<TestKey, 'kid'>> {
    return makeKey(algorithm);
  }

  plant(): void {
    // Its log is not looked at.
  }

  async keyIds(): Promise<readonly string[]> {
    return (await publishedKeys(this)).keys.flatMap(({ kid }) => kid ?? []);
  }

  /** The administrative API as the owner of the instance sees it. @param about whose organization */
  private admin(about?: CastUser): AdminApi {
    const api = new AdminApi(this.origin, this.token);
    return about ? api.about(about.organizationId) : api;
  }
}

function leftOutIn(errors: readonly LeftOut[], draft: FixtureDraft): FixtureMistake[] {
  return errors.map(({ type, id, message }) => {
    const [, within = '', problem = message] = /^([\w.[\]]+): (.*)$/s.exec(message) ?? [];
    return { path: draft.originOf(draft.placeOf(type, id, within)), problem };
  });
}

function violationsIn(details: readonly Detail[], draft: FixtureDraft): FixtureMistake[] {
  return details
    .flatMap(({ fieldViolations = [] }) => fieldViolations)
    .map(({ field, description }) => ({ path: draft.originOf(field), problem: description }));
}
