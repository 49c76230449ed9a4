import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Secret } from '../../foundation/config/secret.js';
import { type IssuedKeyPair, issueRsaKeyPair, readPublicKeyPem } from '../../foundation/crypto/rsa-key.js';
import { Database, type Transaction, type Transactional } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { ClientAdministration, ClientKind, ClientRow, ClientState } from '../../project/client/client.entity.js';
import {
  clientDescribedElsewhere,
  clientInvalid,
  documentationClientKept,
} from '../../project/client/client.errors.js';
import { ClientService, type NewClient, type RegisteredClient } from '../../project/client/client.service.js';
import {
  type AnyClientKeyColumn,
  type ClientColumn,
  ClientDirectory,
  type ClientEntry,
  type ClientKeyColumn,
  clientWhere,
  type PlacedClientKey,
} from '../../project/client/client-directory.js';
import type { ClientKey } from '../../project/client/client-key.entity.js';
import type { ClientSettings } from '../../project/client/client-settings.js';
import { DOCUMENTATION_CLIENT_ID } from '../../project/client/documentation-client.js';
import { APP_IN_PATH } from '../../project/client/in-path.js';
import { Project } from '../../project/project.entity.js';
import { ProjectDirectory } from '../../project/project-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import type { Rights } from '../../user/permission/rights.js';
import { OrgProjects } from './org-projects.js';

/** The location of an application. */
export interface ApplicationPlace {
  readonly projectId: string;
  readonly appId: string;
}

export interface NewApplicationKey {
  /** The expiry of the key; absent if it never expires. */
  readonly expiresAt: Date | undefined;
  /** PEM; empty to have the service generate a pair and return the private key, once. */
  readonly publicPem: string;
}

/** A key, as the application that signs with it keeps it. */
export interface AddedApplicationKey {
  readonly id: string;
  readonly mark: EventMark;
  /** The application's key file as JSON, with the private key; undefined for a key that was brought. */
  readonly details: Secret | undefined;
}

/**
 * The applications of an organization's projects. `on`: the transaction to take part in, in place of one of its own.
 */
@Injectable()
export class Applications {
  constructor(
    @InjectRepository(Project) private readonly rows: Repository<Project>,
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly projects: ProjectDirectory,
    private readonly directory: ClientDirectory,
    private readonly clients: ClientService,
  ) {}

  /**
   * @throws DomainError InvalidArgument with every violation; NotFound; PermissionDenied; AlreadyExists
   * `client.name_taken`, `client.application_id_taken`
   */
  async add(actor: Actor, input: NewClient, on: Transactional = this.database): Promise<RegisteredClient> {
    const description = input.id === undefined ? undefined : APP_IN_PATH.problem(input.id);
    if (description !== undefined) throw invalidFields([{ field: 'applicationId', description }]);
    return on.transaction(async (tx) => {
      await this.own.hold(tx, actor, input.projectId);
      return this.clients.register(tx, input, actor.userId);
    });
  }

  /** @throws DomainError NotFound `project.not_found`, `client.not_found` */
  async get(actor: Actor, { projectId, appId }: ApplicationPlace): Promise<ClientEntry> {
    await this.projects.get(actor.orgId, projectId);
    return this.directory.get(projectId, appId);
  }

  /** @throws DomainError NotFound `project.not_found` */
  async list(actor: Actor, projectId: string, request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    await this.projects.get(actor.orgId, projectId);
    return this.directory.list(projectId, request);
  }

  /** The applications of all organizations and projects where these rights allow to read them. */
  async listAll(rights: Rights, request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    const places = rights.placesOf('project.app.read');
    const visible = places === 'everywhere' ? [] : [clientWhere.at(places.orgIds, places.projectIds)];
    return this.directory.listAll({ ...request, where: [...visible, ...request.where] });
  }

  /**
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; AlreadyExists `client.name_taken`;
   * FailedPrecondition `client.described_elsewhere`
   */
  async rename(actor: Actor, place: ApplicationPlace, name: string, on?: Transactional): Promise<EventMark> {
    const rename = (tx: Transaction, client: ClientRow): Promise<EventMark> =>
      this.clients.changeSettings(tx, changeable(client), { name }, actor.userId);
    return this.changing(actor, place, undefined, rename, on);
  }

  /**
   * Changes what is given. `kind`: only of an application of that kind.
   * @throws DomainError InvalidArgument with every violation; NotFound; PermissionDenied; AlreadyExists
   * `client.name_taken`; FailedPrecondition `client.not_oidc`, `client.not_api`, `client.described_elsewhere`
   */
  async configure(
    actor: Actor,
    place: ApplicationPlace,
    kind: ClientKind | undefined,
    settings: Partial<ClientSettings>,
  ): Promise<EventMark> {
    return this.changing(actor, place, kind, (tx, client) =>
      this.clients.changeSettings(tx, changeable(client), settings, actor.userId),
    );
  }

  /**
   * Finds an application of any organization, as only managers of the instance see it.
   * @throws DomainError NotFound `client.not_found`
   */
  async getAnywhere(appId: string): Promise<{ readonly client: ClientEntry; readonly orgId: string }> {
    const client = await this.directory.getById(appId);
    const { orgId } = await this.rows.findOneByOrFail({ id: client.projectId });
    return { client, orgId };
  }

