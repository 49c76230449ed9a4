import { Injectable } from '@nestjs/common';
import {
  type ApplicationPlace,
  Callers,
  Database,
  DomainError,
  Journal,
  ManagedApplications,
  type Sql,
} from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { applicationAdded, applicationChanged, applicationRemoved } from '../saml.events.js';
import {
  applicationUnknown,
  certificateMissing,
  entityOther,
  entityTaken,
  metadataUrlMissing,
} from './application.errors.js';
import type { AttributeMapping } from './attribute-mapping.js';
import { EntityIds } from './entity-ids.js';
import type { NameIdFormat } from './registered-applications.js';
import { type MetadataSource, ServiceProviderMetadata, type TakenMetadata } from './service-provider-metadata.js';

/** What managers say of an application beside its metadata. */
export interface ApplicationSettings {
  readonly name: string;
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly AttributeMapping[];
  readonly allowIdpInitiated: boolean;
  readonly requireSignedRequests: boolean;
}

/** An application as managers see it. */
export interface ManagedSamlApplication extends ApplicationSettings {
  readonly applicationId: string;
  readonly state: 'active' | 'inactive';
  readonly entityId: string;
  readonly metadata: string;
  readonly metadataUrl: string;
  readonly readAt: Date;
  readonly validUntil: Date | null;
}

const COLUMNS = `a.client_id AS "applicationId", c.name, c.state, a.entity_id AS "entityId", a.metadata,
  a.metadata_url AS "metadataUrl", a.read_at AS "readAt", a.valid_until AS "validUntil",
  a.name_id_format AS "nameIdFormat", a.attributes, a.allow_idp_initiated AS "allowIdpInitiated",
  a.require_signed_requests AS "requireSignedRequests"`;

const FIND = `SELECT ${COLUMNS}
  FROM ext_saml.application a
  JOIN client c ON c.id = a.client_id AND c.project_id = :projectId
  JOIN project p ON p.id = c.project_id AND p.org_id = :orgId
  WHERE a.client_id = :applicationId`;

/** OFFSET 0 keeps a planner without statistics from reading the applications of all projects. */
const LIST = `SELECT ${COLUMNS}
  FROM project p
  JOIN client c ON c.project_id = p.id
  CROSS JOIN LATERAL (SELECT * FROM ext_saml.application one WHERE one.client_id = c.id OFFSET 0) a
  WHERE p.id = :projectId AND p.org_id = :orgId
  ORDER BY c.id OFFSET :offset LIMIT :limit`;

const ADD = `INSERT INTO ext_saml.application (client_id, entity_id, metadata, metadata_url, read_at, valid_until,
    name_id_format, attributes, allow_idp_initiated, require_signed_requests)
  VALUES (:clientId, :entityId, :metadata, :metadataUrl, :readAt, :validUntil,
    :nameIdFormat, :attributes, :allowIdpInitiated, :requireSignedRequests)
  ON CONFLICT (entity_id) DO NOTHING
  RETURNING client_id`;

const CHANGE = `UPDATE ext_saml.application
  SET name_id_format = :nameIdFormat, attributes = :attributes, allow_idp_initiated = :allowIdpInitiated,
    require_signed_requests = :requireSignedRequests
  WHERE client_id = :clientId`;

const REPLACE = `UPDATE ext_saml.application a
  SET entity_id = :entityId, metadata = :metadata, metadata_url = :metadataUrl, read_at = :readAt,
    valid_until = :validUntil
  WHERE a.client_id = :clientId
    AND NOT EXISTS (SELECT 1 FROM ext_saml.application o WHERE o.entity_id = :entityId AND o.client_id <> a.client_id)
  RETURNING a.client_id`;

