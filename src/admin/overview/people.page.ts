import { Injectable } from '@nestjs/common';
import { type FoundPerson, PeopleSearch } from '../../management/overview/people-search.js';
import { paths } from '../../org/instance/paths.js';
import type { PersonLine } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { DocsLinks } from '../kit/docs-link.js';
import { personPath } from './addresses.js';
import type { OverviewVisit } from './overview-visit.js';
import { searchedOrgs } from './reach.js';
import { searchedText } from './searched-text.js';

/** People found by any part of a name or address, wherever the reader may read users. */
@Injectable()
export class PeoplePage {
  constructor(
    private readonly search: PeopleSearch,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found`; DeadlineExceeded `list.too_slow` */
  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { orgs, frame } = searchedOrgs(visit, 'user.read');
    const query = searchedText(visit);
    const found = query === '' ? undefined : await this.search.find(orgs, query);
    return {
      page: 'overviewPeople',
      frame,
      search: { action: paths.overviewPeople, query },
      people: found?.rows.map(toLine),
      hasMore: found?.hasMore,
      docs: this.docs.link('ListUsersV2'),
    };
  }
}

function toLine({ id, kind, preferredLoginName, ...person }: FoundPerson): PersonLine {
  const { displayName, email, orgName, state } = person;
  return {
    href: personPath(id),
    displayName,
    loginName: preferredLoginName,
    email,
    orgName,
    state,
    isServiceUser: kind === 'service',
  };
}
