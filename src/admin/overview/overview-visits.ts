import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { Form } from '../../foundation/http/form.js';
import { readQuery } from '../../foundation/http/request.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import { orgNotFound } from '../../org/org.errors.js';
import { OrgDirectory } from '../../org/org-directory.js';
import type { OverviewDone, OverviewFrame, OverviewSectionName } from '../../page/overview/overview-facts.js';
import { QUERY } from '../../page/overview/search.js';
import { APPLICATION } from '../../page/overview/why.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import type { Rights } from '../../user/permission/rights.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import { SignedInVisits } from '../../visit/signed-in-visits.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { redirect } from '../../visit/visit-proof.js';
import { pageOfOrg } from './addresses.js';
import type { OverviewVisit, Place } from './overview-visit.js';
import { orgsWhere } from './reach.js';

/** The query parameters of the pages, which are not lost on the way through the sign-in. */
const KEPT = [QUERY, 'org', APPLICATION] as const;
const MAX_VALUE_CHARACTERS = 200;

/** Admits managers: users who are signed in in this browser and have a role. To all others, the pages do not exist. */
@Injectable()
export class OverviewVisits {
  constructor(
    private readonly visits: SignedInVisits,
    private readonly memberships: Memberships,
    private readonly orgs: OrgDirectory,
    private readonly instances: InstanceService,
  ) {}

  /**
   * Undefined if the user is not signed in: the sign-in pages have answered, and lead back here. Users without a role
   * are led from the first page to their account.
   * @throws DomainError NotFound `visit.page_not_found`, `org.not_found`
   */
  async open(http: ExpressRequest, response: ExpressResponse): Promise<OverviewVisit | undefined> {
    const visit = await this.visits.open(http, response, keptPath(http));
    if (!visit) return undefined;
    const admitted = await this.admit(visit, http);
    // The address of the service leads everybody here.
    if (!admitted && http.path === paths.overview) redirect(http, response, paths.account);
    else if (!admitted) throw pageNotFound();
    return admitted;
  }

  /** Like `open`, for a form. @throws DomainError `visit.form_malformed`, `visit.form_not_ours` */
  async openFor(http: ExpressRequest, form: Form): Promise<OverviewVisit> {
    const admitted = await this.admit(await this.visits.openFor(http, form, http.path as ServicePath), http);
    if (!admitted) throw pageNotFound();
    return admitted;
  }

  /** Undefined for a user without a role that reads anything. */
  private async admit(visit: SignedInVisit, http: ExpressRequest): Promise<OverviewVisit | undefined> {
    const { userId, orgId: ownOrgId } = visit.session;
    const rights = await this.memberships.rightsOf(userId);
    const asked = readQuery(http).find('org') ?? '';
    const sections = sectionsOf(rights, asked);
    if (sections.length === 0) return undefined;
    const place = await this.placeOf(rights, ownOrgId, asked);
    const actor: Actor = { userId, ownOrgId, orgId: place.orgId ?? ownOrgId, rights };
    const { id: instanceId } = await this.instances.get();
    return { visit, actor, place, instanceId, frame: frameOf(visit, rights, place, sections) };
  }

  /** @throws DomainError NotFound `org.not_found`, also for an organization that the reader does not manage */
  private async placeOf(rights: Rights, ownOrgId: string, asked: string): Promise<Place> {
    if (asked === '' && rights.mayEverywhere('org.read')) return { orgId: undefined, name: undefined };
    const orgs = orgsWhere(rights, 'org.read');
    const readable = orgs === 'everywhere' ? [] : orgs;
    const first = readable.includes(ownOrgId) ? ownOrgId : readable[0];
    const orgId = asked === '' ? first : asked;
    // Managers of projects alone read no organization: theirs has no name here.
    if (orgId === undefined) return { orgId: ownOrgId, name: '' };
    if (!rights.may('org.read', { orgId })) throw orgNotFound();
    const { name } = await this.orgs.get(orgId);
    return { orgId, name };
  }
}

/** Each of these reads a part of that page. */
const APPLICATIONS_OR_PROVIDERS = ['project.app.read', 'org.idp.read', 'iam.idp.read'] as const;

function sectionsOf(rights: Rights, org: string): OverviewFrame['sections'] {
  const people = orgsWhere(rights, 'user.read');
  const orgs = orgsWhere(rights, 'org.read');
  const isOpen: Readonly<Record<OverviewSectionName, boolean>> = {
    home: true,
    people: people === 'everywhere' || people.length > 0,
    organizations: orgs === 'everywhere' || orgs.length > 1,
    applications: APPLICATIONS_OR_PROVIDERS.some((one) => rights.maySomewhere(one)),
    policies: rights.maySomewhere('policy.read'),
    service: rights.mayEverywhere('iam.read') || rights.maySomewhere('org.webhook.read'),
  };
  const open = SECTIONS.filter(({ name }) => isOpen[name]);
  // A role that reads nothing of all this is no reason to come here.
  if (open.length === 1) return [];
  return open.map(({ name, path, isOfPlace }) => ({
    name,
    href: isOfPlace && org !== '' ? pageOfOrg(path, org) : path,
  }));
}

const SECTIONS: ReadonlyArray<{
  readonly name: OverviewSectionName;
  readonly path: ServicePath;
  /** Whether it is about the instance or an organization. */
  readonly isOfPlace: boolean;
}> = [
  { name: 'home', path: paths.overview, isOfPlace: true },
  { name: 'people', path: paths.overviewPeople, isOfPlace: false },
  { name: 'organizations', path: paths.overviewOrgs, isOfPlace: false },
  { name: 'applications', path: paths.overviewApplications, isOfPlace: true },
  { name: 'policies', path: paths.overviewPolicies, isOfPlace: true },
  { name: 'service', path: paths.overviewService, isOfPlace: true },
];

function frameOf(
  visit: SignedInVisit,
  rights: Rights,
  place: Place,
  sections: OverviewFrame['sections'],
): OverviewFrame {
  const { displayName, loginName } = visit.session;
  const seesWhole = place.orgId !== undefined && rights.mayEverywhere('org.read');
  const wholeHref = seesWhole ? (visit.http.path as ServicePath) : undefined;
  return {
    person: { displayName, loginName },
    sections,
    place: { name: place.name === '' ? visit.setting.brand : place.name, wholeHref },
    done: doneOf(visit),
  };
}

/** Reads from the address what an action has done: a word of the catalogue, never a text. */
function doneOf({ http, setting }: SignedInVisit): OverviewFrame['done'] {
  const word = http.method === 'GET' ? readQuery(http).find('done') : undefined;
  if (word === undefined || !Object.hasOwn(setting.texts.overviewPage.done, word)) return undefined;
  return { what: word as OverviewDone, isGood: true };
}

function keptPath(http: ExpressRequest): ServicePath {
  const query = readQuery(http);
  const kept = new URLSearchParams();
  for (const name of KEPT) {
    const value = query.find(name) ?? '';
    if (value !== '' && value.length <= MAX_VALUE_CHARACTERS) kept.set(name, value);
  }
  const path = http.path as ServicePath;
  return kept.size === 0 ? path : `${path}?${kept}`;
}
