import { Injectable } from '@nestjs/common';
import { OperationStates } from '../../management/overview/operation-states.js';
import { ProviderStates } from '../../management/overview/provider-states.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import type { OverviewAct, OverviewDone, OverviewPersonProps } from '../../page/overview/overview-facts.js';
import { UserDirectory, type UserEntry } from '../../user/user-directory.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks, type OperationLink } from '../kit/docs-link.js';
import { InnerCalls, type Json } from '../kit/inner-calls.js';
import { pageOfOrg, personPath } from './addresses.js';
import type { OverviewVisit } from './overview-visit.js';
import { nameOf } from './person.js';

/** An action on one object: the operation behind it, and what its question says. */
export interface Deed {
  readonly act: OverviewAct;
  /** The operation, as it is declared: `POST /management/v1/users/:id/_unlock`. */
  readonly route: string;
  readonly values: Readonly<Record<string, string>>;
  /** The organization that the call is about; undefined for the instance. */
  readonly orgId: string | undefined;
  /** The person, mail or provider that it is about. */
  readonly thing: string;
  readonly backHref: ServicePath;
  /** Changes to accounts need a fresh proof, as those that people make to their own. */
  readonly needsProof: boolean;
  /** Undefined where the answer is a page of its own. */
  readonly done: OverviewDone | undefined;
}

type ActOnPerson = Exclude<OverviewAct, 'testProvider'>;

interface PersonAct {
  readonly word: string;
  readonly route: string;
  readonly idField: string;
  readonly done: OverviewDone;
  readonly suits: (user: UserEntry) => boolean;
}

const isPerson = ({ kind }: UserEntry): boolean => kind === 'human';

/** In the order of the card. */
const ON_PEOPLE: Readonly<Record<ActOnPerson, PersonAct>> = {
  unlock: {
    word: 'unlock',
    route: 'POST /management/v1/users/:id/_unlock',
    idField: 'id',
    done: 'unlocked',
    suits: ({ state }) => state === 'locked',
  },
  reactivate: {
    word: 'reactivate',
    route: 'POST /management/v1/users/:id/_reactivate',
    idField: 'id',
    done: 'reactivated',
    suits: ({ state }) => state === 'inactive',
  },
  resendMail: {
    word: 'resend-invitation',
    route: 'POST /management/v1/users/:userId/_resend_initialization',
    idField: 'userId',
    done: 'mailResent',
    suits: (user) => isPerson(user) && user.state === 'initial',
  },
  resetMail: {
    word: 'reset-mail',
    route: 'POST /management/v1/users/:userId/password/_reset',
    idField: 'userId',
    done: 'resetMailed',
    suits: (user) => isPerson(user) && user.state === 'active' && user.email !== '',
  },
  endSessions: {
    word: 'end-sessions',
    route: 'DELETE /management/v1/users/:userId/sessions',
    idField: 'userId',
    done: 'sessionsEnded',
    suits: isPerson,
  },
  deactivate: {
    word: 'deactivate',
    route: 'POST /management/v1/users/:id/_deactivate',
    idField: 'id',
    done: 'deactivated',
    suits: ({ state }) => state !== 'inactive',
  },
};

const RESEND_MAIL = 'POST /admin/v1/mails/:id/_retry';
const TEST_OF_INSTANCE = 'POST /admin/v1/idps/:idpId/_test';
const TEST_OF_ORG = 'POST /management/v1/idps/:idpId/_test';

/** The actions that the overview offers; each is an operation of the administrative API, and no other way to it. */
@Injectable()
export class Acts {
  constructor(
    private readonly calls: InnerCalls,
    private readonly directory: UserDirectory,
    private readonly states: OperationStates,
    private readonly providers: ProviderStates,
    private readonly docs: DocsLinks,
  ) {}

  /** Those that suit the state of a user and that the reader may take. */
  offered({ actor }: OverviewVisit, user: UserEntry): OverviewPersonProps['acts'] {
    return Object.entries(ON_PEOPLE)
      .filter(([, { suits, route }]) => suits(user) && actor.rights.may(this.calls.permissionOf(route), user))
      .map(([act, { word }]) => ({ act: act as ActOnPerson, href: `${personPath(user.id)}/${word}` }));
  }

  /** @throws DomainError NotFound `visit.page_not_found` for what the reader may not read or do */
  async onPerson(visit: OverviewVisit, userId: string, word: string): Promise<Deed> {
    const [act, found] = Object.entries(ON_PEOPLE).find(([, one]) => one.word === word) ?? [];
    const user = found && (await this.directory.find(userId));
    if (!user || !found || !visit.actor.rights.may('user.read', user)) throw pageNotFound();
    const { route, idField, done } = found;
    return this.checked(visit, {
      act: act as ActOnPerson,
      route,
      values: { [idField]: user.id },
      orgId: user.orgId,
      thing: nameOf(user),
      backHref: personPath(user.id),
      needsProof: true,
      done,
    });
  }

  /**
   * @param userId whose card the reader came from; undefined from the list of all
   * @throws DomainError NotFound `visit.page_not_found`
   */
  async onMail(visit: OverviewVisit, id: string, userId?: string): Promise<Deed> {
    const mail = await this.states.findMail(id);
    if (!mail || (userId !== undefined && mail.userId !== userId)) throw pageNotFound();
    return this.checked(visit, {
      act: 'resendMail',
      route: RESEND_MAIL,
      values: { id },
      orgId: undefined,
      thing: mail.recipient,
      backHref: userId === undefined ? paths.overviewService : personPath(userId),
      needsProof: false,
      done: 'mailResent',
    });
  }

  /** @throws DomainError NotFound `visit.page_not_found` */
  async onProvider(visit: OverviewVisit, id: string): Promise<Deed> {
    const provider = await this.providers.find(id);
    if (!provider) throw pageNotFound();
    const isOfInstance = provider.ownerId === visit.instanceId;
    return this.checked(visit, {
      act: 'testProvider',
      route: isOfInstance ? TEST_OF_INSTANCE : TEST_OF_ORG,
      values: { idpId: id },
      orgId: isOfInstance ? undefined : provider.ownerId,
      thing: provider.name,
      backHref: isOfInstance ? paths.overviewApplications : pageOfOrg(paths.overviewApplications, provider.ownerId),
      needsProof: false,
      done: undefined,
    });
  }

  /** Calls the operation, with everything that it checks itself. @throws DomainError whatever it refuses */
  async take({ actor }: OverviewVisit, { route, values, orgId }: Deed): Promise<Json> {
    return this.calls.call({ ...actor, orgId: orgId ?? actor.ownOrgId }, route, values);
  }

  docsOf({ route, values, orgId }: Deed): OperationLink {
    return this.docs.link(this.calls.idOf(route), values, orgId);
  }

  /** To who may not do something, its question does not exist either. */
  private checked({ actor }: OverviewVisit, deed: Deed): Deed {
    const permission = this.calls.permissionOf(deed.route);
    const isAllowed =
      deed.orgId === undefined
        ? actor.rights.mayEverywhere(permission)
        : actor.rights.may(permission, { orgId: deed.orgId });
    if (!isAllowed) throw pageNotFound();
    return deed;
  }
}
