import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  anyOf,
  type Condition,
  equals,
  isOneOf,
  searched,
  type TextMatch,
  textMatches,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import { type ClientKind, ClientRow, type ClientState } from './client.entity.js';
import { clientKeyNotFound, clientNotFound } from './client.errors.js';
import { ClientKey } from './client-key.entity.js';
import { SETTING_NAMES } from './client-settings.js';

/** An application as shown: everything except the digest of its secret and internal ids. */
export type ClientEntry = Omit<ClientRow, 'secretHash' | 'clientEpoch' | 'registration'>;

/** Where an application is. */
export interface ClientPlace {
  readonly projectId: string;
  readonly orgId: string;
}

export type ClientColumn = 'id' | 'name' | 'state' | 'creationDate' | 'changeDate';
export type ClientKeyColumn = 'id';
export type AnyClientKeyColumn = 'id' | 'projectId' | 'appId' | 'creationDate' | 'orgId' | 'expiresAt';

/** A key with the project of its application, and the organization of that. */
export type PlacedClientKey = ClientKey & { readonly projectId: string; readonly orgId: string };

const CLIENT_LIST = {
  select: columnsOf(ClientRow, 'c', ['id', 'clientId', 'state', 'administration', ...SETTING_NAMES, ...HISTORY]),
  key: 'c.id',
  sort: {
    id: 'c.id',
    name: 'c.name',
    state: 'c.state',
    creationDate: 'c.creation_date',
    changeDate: 'c.change_date',
  },
};
const CLIENTS = new Listing<ClientEntry, ClientColumn>({ ...CLIENT_LIST, from: 'client c' });
const CLIENTS_OF_ALL = new Listing<ClientEntry, ClientColumn>({
  ...CLIENT_LIST,
  from: 'client c JOIN project p ON p.id = c.project_id',
});

const PLACE = statement(
  'client.place',
  `SELECT c.project_id AS "projectId", p.org_id AS "orgId"
   FROM client c
   JOIN project p ON p.id = c.project_id
   WHERE c.id = :id`,
).rows<ClientPlace>();

/** An application with the states on which it depends whether it takes sign-ins. */
export interface FoundClient extends ClientPlace {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly state: ClientState;
  readonly projectName: string;
  readonly projectState: 'active' | 'inactive';
  readonly orgName: string;
  readonly orgState: 'active' | 'inactive';
}

const FOUND = `c.id, c.client_id AS "clientId", c.name, c.kind, c.state,
     p.id AS "projectId", p.name AS "projectName", p.state AS "projectState",
     o.id AS "orgId", o.name AS "orgName", o.state AS "orgState"
   FROM client c
   JOIN project p ON p.id = c.project_id
   JOIN org o ON o.id = p.org_id`;

const BY_EITHER_ID = statement(
  'client.by_either_id',
  `SELECT ${FOUND}
   WHERE c.id = coalesce((SELECT n.id FROM client n WHERE n.client_id = :named), :named)`,
).rows<FoundClient>();

/** More of one name than a caller could tell apart. */
const MOST_OF_NAME = 20;

const BY_NAME = statement(
  'client.by_name_for_org',
  `SELECT ${FOUND}
   WHERE c.name = :name AND c.project_id IN (
     SELECT id FROM project WHERE org_id = :orgId
     UNION ALL
     SELECT project_id FROM project_grant WHERE granted_org_id = :orgId)
   ORDER BY c.id
   LIMIT ${MOST_OF_NAME}`,
).rows<FoundClient>();

const KEYS = new Listing<ClientKey, ClientKeyColumn>({
  select: columnsOf(ClientKey, 'k', ['id', 'clientRowId', 'publicKey', 'expiresAt', ...HISTORY]),
  from: 'client_key k',
  key: 'k.id',
  sort: { id: 'k.id' },
});

const KEYS_OF_ALL = new Listing<PlacedClientKey, AnyClientKeyColumn>({
  select: `${columnsOf(ClientKey, 'k', ['id', 'clientRowId', 'expiresAt', ...HISTORY])},
    c.project_id AS "projectId", p.org_id AS "orgId"`,
  from: 'client_key k JOIN client c ON c.id = k.client_row_id JOIN project p ON p.id = c.project_id',
  key: 'k.id',
  sort: {
    id: 'k.id',
    projectId: 'c.project_id',
    appId: 'k.client_row_id',
    creationDate: 'k.creation_date',
    orgId: 'p.org_id',
    expiresAt: 'k.expires_at',
  },
});

