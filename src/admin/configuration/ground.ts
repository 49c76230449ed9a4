import type { Transaction } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Actor } from '../../user/permission/actor.js';
import { type InnerCalls, isRefusal, type Json, pathParameters } from '../kit/inner-calls.js';
import { fieldsOf } from '../kit/wire/declared-field.js';
import { orgUnknown } from './configuration.errors.js';
import type { ConfigurationFacts } from './configuration-facts.js';
import type { Place, Present } from './place.js';

/** What an addition has made: a client id, and the secret that is shown only once. */
export interface Made {
  readonly path: readonly string[];
  readonly values: Json;
}

const PAGE = 1_000;
/** A transaction keeps its connection, and what it has changed, from others. */
const MAX_SECONDS = 30;
const BASE = { instance: '/admin/v1', org: '/management/v1' } as const;

/** What reading and changing a configuration stands on: the operations, called by one person in one transaction. */
export class Ground {
  private known: readonly Present[] | undefined;

  private readonly results: Made[] = [];
  private readonly deadlineMs = performance.now() + MAX_SECONDS * 1_000;

  constructor(
    private readonly calls: InnerCalls,
    readonly facts: ConfigurationFacts,
    readonly actor: Actor,
    readonly tx: Transaction,
    readonly onlyReads = false,
  ) {}

  /** Notes what an addition has made and shows only once. */
  made(made: Made): void {
    this.results.push(made);
  }

  get everythingMade(): readonly Made[] {
    return this.results;
  }

  routeAt(place: Place, route: string): string {
    return routeAt(place.level, route);
  }

  idAt(place: Place, route: string): string {
    return this.calls.idOf(this.routeAt(place, route));
  }

  bodyAt(place: Place, route: string): string[] {
    return this.calls.bodyOf(this.routeAt(place, route));
  }

  requestAt(place: Place, route: string): ReturnType<InnerCalls['requestOf']> {
    return this.calls.requestOf(this.routeAt(place, route));
  }

  /** The fields of the body that are sent and never answered. */
  secretsAt(place: Place, route: string): string[] {
    const request = this.requestAt(place, route);
    return request ? fieldsOf(request).flatMap(({ name, isSecret }) => (isSecret ? [name] : [])) : [];
  }

  /** The message that an operation gets at this place: the ids of its path, and this body. */
  messageAt(place: Place, route: string, body: Json): Json {
    const ids = pathParameters(this.routeAt(place, route)).map((name) => [name, place.ids[name]] as const);
    return { ...body, ...Object.fromEntries(ids) };
  }

  /** @throws DomainError whatever the operation refuses */
  async call(place: Place, route: string, body: Json = {}): Promise<Json> {
    if (performance.now() > this.deadlineMs) throw tooLong();
    const actor = place.orgId === undefined ? this.actor : { ...this.actor, orgId: place.orgId };
    return this.calls.call(actor, this.routeAt(place, route), this.messageAt(place, route, body));
  }

  /**
   * Changes something; what is refused leaves the transaction as it was. Nothing is called where a configuration is
   * only compared.
   */
  async change(place: Place, route: string, body: Json = {}): Promise<Json> {
    return this.onlyReads ? {} : this.tx.part(() => this.call(place, route, body));
  }

  /** Whether the caller may read the users of the organization, or of all of them. */
  mayReadUsers({ orgId }: Place): boolean {
    const { rights } = this.actor;
    return orgId === undefined ? rights.mayEverywhere('user.read') : rights.may('user.read', { orgId });
  }

  /** All entries of a list. */
  async all(place: Place, route: string, body: Json = {}): Promise<Json[]> {
    const found: Json[] = [];
    for (;;) {
      const query = { offset: String(found.length), limit: PAGE, asc: true };
      const { result } = (await this.call(place, route, { ...body, query })) as { readonly result: readonly Json[] };
      found.push(...result);
      if (result.length < PAGE) return found;
    }
  }

  /**
   * The organizations that the caller may read, by name. Who may not read all of them knows the one that the call is
   * about.
   */
  async orgs(): Promise<readonly Present[]> {
    this.known ??= keyed(
      await this.readableOrgs(),
      ({ name }) => name as string,
      ({ id }) => ({ orgId: id }),
    );
    return this.known;
  }

  async org(name: string): Promise<Present | undefined> {
    return (await this.orgs()).find(({ key }) => key === name);
  }

  /** Reads them anew the next time, after one was added, changed or removed. */
  forgetOrgs(): void {
    this.known = undefined;
  }

  /** @throws DomainError NotFound */
  async orgIdOf(name: string): Promise<string> {
    const found = await this.org(name);
    if (!found) throw orgUnknown(name);
    return found.ids['orgId'] as string;
  }

  private async readableOrgs(): Promise<Json[]> {
    const everywhere: Place = { level: 'instance', orgId: undefined, ids: {}, path: [] };
    try {
      return await this.all(everywhere, 'POST /orgs/_search');
    } catch (error) {
      if (!isRefusal(error) || error.kind !== 'PermissionDenied') throw error;
      const { org } = await this.call({ ...everywhere, level: 'org', orgId: this.actor.orgId }, 'GET /orgs/me');
      return [org as Json];
    }
  }
}

/** The route of a level that a kind means: `PUT /policies/login`, or one that names its level itself. */
export function routeAt(level: Place['level'], route: string): string {
  const [method, path] = route.split(' ') as [string, string];
  return path.startsWith('/admin/') || path.startsWith('/management/') ? route : `${method} ${BASE[level]}${path}`;
}

function tooLong(): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'configuration.too_long',
    `The configuration took longer than ${MAX_SECONDS} s: name fewer organizations at a time.`,
  );
}

/** Objects under their names; what shares its name with another is called by its id as well. */
export function keyed(read: readonly Json[], keyOf: (one: Json) => string, idsOf: (one: Json) => Json): Present[] {
  const names = Map.groupBy(read, keyOf);
  return read
    .map((one) => {
      const name = keyOf(one);
      const ids = idsOf(one);
      const isAlone = names.get(name)!.length === 1;
      return { key: isAlone ? name : `${name}#${Object.values(ids).join('/')}`, ids, read: one };
    })
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}
