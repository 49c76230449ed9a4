import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../../foundation/database/columns.js';
import { type Condition, equals, searched, type TextMatch, textMatches } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { ClientRow } from './client.entity.js';
import { clientKeyNotFound, clientNotFound } from './client.errors.js';
import { ClientKey } from './client-key.entity.js';
import { SETTING_NAMES } from './client-settings.js';

/** An application as shown: everything except the digest of its secret and internal ids. */
export type ClientEntry = Omit<ClientRow, 'secretHash' | 'clientEpoch' | 'registration'>;

export type ClientColumn = 'name';
export type ClientKeyColumn = 'id';

const CLIENTS = new Listing<ClientEntry, ClientColumn>({
  select: columnsOf(ClientRow, 'c', ['id', 'clientId', 'state', 'administration', ...SETTING_NAMES, ...HISTORY]),
  from: 'client c',
  key: 'c.id',
  sort: { name: 'c.name' },
});

const KEYS = new Listing<ClientKey, ClientKeyColumn>({
  select: columnsOf(ClientKey, 'k', ['id', 'clientRowId', 'publicKey', 'expiresAt', ...HISTORY]),
  from: 'client_key k',
  key: 'k.id',
  sort: { id: 'k.id' },
});

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

  async list(projectId: string, request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    return CLIENTS.page(this.database, { ...request, where: [equals('c.project_id', projectId), ...request.where] });
  }

  /** @throws DomainError NotFound `client.key_not_found` */
  async getKey(clientRowId: string, id: string): Promise<ClientKey> {
    const key = await this.keys.findOneBy({ id, clientRowId });
    if (!key) throw clientKeyNotFound();
    return key;
  }

  async listKeys(clientRowId: string, request: ListRequest<ClientKeyColumn>): Promise<Page<ClientKey>> {
    return KEYS.page(this.database, { ...request, where: [equals('k.client_row_id', clientRowId), ...request.where] });
  }
}

/** Filters for a list of applications. */
export const clientWhere = {
  name: (how: TextMatch, text: string): Condition => textMatches(searched('c.name'), how, text),
} as const;
