import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { sha256 } from '../crypto/digest.js';
import { newId } from '../crypto/id.js';
import { publicKeyProblem } from '../crypto/public-key.js';
import { randomClientSecret } from '../crypto/random.js';
import { Secret } from '../crypto/secret.js';
import { CachedReads } from '../database/cached-reads.js';
import { ChangeChannel } from '../database/change-channel.js';
import { isUniqueViolation } from '../database/database-failure.js';
import type { Transaction } from '../database/database.js';
import type { FieldViolation } from '../error/domain-error.js';
import { Journal } from '../event/journal.js';
import { Project } from '../project/project.entity.js';
import { MAX_ACCESS_TOKEN_SECONDS } from '../instance/instance.entity.js';
import { isServiceUser } from '../user/client-ids.js';
import { ClientKey } from './client-key.entity.js';
import { ClientRow, type ClientState } from './client.entity.js';
import { clientIdTaken, clientInvalid, clientNotFound, clientStateUnchanged } from './client.errors.js';
import { ClientRepository } from './client.repository.js';
import type { Client } from './client.js';
import { redirectUriProblem } from './redirect-uri.js';

type Settings = Omit<ClientRow, 'id' | 'clientId' | 'secretHash' | 'sequence' | 'creationDate' | 'changeDate' | 'state'>;

/** What must be said about a new client; the rest has defaults. Ids are given by an import, and made otherwise. */
export type NewClient = Pick<Settings, 'projectId' | 'kind' | 'name' | 'authMethod'> &
  Partial<Settings> & { id?: string; clientId?: string };

/** The secret leaves the service here, once. */
export interface RegisteredClient {
  readonly id: string;
  readonly clientId: string;
  readonly secret: Secret | undefined;
}

const MAX_CLOCK_SKEW_SECONDS = 5;
const NEVER = new Date('9999-12-31T23:59:59Z');

@Injectable()
export class ClientService {
  private readonly cache: CachedReads<Client>;

