import { Injectable } from '@nestjs/common';
import { readVersion } from '../../foundation/config/version.js';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import { type EndingCredential, EndingCredentials } from '../../management/overview/ending-credentials.js';
import { OperationStates } from '../../management/overview/operation-states.js';
import type { DocsLink, OverviewServiceProps } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { KeyService } from '../../token/key/key.service.js';
import type { SigningKey } from '../../token/key/signing-key.entity.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks } from '../kit/docs-link.js';
import { personPath } from './addresses.js';
import { toMailLine } from './mail-line.js';
import type { OverviewVisit } from './overview-visit.js';
import { credentialOrgs, webhookOwners } from './reach.js';

const VERSION = readVersion();

/** How the work behind the requests goes, and what ends soon. */
@Injectable()
export class ServicePage {
  constructor(
    private readonly states: OperationStates,
    private readonly credentials: EndingCredentials,
    private readonly keys: KeyService,
    private readonly loaded: LoadedExtensions,
    private readonly record: PartRecord,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found` */
  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { frame, actor, place } = visit;
    if (!frame.sections.some(({ name }) => name === 'service')) throw pageNotFound();
    const isOfInstance = place.orgId === undefined && actor.rights.mayEverywhere('iam.read');
    return {
      page: 'overviewService',
      frame,
      version: isOfInstance ? VERSION : undefined,
      mails: isOfInstance ? await this.mails(visit) : undefined,
      webhooks: await this.webhooks(visit),
      signingKeys: isOfInstance ? await this.signingKeys() : undefined,
      ending: await this.ending(visit),
      jobs: isOfInstance && actor.rights.mayEverywhere('iam.migrate') ? await this.jobs() : undefined,
      extensions: isOfInstance ? this.extensions() : undefined,
    };
  }

  private async mails({ actor }: OverviewVisit): Promise<OverviewServiceProps['mails']> {
    const { dead, waiting } = await this.states.deadMails();
    const resendBase = actor.rights.mayEverywhere('iam.write') ? ('/ui/admin/mails' as const) : undefined;
    return {
      lines: dead.map((mail) => toMailLine(mail, resendBase, this.docs)),
      waiting,
      docs: this.docs.link('ListMails', { state: 'MAIL_STATE_DEAD' }),
    };
  }

  private async webhooks(visit: OverviewVisit): Promise<OverviewServiceProps['webhooks']> {
    const owners = webhookOwners(visit);
    if (owners.length === 0) return undefined;
    const { orgId } = visit.place;
    const found = await this.states.webhooks(owners);
    const word = orgId === undefined ? '' : 'OfOrg';
    return {
      lines: found.map(({ id, url, orgName, isActive, failingSince, waiting, oldestAt, dead }) => ({
        url,
        orgName: orgName ?? '',
        state: isActive ? 'active' : 'inactive',
        failingSince: failingSince ?? undefined,
        waiting,
        oldestAt: oldestAt ?? undefined,
        dead,
        docs: this.docs.link(`GetWebhook${word}`, { webhookId: id }, orgId),
      })),
      docs: this.docs.link(`ListWebhooks${word}`, {}, orgId),
    };
  }

  private async signingKeys(): Promise<OverviewServiceProps['signingKeys']> {
    const keys = await this.keys.list();
    return {
      lines: keys.map(({ id, algorithm, state, creationDate, activatedAt, retiredAt }) => ({
        id,
        algorithm,
        state,
        since: retiredAt ?? activatedAt ?? creationDate,
        docs: this.nextStepOf(id, state),
      })),
      docs: this.docs.link('ListSigningKeys'),
    };
  }

  private nextStepOf(id: string, state: SigningKey['state']): DocsLink | undefined {
    if (state === 'next') return this.docs.link('ActivateSigningKey', { id });
    return state === 'retired' ? this.docs.link('RemoveSigningKey', { id }) : undefined;
  }

  private async ending(visit: OverviewVisit): Promise<OverviewServiceProps['ending']> {
    const found = await this.credentials.find(credentialOrgs(visit));
    return found.map((one) => ({
      what: one.what,
      ownerName: one.ownerName,
      ownerHref: one.projectId === '' ? personPath(one.ownerId) : undefined,
      id: one.id,
      endsAt: one.endsAt,
      hasEnded: one.endsAt <= visit.visit.now,
      docs: this.linkToCredential(one),
    }));
  }

  private linkToCredential({ what, ownerId, projectId, orgId }: EndingCredential): DocsLink {
    switch (what) {
      case 'personalAccessToken':
        return this.docs.link('ListPersonalAccessTokens', { userId: ownerId }, orgId);
      case 'userKey':
        return this.docs.link('ListMachineKeys', { userId: ownerId }, orgId);
      case 'applicationKey':
        return this.docs.link('ListAppKeys', { projectId, appId: ownerId }, orgId);
      case 'registrationToken':
        return this.docs.link('ListRegistrationTokens', { projectId }, orgId);
      case 'certificate':
        return this.docs.link('GetAppByID', { projectId, appId: ownerId }, orgId);
    }
  }

  private async jobs(): Promise<OverviewServiceProps['jobs']> {
    const jobs = await this.states.lastJobs();
    return {
      lines: jobs.map(({ id, kind, state, createdAt, objects, total }) => ({
        kind,
        state,
        at: createdAt,
        done: Object.values(objects).reduce((sum, count) => sum + count, 0),
        total: total === null ? undefined : Number(total),
        docs: this.docs.link('GetMigrationJob', { id }),
      })),
      docs: this.docs.link('ListMigrationJobs'),
    };
  }

  private extensions(): OverviewServiceProps['extensions'] {
    return {
      lines: this.loaded.extensions.map(({ id, version }) => ({
        id,
        version,
        failures: this.record.failuresOfExtension(id),
      })),
      docs: this.docs.link('ListExtensions'),
    };
  }
}
