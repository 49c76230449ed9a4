import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import { EventReader } from '../../foundation/event/event-reader.js';
import { readQuery } from '../../foundation/http/request.js';
import { OperationStates } from '../../management/overview/operation-states.js';
import type { AskedSignIn } from '../../management/why/case.js';
import type { Link, Mend, SignInExplanation } from '../../management/why/link.js';
import { SignInExplanations } from '../../management/why/sign-in-explanations.js';
import { paths } from '../../org/instance/paths.js';
import { OrgDirectory } from '../../org/org-directory.js';
import type {
  DocsLink,
  OverviewPersonProps,
  SessionLine,
  WhyAnswer,
  WhyLine,
} from '../../page/overview/overview-facts.js';
import { APPLICATION } from '../../page/overview/why.js';
import type { LoginPage } from '../../page/render.js';
import { UserSessions } from '../../session/user-sessions.js';
import { userNotFound } from '../../user/user.errors.js';
import { UserDirectory, type UserEntry } from '../../user/user-directory.js';
import { toEvent } from '../event/event.mapping.js';
import { DocsLinks, type LinkValues } from '../kit/docs-link.js';
import { Acts } from './acts.js';
import { pageOfOrg, personPath } from './addresses.js';
import { toMailLine } from './mail-line.js';
import type { OverviewVisit } from './overview-visit.js';
import { nameOf } from './person.js';
import { seesEvents } from './reach.js';

const NOTHING_ASKED: AskedSignIn = {
  application: '',
  scopes: [],
  network: '',
  method: undefined,
  provider: '',
  loginName: '',
  prompts: [],
  maxAgeSeconds: undefined,
  acrValues: [],
  isSecondFactorDemanded: false,
};

const MOST_CHANGES = 5;

/** Everything that a help desk needs to know of one person, and the answer to why they cannot sign in. */
@Injectable()
export class PersonPage {
  constructor(
    private readonly directory: UserDirectory,
    private readonly orgs: OrgDirectory,
    private readonly explanations: SignInExplanations,
    private readonly sessions: UserSessions,
    private readonly states: OperationStates,
    private readonly acts: Acts,
    private readonly events: EventReader,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `user.not_found`, also for a user whom the reader may not read */
  async page(given: OverviewVisit, userId: string): Promise<LoginPage> {
    const user = await this.directory.find(userId);
    if (!user || !given.actor.rights.may('user.read', { orgId: user.orgId })) throw userNotFound();
    const visit: OverviewVisit = { ...given, actor: { ...given.actor, orgId: user.orgId } };
    // Service users sign in on no page.
    const why = user.kind === 'human' ? await this.why(visit, user) : undefined;
    const { name: orgName } = await this.orgs.get(user.orgId);
    const link = this.linkerOf(user);
    return {
      page: 'overviewPerson',
      frame: { ...visit.frame, place: { name: orgName } },
      title: nameOf(user),
      state: user.state,
      facts: {
        loginNames: user.loginNames,
        email: user.email,
        isEmailVerified: user.emailVerified,
        phone: user.phone,
        orgName,
        orgHref: visit.actor.rights.may('org.read', user) ? pageOfOrg(paths.overview, user.orgId) : undefined,
        id: user.id,
        createdAt: user.creationDate,
        isServiceUser: user.kind === 'service',
        docs: link('GetUserByID', { id: user.id }),
      },
      why: why?.shown,
      factors: why?.factors.map(({ kind, count }) => ({
        kind: kind as NonNullable<OverviewPersonProps['factors']>[number]['kind'],
        count,
      })),
      sessions: user.kind === 'service' ? undefined : await this.sessionsOf(user, link),
      mails: await this.mailsOf(visit, user),
      changes: await this.changesOf(visit, user),
      acts: this.acts.offered(visit, user),
    };
  }

  private async why(
    visit: OverviewVisit,
    user: UserEntry,
  ): Promise<{ shown: NonNullable<OverviewPersonProps['why']>; factors: SignInExplanation['factors'] }> {
    const application = (readQuery(visit.visit.http).find(APPLICATION) ?? '').trim();
    const known = application === '' ? undefined : await this.explainFor(visit, user, application);
    const explained = known ?? (await this.explanations.of(visit.actor, user, NOTHING_ASKED));
    return {
      shown: {
        answer: this.toAnswer(explained, user, known ? application : ''),
        ask: {
          action: personPath(user.id),
          application,
          isUnknown: application !== '' && !known,
        },
      },
      factors: explained.factors,
    };
  }

  /** Undefined for an application that does not exist, or that the reader may not read. */
  private async explainFor(
    { actor }: OverviewVisit,
    user: UserEntry,
    application: string,
  ): Promise<SignInExplanation | undefined> {
    try {
      return await this.explanations.of(actor, user, { ...NOTHING_ASKED, application });
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'client.not_found') return undefined;
      throw error;
    }
  }

