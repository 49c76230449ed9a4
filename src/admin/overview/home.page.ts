import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { ALL_ORGS, DayCounts } from '../../foundation/day-count/day-counts.js';
import { EventReader } from '../../foundation/event/event-reader.js';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import { EndingCredentials } from '../../management/overview/ending-credentials.js';
import { OperationStates } from '../../management/overview/operation-states.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import { KINDS } from '../../org/policy/policy-kind.js';
import type {
  ConcernLine,
  CountedDay,
  OverviewHomeProps,
  OverviewSectionName,
} from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { toEvent } from '../event/event.mapping.js';
import { DocsLinks, type LinkValues, type OperationLink } from '../kit/docs-link.js';
import type { OverviewVisit } from './overview-visit.js';
import { credentialOrgs, seesEvents, webhookOwners } from './reach.js';

const DAYS = 14;
const MOST_CHANGES = 20;
/** Objects that administrators change. Sign-ins, tokens and mails, of which there are many more, are no changes. */
const CHANGED_TYPES = [
  ...['instance', 'org', 'user', 'group', 'user_grant', 'project', 'project_grant', 'client', 'registration_token'],
  ...['key', 'webhook', 'mail_server', 'job'],
  ...new Set(Object.values(KINDS).map(({ word }) => `policy.${word}`)),
];

/** The first page: what somebody should look at, what happened, and the way to people. */
@Injectable()
export class HomePage {
  constructor(
    private readonly database: Database,
    private readonly counts: DayCounts,
    private readonly events: EventReader,
    private readonly states: OperationStates,
    private readonly credentials: EndingCredentials,
    private readonly loaded: LoadedExtensions,
    private readonly record: PartRecord,
    private readonly docs: DocsLinks,
  ) {}

  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { frame } = visit;
    const isSearchable = frame.sections.some(({ name }) => name === 'people');
    return {
      page: 'overviewHome',
      frame,
      search: isSearchable ? { action: paths.overviewPeople, query: '' } : undefined,
      days: await this.days(visit),
      changes: await this.changes(visit),
      concerns: await this.concerns(visit),
    };
  }

  private async days({ visit, actor, place }: OverviewVisit): Promise<readonly CountedDay[] | undefined> {
    const { orgId } = place;
    const { rights } = actor;
    if (orgId === undefined ? !rights.mayEverywhere('user.read') : !rights.may('user.read', { orgId }))
      return undefined;
    const days = Array.from({ length: DAYS }, (_, index) =>
      secondsAfter(visit.now, (index - DAYS + 1) * seconds.perDay)
        .toISOString()
        .slice(0, 10),
    );
    const sums = await this.counts.sums(this.database, ['sign_in', 'refused_sign_in'], orgId ?? ALL_ORGS, days[0]!);
    const countOf = (day: string, what: string): number =>
      sums.find((one) => one.day === day && one.what === what)?.count ?? 0;
    return days.map((day) => ({ day, signIns: countOf(day, 'sign_in'), refused: countOf(day, 'refused_sign_in') }));
  }

  private async changes({ actor, place }: OverviewVisit): Promise<OverviewHomeProps['changes']> {
    const { orgId } = place;
    if (orgId === undefined ? !actor.rights.mayEverywhere('events.read') : !seesEvents(actor.rights, orgId))
      return undefined;
    const found = await this.events.last(CHANGED_TYPES, MOST_CHANGES, orgId);
    const linkTo = (values: LinkValues): OperationLink =>
      orgId === undefined ? this.docs.link('ListEvents', values) : this.docs.link('ListOrgEvents', values, orgId);
    const lines = found.map((entry) => ({
      at: entry.createdAt,
      sentence: toEvent(entry).sentence,
      orgName: orgId === undefined && entry.orgName !== '' ? entry.orgName : undefined,
      docs: linkTo({ aggregateId: entry.aggregateId }),
    }));
    return { lines, docs: linkTo({}) };
  }

  private async concerns(visit: OverviewVisit): Promise<readonly ConcernLine[] | undefined> {
    const { actor, place, frame } = visit;
    const hrefOf = (section: OverviewSectionName): ServicePath | undefined =>
      frame.sections.find(({ name }) => name === section)?.href;
    const href = hrefOf('service');
    if (href === undefined) return undefined;
    const counts: Partial<Record<ConcernLine['what'], number>> = {
      ...(place.orgId === undefined && actor.rights.mayEverywhere('iam.read') ? await this.ofInstance(visit) : {}),
      ...(place.orgId === undefined ? {} : { failingWebhooks: await this.failingWebhooks(visit) }),
      ...(await this.ofCredentials(visit)),
    };
    return Object.entries(counts)
      .map(([what, count]) => ({
        what: what as ConcernLine['what'],
        count,
        href: what === 'failingProviders' ? (hrefOf('applications') ?? href) : href,
      }))
      .filter(({ count }) => count > 0);
  }

  private async ofInstance({ actor }: OverviewVisit): Promise<Partial<Record<ConcernLine['what'], number>>> {
    const { failingWebhooks, deadDeliveries, failingProviders, failedJobs, ...mails } = await this.states.concerns();
    const failures = this.loaded.extensions.filter(({ id }) => this.record.failuresOfExtension(id) > 0);
    return {
      ...mails,
      ...(actor.rights.mayEverywhere('iam.webhook.read') ? { failingWebhooks, deadDeliveries } : {}),
      ...(actor.rights.mayEverywhere('iam.idp.read') ? { failingProviders } : {}),
      ...(actor.rights.mayEverywhere('iam.migrate') ? { failedJobs } : {}),
      failingExtensions: failures.length,
    };
  }

  private async failingWebhooks(visit: OverviewVisit): Promise<number> {
    const owners = webhookOwners(visit);
    if (owners.length === 0) return 0;
    return (await this.states.webhooks(owners)).filter(({ failingSince }) => failingSince !== null).length;
  }

  private async ofCredentials(visit: OverviewVisit): Promise<Partial<Record<ConcernLine['what'], number>>> {
    const found = await this.credentials.find(credentialOrgs(visit));
    const ended = found.filter(({ endsAt }) => endsAt <= visit.visit.now).length;
    return { endingCredentials: found.length - ended, endedCredentials: ended };
  }
}
