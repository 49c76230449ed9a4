import { Injectable } from '@nestjs/common';
import { type FoundOrg, OrgSearch } from '../../management/overview/org-search.js';
import { paths } from '../../org/instance/paths.js';
import type { OrgLine } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks } from '../kit/docs-link.js';
import type { OverviewVisit } from './overview-visit.js';
import { orgsWhere } from './reach.js';
import { searchedText } from './searched-text.js';

/** Organizations by name or domain, and the way to the pages about each. */
@Injectable()
export class OrgsPage {
  constructor(
    private readonly search: OrgSearch,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found`; DeadlineExceeded `list.too_slow` */
  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { actor, frame } = visit;
    const orgs = orgsWhere(actor.rights, 'org.read');
    if (orgs !== 'everywhere' && orgs.length === 0) throw pageNotFound();
    const query = searchedText(visit);
    const { rows, hasMore } = await this.search.find(orgs, query);
    return {
      page: 'overviewOrgs',
      frame: { ...frame, place: orgs === 'everywhere' ? { name: undefined } : frame.place },
      search: { action: paths.overviewOrgs, query },
      orgs: rows.map((org) => this.toLine(org)),
      hasMore,
    };
  }

  private toLine({ id, name, primaryDomain, isActive }: FoundOrg): OrgLine {
    const query = `?org=${encodeURIComponent(id)}` as const;
    return {
      name,
      domain: primaryDomain,
      isActive,
      homeHref: `${paths.overview}${query}`,
      applicationsHref: `${paths.overviewApplications}${query}`,
      policiesHref: `${paths.overviewPolicies}${query}`,
      docs: { operationId: 'GetMyOrg', href: this.docs.to('GetMyOrg', {}, id) },
    };
  }
}
