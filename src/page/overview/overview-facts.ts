import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { Person } from '../part/account.js';

/*
 * What the pages of the overview show: plain data, which their edge has already restricted to what the reader may
 * know. An absent block is one that they may not read.
 */

/** The sections, in their order; each is the name of its texts. */
export type OverviewSectionName = keyof PageTexts['overviewPage']['sections'];

/** What was just done, in the words of the catalogue. */
export type OverviewDone = keyof PageTexts['overviewPage']['done'];

/** The parts that every page of the overview shows besides its own. */
export interface OverviewFrame {
  readonly person: Person;
  /** Those that the reader may open. */
  readonly sections: ReadonlyArray<{ readonly name: OverviewSectionName; readonly href: ServicePath }>;
  /** What the page is about: an organization, or the whole instance if it has no name. */
  readonly place: {
    readonly name: string | undefined;
    /** From an organization to the whole instance, for those who may see it. */
    readonly wholeHref?: ServicePath | undefined;
  };
  /** The time zone of the reader's profile; undefined if it names none. */
  readonly timeZone?: string | undefined;
  readonly done?: { readonly what: OverviewDone; readonly isGood: boolean } | undefined;
}

/** An operation in `/docs`, with ids filled in. */
export interface DocsLink {
  /** `UnlockUser` */
  readonly operationId: string;
  readonly href: ServicePath;
}