  /**
   * Decides for an application of any organization, as only owners of the instance may.
   * @throws DomainError NotFound `client.not_found`; FailedPrecondition `client.described_elsewhere`
   */
  async setAdministration(actor: Actor, appId: string, administration: ClientAdministration): Promise<EventMark> {
    return this.database.transaction((tx) =>
      this.clients.changeAdministration(tx, appId, administration, actor.userId),
    );
  }

  /** @throws DomainError NotFound; PermissionDenied; FailedPrecondition `client.state_unchanged` */
  async changeState(actor: Actor, place: ApplicationPlace, state: ClientState): Promise<EventMark> {
    return this.changing(actor, place, undefined, (tx, client) =>
      this.clients.changeState(tx, client.id, state, actor.userId),
    );
  }

  /** @throws DomainError NotFound; PermissionDenied; FailedPrecondition `client.is_documentation` */
  async remove(actor: Actor, place: ApplicationPlace, on?: Transactional): Promise<EventMark> {
    const remove = async (tx: Transaction, client: ClientRow): Promise<EventMark> => {
      if (client.clientId === DOCUMENTATION_CLIENT_ID && (await this.own.isSystem(client.projectId)))
        throw documentationClientKept();
      return this.clients.remove(tx, client.id, actor.userId);
    };
    return this.changing(actor, place, undefined, remove, on);
  }

  /**
   * `kind`: only of an application of that kind.
   * @throws DomainError NotFound; PermissionDenied; FailedPrecondition `client.no_secret`, `client.not_oidc`,
   * `client.not_api`
   */
  async regenerateSecret(
    actor: Actor,
    place: ApplicationPlace,
    kind: ClientKind | undefined,
  ): Promise<{ secret: Secret; mark: EventMark }> {
    return this.changing(actor, place, kind, (tx, client) =>
      this.clients.regenerateSecret(tx, client.id, actor.userId),
    );
  }

  /** @throws DomainError InvalidArgument; NotFound; PermissionDenied; FailedPrecondition `client.no_keys` */
  async addKey(actor: Actor, place: ApplicationPlace, input: NewApplicationKey): Promise<AddedApplicationKey> {
    const pair = await toPair(input.publicPem); // Outside the transaction, because it takes a while.
    return this.changing(actor, place, undefined, async (tx, client) => {
      const { id, mark } = await this.clients.addKey(
        tx,
        client.id,
        { publicKey: pair.publicKey, expiresAt: input.expiresAt },
        actor.userId,
      );
      const file = {
        type: 'application',
        keyId: id,
        key: pair.privatePem,
        appId: client.id,
        clientId: client.clientId,
      };
      return { id, mark, details: pair.privatePem === undefined ? undefined : new Secret(JSON.stringify(file)) };
    });
  }

  /** @throws DomainError NotFound `project.not_found`, `client.not_found`, `client.key_not_found` */
  async getKey(actor: Actor, place: ApplicationPlace, keyId: string): Promise<ClientKey> {
    return this.directory.getKey((await this.get(actor, place)).id, keyId);
  }

  /** The keys of all applications that these rights allow to be read. */
  async listAllKeys(rights: Rights, request: ListRequest<AnyClientKeyColumn>): Promise<Page<PlacedClientKey>> {
    const places = rights.placesOf('project.app.read');
    const visible = places === 'everywhere' ? [] : [clientWhere.at(places.orgIds, places.projectIds)];
    return this.directory.listAllKeys({ ...request, where: [...visible, ...request.where] });
  }

  /** @throws DomainError NotFound `project.not_found`, `client.not_found` */
  async listKeys(
    actor: Actor,
    place: ApplicationPlace,
    request: ListRequest<ClientKeyColumn>,
  ): Promise<Page<ClientKey>> {
    return this.directory.listKeys((await this.get(actor, place)).id, request);
  }

  /** @throws DomainError NotFound `project.not_found`, `client.not_found`, `client.key_not_found`; PermissionDenied */
  async removeKey(actor: Actor, place: ApplicationPlace, keyId: string): Promise<EventMark> {
    return this.changing(actor, place, undefined, (tx, client) =>
      this.clients.removeKey(tx, client.id, keyId, actor.userId),
    );
  }

  private async changing<Result>(
    actor: Actor,
    { projectId, appId }: ApplicationPlace,
    kind: ClientKind | undefined,
    work: (tx: Transaction, client: ClientRow) => Promise<Result>,
    on: Transactional = this.database,
  ): Promise<Result> {
    return on.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      const client = await this.clients.getLocked(tx, appId, { projectId, ...(kind === undefined ? {} : { kind }) });
      // A manager who could change the redirect URI or secret of such an application would get its users' tokens.
      if (client.administration === 'allowed' && !actor.rights.mayEverywhere('iam.write'))
        throw permissionMissing('iam.write');
      return work(tx, client);
    });
  }
}

/** @throws DomainError FailedPrecondition `client.described_elsewhere` */
function changeable({ id, origin }: ClientRow): string {
  if (origin === 'document') throw clientDescribedElsewhere();
  return id;
}

async function toPair(publicPem: string): Promise<Pick<IssuedKeyPair, 'publicKey'> & Partial<IssuedKeyPair>> {
  if (publicPem === '') return issueRsaKeyPair();
  const publicKey = readPublicKeyPem(publicPem);
  if (!publicKey)
    throw clientInvalid([{ field: 'publicKey', description: 'must be a public key in PEM, and not a private one' }]);
  return { publicKey };
}