  constructor(
    private readonly clients: ClientRepository,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, 'client', (clientId) => this.clients.findActive(clientId));
  }

  /** The client, if it, its project and its organization are active; from memory where it was asked for lately. */
  async findActive(clientId: string): Promise<Client | undefined> {
    return this.cache.find(clientId);
  }

  /** The same, as the database has it at this moment. */
  async findActiveAnew(clientId: string): Promise<Client | undefined> {
    return this.cache.findAnew(clientId);
  }

  /** @throws DomainError InvalidArgument with every violation; AlreadyExists `client.id_taken` (also by a service user) */
  async register(tx: Transaction, input: NewClient, editorId: string): Promise<RegisteredClient> {
    checkSettings(input);
    const project = await tx.entities.findOneByOrFail(Project, { id: input.projectId });
    const id = input.id ?? newId();
    const clientId = input.clientId ?? newId();
    if (await isServiceUser(tx, [clientId, id])) throw clientIdTaken();
    const secret = usesSecret(input.authMethod) ? new Secret(randomClientSecret()) : undefined;
    const mark = await this.journal.append(tx, {
      aggregateType: 'client', aggregateId: id, type: `client.${input.kind}.added`, orgId: project.orgId, editorId,
      payload: { ...input, clientId },
    });
    try {
      await tx.entities.insert(ClientRow, {
        ...input, id, clientId, secretHash: secret ? sha256(secret.reveal()) : null,
        sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error, 'client_client_id_key') ? clientIdTaken() : error;
    }
    await this.changes.announce(tx, 'client', clientId);
    return { id, clientId, secret };
  }

  /** Replaces the secret; the old one is dead with the commit. @throws DomainError NotFound `client.not_found` */
  async regenerateSecret(tx: Transaction, id: string, editorId: string): Promise<Secret> {
    const secret = new Secret(randomClientSecret());
    await this.change(tx, id, { secretHash: sha256(secret.reveal()) }, 'client.secret.changed', editorId);
    return secret;
  }

  /** @throws DomainError InvalidArgument with every violation; NotFound `client.not_found` */
  async changeSettings(tx: Transaction, id: string, settings: Partial<Settings>, editorId: string): Promise<void> {
    const client = await this.get(tx, id);
    checkSettings({ ...client, ...settings });
    await this.change(tx, id, settings, 'client.settings.changed', editorId);
  }

  /** @throws DomainError NotFound `client.not_found`; FailedPrecondition `client.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: ClientState, editorId: string): Promise<void> {
    const client = await this.get(tx, id);
    if (client.state === state) throw clientStateUnchanged(state);
    await this.change(tx, id, { state }, state === 'active' ? 'client.reactivated' : 'client.deactivated', editorId);
  }

  /**
   * Registers a public key for private_key_jwt and answers its `kid`.
   * @throws DomainError InvalidArgument for a weak or secret key; NotFound `client.not_found`
   */
  async addKey(tx: Transaction, id: string, publicKey: JWK, editorId: string, expiresAt: Date = NEVER): Promise<string> {
    const problem = publicKeyProblem(publicKey);
    if (problem !== undefined) throw clientInvalid([{ field: 'publicKey', description: problem }]);
    const keyId = newId();
    const mark = await this.change(tx, id, {}, 'client.key.added', editorId, { keyId, expiresAt });
    await tx.entities.insert(ClientKey, {
      id: keyId, clientRowId: id, publicKey, expiresAt, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
    });
    return keyId;
  }

  private async get(tx: Transaction, id: string): Promise<ClientRow> {
    const client = await tx.entities.findOneBy(ClientRow, { id });
    if (!client) throw clientNotFound();
    return client;
  }

  private async change(
    tx: Transaction,
    id: string,
    values: Partial<ClientRow>,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = Object.hasOwn(values, 'secretHash') ? {} : values,
  ): ReturnType<Journal['append']> {
    const client = await this.get(tx, id);
    const project = await tx.entities.findOneByOrFail(Project, { id: client.projectId });
    const mark = await this.journal.append(tx, {
      aggregateType: 'client', aggregateId: id, type, orgId: project.orgId, editorId, payload,
    });
    await tx.entities.update(ClientRow, { id }, { ...values, sequence: mark.sequence, changeDate: mark.at });
    await this.changes.announce(tx, 'client', client.clientId);
    return mark;
  }
}

function usesSecret(authMethod: Settings['authMethod']): boolean {
  return authMethod === 'client_secret_basic' || authMethod === 'client_secret_post';
}

function checkSettings(input: NewClient): void {
  const client = { clientType: input.clientType ?? 'web', devMode: input.devMode ?? false };
  const violations: FieldViolation[] = [];
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    (input[field] ?? []).forEach((uri, index) => {
      const problem = redirectUriProblem(uri, client);
      if (problem !== undefined) violations.push({ field: `${field}[${index}]`, description: problem });
    });
  }
  const grants = input.grantTypes ?? [];
  for (const responseType of input.responseTypes ?? []) {
    const grant = responseType === 'code' ? 'authorization_code' : 'implicit';
    if (!grants.includes(grant)) {
      violations.push({ field: 'grantTypes', description: `must contain ${grant} for the response type ${responseType}` });
    }
  }
  for (const field of ['accessTokenSeconds', 'idTokenSeconds'] as const) {
    const lifetime = input[field] ?? 1;
    if (lifetime < 1 || lifetime > MAX_ACCESS_TOKEN_SECONDS) {
      violations.push({ field, description: `must be 1 to ${MAX_ACCESS_TOKEN_SECONDS} seconds` });
    }
  }
  const skew = input.clockSkewSeconds ?? 0;
  if (skew < 0 || skew > MAX_CLOCK_SKEW_SECONDS) {
    violations.push({ field: 'clockSkew', description: `must be 0 to ${MAX_CLOCK_SKEW_SECONDS} seconds` });
  }
  if (violations.length > 0) throw clientInvalid(violations);
}
