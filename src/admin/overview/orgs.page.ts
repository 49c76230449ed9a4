import { Injectable } from '@nestjs/common';
import { readQuery } from '../../foundation/http/request.js';
import { type FoundOrg, OrgSearch } from '../../management/overview/org-search.js';
import { paths } from '../../org/instance/paths.js';
import type { OrgLine } from '../../page/overview/overview-facts.js';
import { QUERY } from '../../page/overview/search.js';
import type { LoginPage } from '../../page/render.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks } from '../kit/docs-link.js';
import type { OverviewVisit } from './overview-visit.js';

const MAX_CHARACTERS = 200;

/** Organizations by name or domain, and the way to the pages about each. */
@Injectable()
export class OrgsPage {
  constructor(
    private readonly search: OrgSearch,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found`; DeadlineExceeded `list.too_slow` */
  async page({ visit, actor, frame }: OverviewVisit): Promise<LoginPage> {
    const places = actor.rights.placesOf('org.read');
    const orgs = places === 'everywhere' ? places : places.orgIds;
    if (orgs !== 'everywhere' && orgs.length === 0) throw pageNotFound();
    const query = (readQuery(visit.http).find(QUERY) ?? '').trim().slice(0, MAX_CHARACTERS);
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