const APPLICATION_OF_KEY = statement(
  'client_key.application',
  'SELECT client_row_id AS "appId" FROM client_key WHERE id = :id',
).rows<{ appId: string }>();

/** Looks up applications of a project, and their keys. */
@Injectable()
export class ClientDirectory {
  constructor(
    @InjectRepository(ClientRow) private readonly rows: Repository<ClientRow>,
    @InjectRepository(ClientKey) private readonly keys: Repository<ClientKey>,
    private readonly database: Database,
  ) {}

  /** @throws DomainError NotFound `client.not_found`, also for an application of another project */
  async get(projectId: string, id: string): Promise<ClientEntry> {
    const client = await this.getById(id);
    if (client.projectId !== projectId) throw clientNotFound();
    return client;
  }

  /** @throws DomainError NotFound `client.not_found` */
  async getById(id: string): Promise<ClientEntry> {
    const client = await this.rows.findOneBy({ id });
    if (!client) throw clientNotFound();
    return client;
  }

  /** The project of an application, and its organization. */
  async findPlace(id: string): Promise<ClientPlace | undefined> {
    return (await this.database.query(PLACE, { id }))[0];
  }

  /** The application with this client id, or else with this id. */
  async findByEitherId(named: string): Promise<FoundClient | undefined> {
    return (await this.database.query(BY_EITHER_ID, { named }))[0];
  }

  /** The applications of this name in projects that the organization owns, or that are granted to it. */
  async findByName(orgId: string, name: string): Promise<FoundClient[]> {
    return this.database.query(BY_NAME, { orgId, name });
  }

  /** Applications of any organization, for those who may read them there (`clientWhere.at`). */
  async listAll(request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    return CLIENTS_OF_ALL.page(this.database, request);
  }

  async list(projectId: string, request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    return CLIENTS.page(this.database, { ...request, where: [equals('c.project_id', projectId), ...request.where] });
  }

  /** @throws DomainError NotFound `client.key_not_found` */
  async getKey(clientRowId: string, id: string): Promise<ClientKey> {
    const key = await this.keys.findOneBy({ id, clientRowId });
    if (!key) throw clientKeyNotFound();
    return key;
  }

  /** The application that has a key. */
  async findApplicationOfKey(keyId: string): Promise<string | undefined> {
    return (await this.database.query(APPLICATION_OF_KEY, { id: keyId }))[0]?.appId;
  }

  /** Keys of the applications of any organization, for those who may read them there (`clientWhere.at`). */
  async listAllKeys(request: ListRequest<AnyClientKeyColumn>): Promise<Page<PlacedClientKey>> {
    return KEYS_OF_ALL.page(this.database, request);
  }

  async listKeys(clientRowId: string, request: ListRequest<ClientKeyColumn>): Promise<Page<ClientKey>> {
    return KEYS.page(this.database, { ...request, where: [equals('k.client_row_id', clientRowId), ...request.where] });
  }
}

/** Filters for a list of keys of any application, beside those of applications. */
export const clientKeyWhere = {
  ofApplication: (appId: string): Condition => equals('k.client_row_id', appId),
  ofProject: (projectId: string): Condition => equals('c.project_id', projectId),
  ofOrg: (orgId: string): Condition => equals('p.org_id', orgId),
} as const;

/** Filters for a list of applications. */
export const clientWhere = {
  name: (how: TextMatch, text: string): Condition => textMatches(searched('c.name'), how, text),
  ofProject: (projectId: string): Condition => equals('c.project_id', projectId),
  state: (state: ClientState | 'removed'): Condition => equals('c.state', state),
  kind: (kind: ClientKind): Condition => equals('c.kind', kind),
  clientId: (clientId: string): Condition => equals('c.client_id', clientId),
  /** Those of the projects of these organizations, and of these projects. */
  at: (orgIds: readonly string[], projectIds: readonly string[]): Condition =>
    anyOf([isOneOf('p.org_id', orgIds), isOneOf('c.project_id', projectIds)]),
} as const;