/** Two at once would both find that nobody has the entityID. */
const TAKE_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('ext_saml ' || :entityId, 0))`;

/** Applications that speak SAML, as a caller may manage them. */
@Injectable()
export class Applications {
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly callers: Callers,
    private readonly managed: ManagedApplications,
    private readonly taking: ServiceProviderMetadata,
    private readonly entityIds: EntityIds,
  ) {}

  /** @throws DomainError `saml.…`, and those of `ManagedApplications.add` */
  async add(
    caller: Caller,
    projectId: string,
    { metadata, metadataUrl, ...settings }: ApplicationSettings & MetadataSource,
  ): Promise<string> {
    const taken = await this.taking.take({ metadata, metadataUrl });
    checkVerifiable(settings, taken.serviceProvider.signingCertificates);
    await this.entityIds.check(caller, taken.serviceProvider.entityId);
    return this.database.transaction(async (tx) => {
      const { id } = await this.managed.add(caller, { projectId, name: settings.name }, tx);
      await this.takeTurn(tx, taken);
      const added = await tx.query(ADD, { clientId: id, ...metadataColumns(taken), ...settingColumns(settings) });
      if (added.length === 0) throw entityTaken();
      await this.journal.append(tx, applicationAdded, { ...about(caller, id), payload: { projectId } });
      return id;
    });
  }

  /** @throws DomainError NotFound; PermissionDenied */
  async find(caller: Caller, place: ApplicationPlace): Promise<ManagedSamlApplication> {
    await this.managed.find(caller, place);
    return this.row(this.database, caller, place);
  }

  /** @throws DomainError PermissionDenied */
  async list(
    caller: Caller,
    projectId: string,
    range: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ManagedSamlApplication[]> {
    if (!this.callers.may(caller, 'project.app.read'))
      throw new DomainError('PermissionDenied', 'saml.not_permitted', 'It needs the permission project.app.read too.');
    return this.database.query<ManagedSamlApplication>(LIST, { orgId: caller.orgId, projectId, ...range });
  }

  /** @throws DomainError `saml.certificate_missing`, and those of `ManagedApplications` */
  async change(caller: Caller, place: ApplicationPlace, settings: ApplicationSettings): Promise<void> {
    const { applicationId, projectId } = place;
    await this.database.transaction(async (tx) => {
      await this.managed.hold(caller, place, tx);
      const before = await this.row(tx, caller, place);
      checkVerifiable(settings, this.taking.check(before.metadata, before.readAt).signingCertificates);
      const changed = changedSettings(before, settings);
      if (changed.length === 0) return;
      if (changed.includes('name')) await this.managed.rename(caller, place, settings.name, tx);
      await tx.query(CHANGE, { clientId: applicationId, ...settingColumns(settings) });
      await this.journal.append(tx, applicationChanged, {
        ...about(caller, applicationId),
        payload: { projectId, changed },
      });
    });
  }

  /** @throws DomainError `saml.…`; `outbound.…`; NotFound; PermissionDenied */
  async setMetadata(caller: Caller, place: ApplicationPlace, source: MetadataSource): Promise<void> {
    await this.replace(caller, place, await this.taking.take(source));
  }

  /** @throws DomainError NotFound `saml.metadata_url_missing`; InvalidArgument `saml.entity_other`; as `setMetadata` */
  async readMetadata(caller: Caller, place: ApplicationPlace): Promise<void> {
    const { metadataUrl, entityId } = await this.find(caller, place);
    if (metadataUrl === '') throw metadataUrlMissing();
    const taken = await this.taking.take({ metadata: '', metadataUrl });
    if (taken.serviceProvider.entityId !== entityId) throw entityOther();
    await this.replace(caller, place, taken);
  }

  /** @throws DomainError NotFound; PermissionDenied */
  async remove(caller: Caller, place: ApplicationPlace): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.managed.remove(caller, place, tx);
      await this.journal.append(tx, applicationRemoved, {
        ...about(caller, place.applicationId),
        payload: { projectId: place.projectId },
      });
    });
  }

  private async replace(caller: Caller, place: ApplicationPlace, taken: TakenMetadata): Promise<void> {
    const { applicationId, projectId } = place;
    await this.entityIds.check(caller, taken.serviceProvider.entityId);
    await this.database.transaction(async (tx) => {
      await this.managed.hold(caller, place, tx);
      checkVerifiable(await this.row(tx, caller, place), taken.serviceProvider.signingCertificates);
      await this.takeTurn(tx, taken);
      const replaced = await tx.query(REPLACE, { clientId: applicationId, ...metadataColumns(taken) });
      if (replaced.length === 0) throw entityTaken();
      await this.journal.append(tx, applicationChanged, {
        ...about(caller, applicationId),
        payload: { projectId, changed: ['metadata'] },
      });
    });
  }

  private async takeTurn(tx: Sql, { serviceProvider: { entityId } }: TakenMetadata): Promise<void> {
    await tx.query(TAKE_TURN, { entityId });
  }

  private async row(
    on: Sql,
    { orgId }: Caller,
    { projectId, applicationId }: ApplicationPlace,
  ): Promise<ManagedSamlApplication> {
    const [row] = await on.query<ManagedSamlApplication>(FIND, { orgId, projectId, applicationId });
    if (!row) throw applicationUnknown();
    return row;
  }
}

function about({ userId, orgId }: Caller, aggregateId: string) {
  return { aggregateId, orgId, editorId: userId };
}

function metadataColumns({ xml, url, readAt, serviceProvider }: TakenMetadata) {
  return {
    entityId: serviceProvider.entityId,
    metadata: xml,
    metadataUrl: url,
    readAt,
    validUntil: serviceProvider.validUntil ?? null,
  };
}

function settingColumns({ nameIdFormat, attributes, allowIdpInitiated, requireSignedRequests }: ApplicationSettings) {
  return { nameIdFormat, attributes: JSON.stringify(attributes), allowIdpInitiated, requireSignedRequests };
}

/** @throws DomainError InvalidArgument `saml.certificate_missing` */
function checkVerifiable(
  { requireSignedRequests }: Pick<ApplicationSettings, 'requireSignedRequests'>,
  certificates: readonly unknown[],
): void {
  if (requireSignedRequests && certificates.length === 0) throw certificateMissing();
}

const SETTINGS = ['name', 'nameIdFormat', 'attributes', 'allowIdpInitiated', 'requireSignedRequests'] as const;

function changedSettings(before: ApplicationSettings, after: ApplicationSettings): readonly string[] {
  return SETTINGS.filter((name) => shown(before[name]) !== shown(after[name]));
}

/** As it can be compared, whatever order the database gives to the members of a mapping. */
function shown(setting: ApplicationSettings[keyof ApplicationSettings]): string {
  return typeof setting === 'object'
    ? JSON.stringify(setting.map(({ source, name }) => [source, name]))
    : String(setting);
}
