import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { newId } from '../../../foundation/crypto/id.js';
import { takeLockOn } from '../../../foundation/database/advisory-lock.js';
import { CachedReads } from '../../../foundation/database/cached-reads.js';
import { ChangeChannel } from '../../../foundation/database/change-channel.js';
import { Database } from '../../../foundation/database/database.js';
import { statement } from '../../../foundation/database/statement.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Journal, SYSTEM } from '../../../foundation/event/journal.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { Project } from '../../project.entity.js';
import { ClientRow } from '../client.entity.js';
import { Client, NO_EPOCH } from '../client.js';
import { ClientRepository } from '../client.repository.js';
import { DEFAULT_SETTINGS, keptSettingsOf } from '../client-settings.js';
import { RegisteredProject } from '../registered-project.js';
import { ClientDocuments, type DocumentSettings } from './client-documents.js';
import type { DocumentUrl } from './document-url.js';

/** The state of a client ID in the database: an active application, one that may not be used, or nothing. */
interface Stored {
  readonly client: Client | undefined;
  readonly isBlocked: boolean;
}

const EXISTS = statement('client.exists', 'SELECT 1 AS one FROM client WHERE client_id = :clientId').rows<{
  one: number;
}>();

/** Applications by the documents that describe them. A row is written when the first user consents. */
@Injectable()
export class DocumentClients {
  private readonly stored: CachedReads<Stored>;

  constructor(
    @InjectRepository(ClientRow) private readonly rows: Repository<ClientRow>,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    private readonly database: Database,
    private readonly documents: ClientDocuments,
    private readonly clients: ClientRepository,
    private readonly instances: InstanceService,
    private readonly project: RegisteredProject,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly issuer: IssuerConfig,
  ) {
    this.stored = new CachedReads(changes, 'client', (clientId) => this.findStored(clientId));
  }

  /** The address of the document, if the client ID is one that may be read. */
  allowed(clientId: string): DocumentUrl | undefined {
    return this.documents.allowed(clientId);
  }

  /** The application as it was last known; a document is fetched only if there is no row. */
  async find(url: DocumentUrl): Promise<Client | undefined> {
    const { client, isBlocked } = await this.storedOf(url);
    if (isBlocked) return undefined;
    if (client) return isDocumented(client) ? client.describedBy(this.documents.findKnown(url) ?? {}) : client;
    try {
      return await this.toClient(url, await this.documents.read(url));
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'FailedPrecondition') return undefined;
      throw error;
    }
  }

  /**
   * The application as its document describes it now.
   * @throws DomainError FailedPrecondition `client.document_refused`; ResourceExhausted
   */
  async findCurrent(url: DocumentUrl): Promise<Client | undefined> {
    const { client, isBlocked } = await this.storedOf(url);
    if (isBlocked) return undefined;
    // An administrator may have registered the address as a client ID: then that counts.
    if (client && !isDocumented(client)) return client;
    const settings = await this.documents.read(url);
    if (!client) return this.toClient(url, settings);
    // The stored application follows the document, so that a later request may use it after the document has left the
    // cache.
    const current = client.describedBy(settings);
    await this.keep(current);
    return current;
  }

  /** A user has consented: from now on there is a row, with the settings that the user agreed to. */
  async keep(client: Client): Promise<void> {
    const url = client.settings.origin === 'document' ? this.documents.allowed(client.id) : undefined;
    if (!url) return;
    const settings = keptSettingsOf(client.settings);
    const { client: stored } = await this.storedOf(url);
    if (stored && isDeepStrictEqual(keptSettingsOf(stored.settings), settings)) return;
    await this.database.transaction(async (tx) => {
      await takeLockOn(tx, `client ${client.id}`); // If two users are the first at the same moment, one writes the row.
      const known = await tx.of(this.rows).findOneBy({ clientId: client.id });
      const project = known
        ? await tx.of(this.projects).findOneByOrFail({ id: known.projectId })
        : await this.project.get(tx);
      const id = known?.id ?? newId();
      const mark = await this.journal.append(tx, {
        aggregateType: 'client',
        aggregateId: id,
        type: known ? 'client.document.changed' : 'client.document.added',
        orgId: project.orgId,
        editorId: SYSTEM,
        payload: { clientId: client.id, ...settings },
      });
      const values = { ...settings, sequence: mark.sequence, changeDate: mark.at };
      if (known) await tx.of(this.rows).update({ id }, values);
      else
        await tx.of(this.rows).insert({
          ...values,
          id,
          projectId: project.id,
          clientId: client.id,
          name: client.id,
          creationDate: mark.at,
        });
      await this.changes.announce(tx, 'client', client.id);
    });
  }

  private async storedOf({ url }: DocumentUrl): Promise<Stored> {
    return (await this.stored.find(url)) ?? { client: undefined, isBlocked: false };
  }

  private async findStored(clientId: string): Promise<Stored> {
    const client = await this.clients.findActive(clientId);
    const isBlocked = client === undefined && (await this.database.query(EXISTS, { clientId })).length > 0;
    return { client, isBlocked };
  }

  private async toClient({ url }: DocumentUrl, settings: DocumentSettings): Promise<Client> {
    const { defaultOrgId, registeredProjectId } = await this.instances.get();
    return new Client(
      {
        ...DEFAULT_SETTINGS,
        accessTokenHeaderType: this.issuer.accessTokenHeaderType,
        ...settings,
        id: '',
        clientId: url,
        clientEpoch: NO_EPOCH,
        name: url,
        secretHash: null,
      },
      {
        id: registeredProjectId ?? '',
        orgId: defaultOrgId,
        projectRoleAssertion: false,
        projectRoleCheck: false,
        hasProjectCheck: false,
        privateLabelingSetting: 'unspecified',
        roleKeys: [],
        grantedOrgIds: [],
      },
      [],
    );
  }
}

function isDocumented(client: Client): boolean {
  return client.settings.origin === 'document';
}
