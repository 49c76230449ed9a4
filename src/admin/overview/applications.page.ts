import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { isExtType } from '../../idp/idp.entity.js';
import { ApplicationSearch, type FoundApplication } from '../../management/overview/application-search.js';
import { type ProviderState, ProviderStates } from '../../management/overview/provider-states.js';
import { paths } from '../../org/instance/paths.js';
import type { ApplicationLine, OverviewApplicationsProps, ProviderLine } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks } from '../kit/docs-link.js';
import type { OverviewVisit } from './overview-visit.js';
import { searchedText } from './searched-text.js';

/** Applications and identity providers: what they are configured with, and whether they are used and work. */
@Injectable()
export class ApplicationsPage {
  constructor(
    private readonly applications: ApplicationSearch,
    private readonly providers: ProviderStates,
    private readonly issuer: IssuerConfig,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found`; DeadlineExceeded `list.too_slow` */
  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { frame, actor, place } = visit;
    if (!frame.sections.some(({ name }) => name === 'applications')) throw pageNotFound();
    const readsApplications = actor.rights.maySomewhere('project.app.read');
    const query = searchedText(visit);
    return {
      page: 'overviewApplications',
      frame,
      search: readsApplications
        ? {
            action: paths.overviewApplications,
            query,
            fields: place.orgId === undefined || place.name === '' ? {} : { org: place.orgId },
          }
        : undefined,
      issuer: this.issuer.publicUrl,
      applications: readsApplications ? await this.applicationsOf(visit, query) : undefined,
      providers: await this.providersOf(visit),
    };
  }

  private async applicationsOf(
    { actor, place }: OverviewVisit,
    query: string,
  ): Promise<OverviewApplicationsProps['applications']> {
    // Roles on single projects reach beyond the organization of the reader.
    const orgId = place.name === '' ? undefined : place.orgId;
    const found = await this.applications.find(actor.rights.placesOf('project.app.read'), orgId, query);
    return { lines: found.rows.map((one) => this.toApplication(one)), hasMore: found.hasMore };
  }

  private toApplication(found: FoundApplication): ApplicationLine {
    const { id, name, projectId, projectName, orgId, orgName, clientId, isActive, lastUsedOn } = found;
    return {
      name,
      projectName,
      orgName,
      clientId,
      isActive,
      lastUsedOn: lastUsedOn ?? undefined,
      docs: this.docs.link('GetAppByID', { projectId, appId: id }, orgId),
    };
  }

  private async providersOf(visit: OverviewVisit): Promise<OverviewApplicationsProps['providers']> {
    const { actor, place, instanceId } = visit;
    const { orgId } = place;
    const ofInstance = actor.rights.mayEverywhere('iam.idp.read') ? [instanceId] : [];
    const ofOrg = orgId !== undefined && actor.rights.may('org.idp.read', { orgId }) ? [orgId] : [];
    // Those of the instance are offered in organizations as well.
    const owners = [...ofOrg, ...ofInstance];
    if (owners.length === 0) return undefined;
    const { rows, hasMore } = await this.providers.of(owners);
    return { lines: rows.map((one) => this.toProvider(visit, one)), hasMore };
  }

  private toProvider({ actor, instanceId }: OverviewVisit, found: ProviderState): ProviderLine {
    const { id, name, type, issuer, clientId, isActive, ownerId, orgName, testedAt, isTestGood } = found;
    const isOfInstance = ownerId === instanceId;
    const mayTest = isOfInstance
      ? actor.rights.mayEverywhere('iam.idp.write')
      : actor.rights.may('org.idp.write', { orgId: ownerId });
    return {
      name,
      kind: isExtType(type) ? type.slice('ext:'.length) : type.toUpperCase(),
      issuer,
      clientId,
      isActive,
      orgName: orgName ?? '',
      week: { signIns: found.answered, failed: found.failed },
      lastUsedOn: found.lastUsedOn ?? undefined,
      test: testedAt === null ? undefined : { day: testedAt.toISOString().slice(0, 10), isGood: isTestGood === true },
      testHref: mayTest ? `/ui/admin/providers/${encodeURIComponent(id)}/test` : undefined,
      docs: isOfInstance
        ? this.docs.link('GetProviderByID', { id })
        : this.docs.link('GetProviderByIDOfOrg', { id }, ownerId),
    };
  }
}
