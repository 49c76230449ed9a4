import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { JWK } from 'jose';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Secret } from '../../foundation/config/secret.js';
import { sha256 } from '../../foundation/crypto/digest.js';
import { newId } from '../../foundation/crypto/id.js';
import { publicKeyProblem } from '../../foundation/crypto/public-key.js';
import { randomClientSecret } from '../../foundation/crypto/random.js';
import { CachedReads } from '../../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { changedValues } from '../../foundation/database/changed-values.js';
import type { Transaction } from '../../foundation/database/database.js';
import { isUniqueViolation } from '../../foundation/database/database-failure.js';
import { statement } from '../../foundation/database/statement.js';
import { type EventMark, Journal, lastMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { expiryOf } from '../../foundation/time/expiry.js';
import { isServiceUser } from '../../user/client-ids.js';
import { Project } from '../project.entity.js';
import { projectNotFound } from '../project.errors.js';
import { type ClientAdministration, type ClientKind, ClientRow, type ClientState } from './client.entity.js';
import {
  applicationIdTaken,
  clientDescribedElsewhere,
  clientIdTaken,
  clientInvalid,
  clientKeyNotFound,
  clientNameTaken,
  clientNotFound,
  clientOfOtherKind,
  clientStateUnchanged,
  clientWithoutKeys,
  clientWithoutSecret,
} from './client.errors.js';
import type { Client } from './client.js';
import { ClientRepository } from './client.repository.js';
import { ClientKey } from './client-key.entity.js';
import {
  type ClientSettings,
  isAnsweredByExtension,
  type NewClient,
  settingsViolations,
  usesSecret,
} from './client-settings.js';
import { Consents } from './consents.js';
import { DocumentClients } from './document/document-clients.js';
import { ExtGrants } from './ext-grants.js';

export type { NewClient } from './client-settings.js';

/** The secret, which is returned only here. */
export interface RegisteredClient {
  readonly id: string;
  readonly clientId: string;
  readonly secret: Secret | undefined;
  readonly mark: EventMark;
}

export interface NewClientKey {
  readonly publicKey: JWK;
  /** The expiry of the key; absent if it never expires. */
  readonly expiresAt?: Date | undefined;
}

const REGISTERED = statement(
  'client.registered',
  'SELECT client_id AS "clientId" FROM client WHERE client_id = ANY(:clientIds::text[])',
).rows<{ clientId: string }>();

/** Applications by id, regardless of the owner: `management/project` decides which ones an organization may access. */
@Injectable()
export class ClientService {
  private readonly cache: CachedReads<Client>;

  constructor(
    @InjectRepository(ClientRow) private readonly rows: Repository<ClientRow>,
    @InjectRepository(ClientKey) private readonly keys: Repository<ClientKey>,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    private readonly clients: ClientRepository,
    private readonly documents: DocumentClients,
    private readonly consents: Consents,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {
    this.cache = new CachedReads(changes, 'client', (clientId) => this.clients.findActive(clientId));
  }

  /** The client if it, its project and its organization are active; cached. */
  async findActive(clientId: string): Promise<Client | undefined> {
    const document = this.documents.allowed(clientId);
    return document ? this.documents.find(document) : this.findStored(clientId);
  }

  /**
   * Like `findActive`, for an authorization request: the metadata document of a client that describes itself is read if
   * the known one no longer counts.
   * @throws DomainError FailedPrecondition `client.document_refused`; ResourceExhausted
   */
  async findForAuthorization(clientId: string): Promise<Client | undefined> {
    const document = this.documents.allowed(clientId);
    return document ? this.documents.findCurrent(document) : this.findStored(clientId);
  }

  /** A user has consented to what the client says of itself. */
  async keepConsented(client: Client): Promise<void> {
    await this.documents.keep(client);
  }

  /** Like `findActive`, but reads the database. */
  async findActiveAnew(clientId: string): Promise<Client | undefined> {
    return this.cache.findAnew(clientId);
  }

  /**
   * @throws DomainError InvalidArgument with every violation; NotFound; AlreadyExists `client.name_taken`,
   * `client.id_taken` (also by a service user), `client.application_id_taken`
   */
  async register(tx: Transaction, given: NewClient, editorId: string): Promise<RegisteredClient> {
    const input = {
      ...given,
      accessTokenHeaderType: given.accessTokenHeaderType ?? this.issuer.accessTokenHeaderType,
      requireAssertionId: given.requireAssertionId ?? !this.issuer.isOfAnotherVendor,
    };
    checkSettings(input);
    this.checkGrants(input.extensionGrants ?? [], []);
    const project = await tx.of(this.projects).findOneBy({ id: input.projectId });
    if (!project) throw projectNotFound();
    const id = input.id ?? newId();
    const clientId = input.clientId ?? newId();
    if (await isServiceUser(tx, [clientId, id])) throw clientIdTaken();
    const secret = usesSecret(input.authMethod) ? new Secret(randomClientSecret()) : undefined;
    const mark = await this.journal.append(tx, {
      aggregateType: 'client',
      aggregateId: id,
      type: isAnsweredByExtension(input.kind) ? 'client.extension.added' : `client.${input.kind}.added`,
      orgId: project.orgId,
      editorId,
      payload: { ...input, clientId },
    });
    await saving(() =>
      tx.of(this.rows).insert({
        ...input,
        id,
        clientId,
        secretHash: secret ? sha256(secret.reveal()) : null,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      }),
    );
    await this.changes.announce(tx, 'client', clientId);
    await this.announceProfile(tx, input);
    return { id, clientId, secret, mark };
  }

  /** The texts among these that are client ids, whether or not the applications are active. */
  async registeredAmong(tx: Transaction, clientIds: readonly string[]): Promise<string[]> {
    return (await tx.query(REGISTERED, { clientIds })).map(({ clientId }) => clientId);
  }

  /** Finds an application whether or not it is active. */
  async findRegistered(tx: Transaction, clientId: string): Promise<ClientRow | undefined> {
    return (await tx.of(this.rows).findOneBy({ clientId })) ?? undefined;
  }

  /**
   * The application, locked until the transaction ends; with `projectId` only if it belongs to that project, with
   * `kind` only if it is of that kind.
   * @throws DomainError NotFound `client.not_found`; FailedPrecondition `client.not_oidc`, `client.not_api`
   */
  async getLocked(
    tx: Transaction,
    id: string,
    expected: { readonly projectId?: string; readonly kind?: ClientKind } = {},
  ): Promise<ClientRow> {
    const where = expected.projectId === undefined ? { id } : { id, projectId: expected.projectId };
    const client = await tx.of(this.rows).findOne({ where, lock: { mode: 'pessimistic_write' } });
    if (!client) throw clientNotFound();
    if (expected.kind !== undefined && client.kind !== expected.kind) throw clientOfOtherKind(expected.kind);
    return client;
  }

  /** Like `getLocked`, but undefined if there is no such application. */
  async findLocked(tx: Transaction, id: string): Promise<ClientRow | undefined> {
    const client = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    return client ?? undefined;
  }

  /** Ends the token with which an application changes its registration. */
  async raiseRegistration(tx: Transaction, client: ClientRow, editorId: string): Promise<EventMark> {
    const { version, ...limits } = client.registration ?? { version: 0, redirectHosts: [], deviceCode: false };
    const registration = { ...limits, version: version + 1 };
    return this.save(tx, client, { registration }, 'client.registration.renewed', editorId, {});
  }

  /**
   * Replaces the secret; the old one becomes invalid with the commit.
   * @throws DomainError NotFound; FailedPrecondition `client.no_secret`
   */
  async regenerateSecret(tx: Transaction, id: string, editorId: string): Promise<{ secret: Secret; mark: EventMark }> {
    const client = await this.getLocked(tx, id);
    if (!usesSecret(client.authMethod)) throw clientWithoutSecret();
    const secret = new Secret(randomClientSecret());
    const mark = await this.save(
      tx,
      client,
      { secretHash: sha256(secret.reveal()) },
      'client.secret.changed',
      editorId,
      {},
    );
    return { secret, mark };
  }

  /**
   * Changes the settings; the same ones again change nothing. An application that no longer authenticates with a secret
   * loses it.
   * @throws DomainError InvalidArgument with every violation; NotFound; AlreadyExists `client.name_taken`
   */
  async changeSettings(
    tx: Transaction,
    id: string,
    settings: Partial<ClientSettings>,
    editorId: string,
  ): Promise<EventMark> {
    const client = await this.getLocked(tx, id);
    checkSettings({ ...client, ...settings });
    this.checkGrants(settings.extensionGrants ?? [], client.extensionGrants);
    const changed = changedValues(client, settings);
    if (Object.keys(changed).length === 0) return lastMark(client);
    if (changed.redirectUris !== undefined || changed.clientType !== undefined || changed.devMode === true)
      await this.consents.forgetAllOf(tx, id);
    const secretHash = usesSecret(changed.authMethod ?? client.authMethod) ? client.secretHash : null;
    return this.save(tx, client, { ...changed, secretHash }, 'client.settings.changed', editorId, changed);
  }

  /**
   * Whether the application may use all rights of its users in the administrative API, of whatever organizations.
   * @throws DomainError NotFound `client.not_found`; FailedPrecondition `client.described_elsewhere`
   */
  async changeAdministration(
    tx: Transaction,
    id: string,
    administration: ClientAdministration,
    editorId: string,
  ): Promise<EventMark> {
    const client = await this.getLocked(tx, id);
    if (client.origin !== 'administrator') throw clientDescribedElsewhere();
    if (client.administration === administration) return lastMark(client);
    if (administration === 'allowed') await this.consents.forgetAllOf(tx, id);
    const type = 'client.administration.changed';
    return this.save(tx, client, { administration }, type, editorId, { administration });
  }

  /** @throws DomainError NotFound `client.not_found`; FailedPrecondition `client.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: ClientState, editorId: string): Promise<EventMark> {
    const client = await this.getLocked(tx, id);
    if (client.state === state) throw clientStateUnchanged(state);
    const type = state === 'active' ? 'client.reactivated' : 'client.deactivated';
    return this.save(tx, client, { state }, type, editorId, {});
  }

  /**
   * Removes the application; its secret, keys and tokens become invalid with the commit.
   * @throws DomainError NotFound `client.not_found`
   */
  async remove(tx: Transaction, id: string, editorId: string, type = 'client.removed'): Promise<EventMark> {
    const client = await this.getLocked(tx, id);
    for (const key of await tx.of(this.keys).findBy({ clientRowId: id })) {
      await this.append(tx, client, 'client.key.removed', editorId, { keyId: key.id });
    }
    const mark = await this.append(tx, client, type, editorId, { name: client.name, clientId: client.clientId });
    await tx.of(this.rows).delete({ id });
    await this.changes.announce(tx, 'client', client.clientId);
    return mark;
  }

  /** Removes all applications of a project, with an event for each. */
  async removeAllOf(tx: Transaction, projectId: string, editorId: string): Promise<void> {
    const clients = await tx.of(this.rows).find({
      where: { projectId },
      select: { id: true },
      order: { id: 'ASC' },
    });
    for (const { id } of clients) await this.remove(tx, id, editorId, 'client.cascade.removed');
  }

  /**
   * Registers a public key for private_key_jwt; its id is the `kid`.
   * @throws DomainError InvalidArgument for a weak, private or expired key; NotFound; FailedPrecondition
   * `client.no_keys`
   */
  async addKey(
    tx: Transaction,
    id: string,
    { publicKey, expiresAt: givenExpiry }: NewClientKey,
    editorId: string,
  ): Promise<{ id: string; mark: EventMark }> {
    const problem = publicKeyProblem(publicKey);
    if (problem !== undefined) throw clientInvalid([{ field: 'publicKey', description: problem }]);
    const expiresAt = expiryOf(givenExpiry, this.clock.now(), clientInvalid);
    const client = await this.getLocked(tx, id);
    if (client.authMethod !== 'private_key_jwt') throw clientWithoutKeys();
    const keyId = newId();
    const mark = await this.save(tx, client, {}, 'client.key.added', editorId, { keyId, expiresAt });
    await tx.of(this.keys).insert({
      id: keyId,
      clientRowId: id,
      publicKey,
      expiresAt,
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
    return { id: keyId, mark };
  }

  /** @throws DomainError NotFound `client.not_found`, `client.key_not_found` */
  async removeKey(tx: Transaction, id: string, keyId: string, editorId: string): Promise<EventMark> {
    const client = await this.getLocked(tx, id);
    const { affected } = await tx.of(this.keys).delete({ id: keyId, clientRowId: id });
    if (affected !== 1) throw clientKeyNotFound();
    return this.save(tx, client, {}, 'client.key.removed', editorId, { keyId });
  }

  /** Values of an extension that is not loaded may stay, but none may be added. @throws DomainError InvalidArgument */
  private checkGrants(names: readonly string[], before: readonly string[]): void {
    const strange = this.grants.lacking(names).filter((name) => !before.includes(name));
    if (strange.length > 0)
      throw clientInvalid(
        strange.map((name) => ({
          field: `extensionGrants.names[${names.indexOf(name)}]`,
          description: 'must be a grant of an extension that is loaded',
        })),
      );
  }

  /** Documents of hosts that the operator no longer names count for nothing, and neither does what was kept of them. */
  private async findStored(clientId: string): Promise<Client | undefined> {
    const client = await this.cache.find(clientId);
    return client?.settings.origin === 'document' ? undefined : client;
  }

  private async save(
    tx: Transaction,
    client: ClientRow,
    values: Partial<ClientRow>,
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    const mark = await this.append(tx, client, type, editorId, payload);
    await saving(() =>
      tx.of(this.rows).update({ id: client.id }, { ...values, sequence: mark.sequence, changeDate: mark.at }),
    );
    await this.changes.announce(tx, 'client', client.clientId);
    await this.announceProfile(tx, values);
    return mark;
  }

  /** An application that is held to FAPI 2.0 needs a key of another algorithm, which the metadata name. */
  private async announceProfile(tx: Transaction, { securityProfile = 'none' }: Partial<ClientRow>): Promise<void> {
    if (securityProfile !== 'none') await this.changes.announce(tx, 'key', EVERYTHING);
  }

  private async append(
    tx: Transaction,
    client: ClientRow,
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    const { orgId } = await tx.of(this.projects).findOneByOrFail({ id: client.projectId });
    return this.journal.append(tx, { aggregateType: 'client', aggregateId: client.id, type, orgId, editorId, payload });
  }
}

function checkSettings(input: NewClient): void {
  const violations = settingsViolations(input);
  if (violations.length > 0) throw clientInvalid(violations);
}

async function saving(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isUniqueViolation(error, 'client_project_name_key')) throw clientNameTaken();
    if (isUniqueViolation(error, 'client_pkey')) throw applicationIdTaken();
    throw isUniqueViolation(error) ? clientIdTaken() : error;
  }
}
