import { Injectable } from '@nestjs/common';
import { type FoundOrg, OrgSearch } from '../../management/overview/org-search.js';
import { paths } from '../../org/instance/paths.js';
import type { OrgLine } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { DocsLinks } from '../kit/docs-link.js';
import { pageOfOrg } from './addresses.js';
import type { OverviewVisit } from './overview-visit.js';
import { searchedOrgs } from './reach.js';
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
    const { orgs, frame } = searchedOrgs(visit, 'org.read');
    const query = searchedText(visit);
    const { rows, hasMore } = await this.search.find(orgs, query);
    return {
      page: 'overviewOrgs',
      frame,
      search: { action: paths.overviewOrgs, query },
      orgs: rows.map((org) => this.toLine(org)),
      hasMore,
    };
  }

  private toLine({ id, name, primaryDomain, isActive }: FoundOrg): OrgLine {
    return {
      name,
      domain: primaryDomain,
      isActive,
      homeHref: pageOfOrg(paths.overview, id),
      applicationsHref: pageOfOrg(paths.overviewApplications, id),
      policiesHref: pageOfOrg(paths.overviewPolicies, id),
      docs: this.docs.link('GetMyOrg', {}, id),
    };
  }
}