  private toAnswer(explained: SignInExplanation, user: UserEntry, application: string): WhyAnswer {
    const { canSignIn, summary, chain, limits, failures } = explained;
    return {
      canSignIn,
      summary,
      chain: chain.map((one) => this.toLine(one)),
      limits: limits.map(({ sentence, isReached, until }) => ({ sentence, isReached, until })),
      failures: failures.map(({ at, reason, sentence }) => ({ at, sentence, reason: reason as FailureWord })),
      docs: this.linkerOf(user)('ExplainSignInOfOrg', { userId: user.id, application }),
    };
  }

  private toLine({ code, effect, sentence, until, mends }: Link): WhyLine {
    return {
      code: code as WhyLine['code'],
      effect,
      sentence,
      until,
      mends: mends.filter(({ isAllowed }) => isAllowed).map((mend) => this.toMend(mend)),
    };
  }

  private toMend({ operationId, parameters, orgId }: Mend): DocsLink {
    return { operationId, href: this.docs.filling(operationId, parameters, orgId) };
  }

  private linkerOf({ orgId }: UserEntry): Linker {
    return (operationId, values) => this.docs.link(operationId, values, orgId);
  }

  /** Without their devices, which no operation tells to anybody but their user (OVW-007). */
  private async sessionsOf({ id }: UserEntry, link: Linker): Promise<OverviewPersonProps['sessions']> {
    const found = await this.sessions.onDevices(id);
    const lines = found.map(({ lastAt, how, ...session }): SessionLine => {
      return { at: lastAt, how, docs: link('EndUserSession', { userId: id, sessionId: session.id }) };
    });
    return { lines, docs: link('ListUserSessions', { userId: id }) };
  }

  private async changesOf({ actor }: OverviewVisit, { id, orgId }: UserEntry): Promise<OverviewPersonProps['changes']> {
    if (!seesEvents(actor.rights, orgId)) return undefined;
    const found = await this.events.lastAbout(id, orgId, MOST_CHANGES);
    return {
      lines: found.map((entry) => ({ at: entry.createdAt, sentence: toEvent(entry).sentence })),
      docs: this.docs.link('ListOrgEvents', { aggregateId: id }, orgId),
    };
  }

  /** Mails are the instance's: an address at which a mail was refused is not told to others. */
  private async mailsOf(visit: OverviewVisit, { id }: UserEntry): Promise<OverviewPersonProps['mails']> {
    const { rights } = visit.actor;
    if (!rights.mayEverywhere('iam.read')) return undefined;
    const found = await this.states.mailsOf(id);
    const resendBase = rights.mayEverywhere('iam.write') ? (`${personPath(id)}/mails` as const) : undefined;
    return {
      lines: found.map((mail) => toMailLine(mail, resendBase, this.docs)),
      docs: this.docs.link('ListMails', { userId: id }),
    };
  }
}

type FailureWord = WhyAnswer['failures'][number]['reason'];
type Linker = (operationId: string, values: LinkValues) => DocsLink;