/** A search, by a form that is sent with GET. */
export interface SearchForm {
  readonly action: ServicePath;
  readonly query: string;
  /** Sent with it. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** How often something happened on a day, in UTC. */
export interface CountedDay {
  /** `2026-11-30` */
  readonly day: string;
  readonly signIns: number;
  readonly refused: number;
}

/** A line of the journal. Its sentence is English, as in the administrative API. */
export interface ChangeLine {
  readonly at: Date;
  readonly sentence: string;
  /** The organization, where the list is of several. */
  readonly orgName?: string | undefined;
  readonly docs?: DocsLink | undefined;
}

/** Something that somebody should look at. */
export interface ConcernLine {
  readonly what: keyof PageTexts['overviewHome']['concerns'];
  readonly count: number;
  readonly href: ServicePath;
}

export interface OverviewHomeProps {
  readonly frame: OverviewFrame;
  readonly search?: SearchForm | undefined;
  /** The oldest first, without gaps. */
  readonly days?: readonly CountedDay[] | undefined;
  /** The newest first. */
  readonly changes?: { readonly lines: readonly ChangeLine[]; readonly docs: DocsLink } | undefined;
  readonly concerns?: readonly ConcernLine[] | undefined;
}

export type UserStateWord = keyof PageTexts['overviewPeople']['states'];

export interface PersonLine {
  readonly href: ServicePath;
  readonly displayName: string;
  readonly loginName: string;
  readonly email: string;
  readonly orgName: string;
  readonly state: UserStateWord;
  readonly isServiceUser: boolean;
}

export interface OverviewPeopleProps {
  readonly frame: OverviewFrame;
  readonly search: SearchForm;
  /** Undefined before anything was searched for. */
  readonly people?: readonly PersonLine[] | undefined;
  /** There are more than the page shows: a longer text finds fewer. */
  readonly hasMore?: boolean | undefined;
  readonly docs: DocsLink;
}

/** The six actions, and the words of their questions. */
export type OverviewAct = keyof PageTexts['overviewAct']['acts'];

/** A link of the answer to the question why. */
export interface WhyLine {
  /** The short word for it, of the catalogue: the code of the link in the administrative API. */
  readonly code: keyof PageTexts['overviewWhy']['codes'];
  readonly effect: keyof PageTexts['overviewWhy']['effects'];
  /** The whole sentence, in English. */
  readonly sentence: string;
  readonly until?: Date | undefined;
  /** The operations that change it, for readers who may call them. */
  readonly mends: readonly DocsLink[];
}

export interface WhyAnswer {
  readonly canSignIn: keyof PageTexts['overviewWhy']['answers'];
  /** English. */
  readonly summary: string;
  readonly chain: readonly WhyLine[];
  /** English sentences. */
  readonly limits: ReadonlyArray<{
    readonly sentence: string;
    readonly isReached: boolean;
    readonly until?: Date | undefined;
  }>;
  /** The newest first. */
  readonly failures: ReadonlyArray<{
    readonly at: Date;
    /** The word of the catalogue; undefined for reasons that it does not know. */
    readonly reason?: keyof PageTexts['overviewWhy']['failures'] | undefined;
    /** English. */
    readonly sentence: string;
  }>;
  readonly docs: DocsLink;
}

export interface OverviewPersonProps {
  readonly frame: OverviewFrame;
  readonly title: string;
  readonly state: UserStateWord;
  readonly facts: {
    readonly loginNames: readonly string[];
    readonly email: string;
    readonly isEmailVerified: boolean;
    readonly phone: string;
    readonly orgName: string;
    /** Undefined for readers who may not open it. */
    readonly orgHref?: ServicePath | undefined;
    readonly id: string;
    readonly createdAt: Date;
    readonly isServiceUser: boolean;
    readonly docs: DocsLink;
  };
  /** For people; service users do not sign in on pages. */
  readonly why?: { readonly answer: WhyAnswer; readonly ask: WhyQuestion } | undefined;
  /** For people, as `why`. */
  readonly factors?:
    | ReadonlyArray<{
        readonly kind: keyof PageTexts['overviewPerson']['factors'];
        readonly count: number;
      }>
    | undefined;
  readonly sessions?: { readonly lines: readonly SessionLine[]; readonly docs: DocsLink } | undefined;
  readonly mails?: { readonly lines: readonly MailLine[]; readonly docs: DocsLink } | undefined;
  /** The last changes of this account. */
  readonly changes?: { readonly lines: readonly ChangeLine[]; readonly docs: DocsLink } | undefined;
  readonly acts: ReadonlyArray<{ readonly act: OverviewAct; readonly href: ServicePath }>;
}

/** The form that asks why once more, about an application. */
export interface WhyQuestion {
  readonly action: ServicePath;
  /** A client id or a name; empty for the pages of the service itself. */
  readonly application: string;
  /** The reader named one that does not exist, or that they may not read: then the answer is about something else. */
  readonly isUnknown: boolean;
}

export interface SessionLine {
  readonly at: Date;
  readonly how: 'password' | 'provider' | 'passkey';
  readonly docs: DocsLink;
}

export interface MailLine {
  readonly kind: keyof PageTexts['overviewMails']['kinds'];
  readonly state: keyof PageTexts['overviewMails']['states'];
  readonly at: Date;
  /** On lists of several people. */
  readonly recipient: string;
  /** What the mail server said; empty if nothing went wrong. */
  readonly reason: string;
  /** Resending is offered where it makes sense, to those who may. */
  readonly resendHref?: ServicePath | undefined;
  readonly docs: DocsLink;
}

export interface OrgLine {
  readonly name: string;
  readonly domain: string;
  readonly isActive: boolean;
  readonly homeHref: ServicePath;
  readonly applicationsHref: ServicePath;
  readonly policiesHref: ServicePath;
  readonly docs: DocsLink;
}

export interface OverviewOrgsProps {
  readonly frame: OverviewFrame;
  readonly search: SearchForm;
  readonly orgs: readonly OrgLine[];
  readonly hasMore: boolean;
}

export interface ApplicationLine {
  readonly name: string;
  readonly projectName: string;
  readonly orgName: string;
  readonly clientId: string;
  readonly isActive: boolean;
  /** `2026-11-29`, in UTC; undefined if it was not used within the days that are counted. */
  readonly lastUsedOn?: string | undefined;
  readonly docs: DocsLink;
}

export interface ProviderLine {
  readonly name: string;
  /** As administrators call it: `OIDC`, `Google`. */
  readonly kind: string;
  /** Empty for kinds without one. */
  readonly issuer: string;
  readonly clientId: string;
  readonly isActive: boolean;
  /** Empty for the instance's. */
  readonly orgName: string;
  /** Sign-ins with it in the last seven days, and those that failed at it. */
  readonly week: { readonly signIns: number; readonly failed: number };
  /** `2026-11-29`, in UTC. */
  readonly lastUsedOn?: string | undefined;
  readonly test?: { readonly day: string; readonly isGood: boolean } | undefined;
  readonly testHref?: ServicePath | undefined;
  readonly docs: DocsLink;
}

export interface OverviewApplicationsProps {
  readonly frame: OverviewFrame;
  /** For applications, by readers who may read some. */
  readonly search?: SearchForm | undefined;
  /** The issuer that applications are configured with. */
  readonly issuer: string;
  readonly applications?: { readonly lines: readonly ApplicationLine[]; readonly hasMore: boolean } | undefined;
  readonly providers?: { readonly lines: readonly ProviderLine[]; readonly hasMore: boolean } | undefined;
}

/** The value of a setting: texts and numbers as they are, and yes or no in words. */
export type SettingValue = string | number | boolean;

export interface PolicyBlock {
  readonly kind: keyof PageTexts['overviewPolicies']['kinds'];
  /** Whether the organization has a policy of its own. */
  readonly isOwn: boolean;
  /** Under the names of the administrative API. */
  readonly settings: ReadonlyArray<{
    readonly name: string;
    readonly value: SettingValue;
    /** The value of the instance, where the organization's is another one. */
    readonly instanceValue?: SettingValue | undefined;
  }>;
  readonly docs: DocsLink;
}

export interface OverviewPoliciesProps {
  readonly frame: OverviewFrame;
  readonly policies: readonly PolicyBlock[];
}

export interface OverviewServiceProps {
  readonly frame: OverviewFrame;
  readonly version?: string | undefined;
  /** Those that were given up, the newest first. */
  readonly mails?:
    | { readonly lines: readonly MailLine[]; readonly waiting: number; readonly docs: DocsLink }
    | undefined;
  readonly webhooks?:
    | {
        readonly lines: ReadonlyArray<{
          readonly url: string;
          readonly orgName: string;
          readonly state: keyof PageTexts['overviewService']['webhookStates'];
          readonly failingSince?: Date | undefined;
          readonly waiting: number;
          readonly oldestAt?: Date | undefined;
          readonly dead: number;
          readonly docs: DocsLink;
        }>;
        readonly docs: DocsLink;
      }
    | undefined;
  readonly signingKeys?:
    | {
        readonly lines: ReadonlyArray<{
          readonly id: string;
          readonly algorithm: string;
          readonly state: keyof PageTexts['overviewService']['keyStates'];
          readonly since: Date;
          /** The next step in the life of the key; undefined for the one in use. */
          readonly docs?: DocsLink | undefined;
        }>;
        readonly docs: DocsLink;
      }
    | undefined;
  /** Keys, tokens and certificates that end within 30 days or have ended within seven, the first to end first. */
  readonly ending?:
    | ReadonlyArray<{
        readonly what: keyof PageTexts['overviewService']['endingKinds'];
        /** The user or application that it belongs to. */
        readonly ownerName: string;
        /** The card of a user. */
        readonly ownerHref?: ServicePath | undefined;
        readonly id: string;
        readonly endsAt: Date;
        readonly hasEnded: boolean;
        readonly docs: DocsLink;
      }>
    | undefined;
  readonly jobs?:
    | {
        readonly lines: ReadonlyArray<{
          readonly kind: keyof PageTexts['overviewService']['jobKinds'];
          readonly state: keyof PageTexts['overviewService']['jobStates'];
          readonly at: Date;
          readonly done: number;
          /** Undefined if it is not known. */
          readonly total?: number | undefined;
          readonly docs: DocsLink;
        }>;
        readonly docs: DocsLink;
      }
    | undefined;
  readonly extensions?:
    | {
        readonly lines: ReadonlyArray<{
          readonly id: string;
          readonly version: string;
          /** Of the last hour, in the process that answers. */
          readonly failures: number;
        }>;
        readonly docs: DocsLink;
      }
    | undefined;
}

/** Asks before anything is done. */
export interface OverviewActProps {
  readonly frame: OverviewFrame;
  readonly act: OverviewAct;
  /** The person, mail or provider that it is about. */
  readonly thing: string;
  readonly target: { readonly action: ServicePath; readonly csrf: string };
  readonly backHref: ServicePath;
  readonly docs: DocsLink;
  /** Why it could not be done, in English, as the administrative API says it. */
  readonly refusal?: string | undefined;
}

/** The result of a provider's test. */
export interface OverviewTestedProps {
  readonly frame: OverviewFrame;
  readonly provider: string;
  readonly isGood: boolean;
  /** Details are English, as in the administrative API. */
  readonly parts: ReadonlyArray<{ readonly part: string; readonly isGood: boolean; readonly detail: string }>;
  readonly backHref: ServicePath;
  readonly docs: DocsLink;
}
