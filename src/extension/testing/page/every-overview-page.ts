import { paths, type ServicePath } from '../../../org/instance/paths.js';
import { type PageTexts, textsFor } from '../../../page/catalogue/catalogue.js';
import type {
  ApplicationLine,
  CountedDay,
  MailLine,
  OverviewFrame,
  OverviewServiceProps,
  ProviderLine,
  SettingValue,
  WhyAnswer,
} from '../../../page/overview/overview-facts.js';
import type { PageName } from '../../../page/part/page-names.js';
import type { LoginPage } from '../../../page/render.js';

type OverviewPage = Extract<PageName, `overview${string}`>;

const here = paths.overview;
const at = (section: string): ServicePath => `${here}/${section}`;
const moment = new Date('2026-03-01T12:00:00Z');
const ROWS = 12;

const wordsOf = <Words extends object>(words: Words) => Object.keys(words) as (keyof Words)[];
const rows = <Row>(row: (index: number) => Row): Row[] => Array.from({ length: ROWS }, (_, index) => row(index));
const docs = (operationId: string) => ({
  operationId,
  href: `/docs/api/${operationId}?id=312909075212468226` as const,
});
const words: PageTexts = textsFor('en');

/** Two weeks, on one of which nobody came. */
const days: readonly CountedDay[] = Array.from({ length: 14 }, (_, index) => ({
  day: `2026-03-${String(index + 1).padStart(2, '0')}`,
  signIns: index === 6 ? 0 : 1200 + index * 137,
  refused: index === 6 ? 0 : 30 + ((index * 53) % 200),
}));

/** The pages of the overview, each with all that it can show; each piece of text that comes from outside is `word`. */
export function overviewPagesSaying(word: string): { readonly [Name in OverviewPage]: LoginPage<Name> } {
  const frame: OverviewFrame = {
    person: { displayName: word, loginName: `${word} ` },
    sections: wordsOf(words.overviewPage.sections).map((name) => ({ name, href: name === 'home' ? here : at(name) })),
    place: { name: word },
    done: { what: 'unlocked', isGood: true },
  };
  const search = { action: at('people'), query: word, fields: { org: word } };
  const changes = {
    lines: rows((index) => ({
      at: moment,
      sentence: `${word} changed the login policy.`,
      ...(index % 2 === 0 ? { docs: docs('UpdateLoginPolicy') } : {}),
    })),
    docs: docs('ListEvents'),
  };
  const mails = wordsOf(words.overviewMails.kinds).map(
    (kind, index): MailLine => ({
      kind,
      state: wordsOf(words.overviewMails.states)[index % 4]!,
      at: moment,
      recipient: word,
      reason: index % 2 === 0 ? word : '',
      resendHref: index % 4 === 2 ? at('mails/resend') : undefined,
      docs: docs('RetryMail'),
    }),
  );
  return {
    overviewHome: {
      page: 'overviewHome',
      frame,
      search,
      days,
      changes,
      concerns: wordsOf(words.overviewHome.concerns).map((what, index) => ({ what, count: index + 1, href: here })),
    },
    overviewPeople: {
      page: 'overviewPeople',
      frame: { ...frame, done: undefined },
      search,
      people: rows((index) => ({
        href: at('people/1'),
        displayName: word,
        loginName: `${word} `,
        email: `${word}  `,
        orgName: word,
        state: wordsOf(words.overviewPeople.states)[index % 4]!,
        isServiceUser: index % 5 === 4,
      })),
      hasMore: true,
      docs: docs('ListUsers'),
    },
    overviewPerson: {
      page: 'overviewPerson',
      frame,
      title: word,
      state: 'locked',
      facts: {
        loginNames: [word, word],
        email: word,
        isEmailVerified: false,
        phone: word,
        orgName: word,
        id: word,
        createdAt: moment,
        isServiceUser: true,
        docs: docs('GetUserByID'),
      },
      why: { answer: answerSaying(word), ask: { action: at('people/1'), application: word, isUnknown: false } },
      factors: wordsOf(words.overviewPerson.factors).map((kind, index) => ({ kind, count: index + 1 })),
      sessions: {
        lines: (['password', 'provider', 'passkey'] as const).map((how) => ({
          at: moment,
          how,
          docs: docs('EndUserSession'),
        })),
        docs: docs('ListUserSessions'),
      },
      mails: { lines: mails, docs: docs('ListMails') },
      changes,
      acts: (['unlock', 'resetMail', 'endSessions', 'deactivate'] as const).map((act) => ({ act, href: at('act') })),
    },
    overviewOrgs: {
      page: 'overviewOrgs',
      frame: { ...frame, place: { name: undefined } },
      search,
      orgs: rows((index) => ({
        name: word,
        domain: word,
        isActive: index % 3 !== 0,
        homeHref: here,
        applicationsHref: at('applications'),
        policiesHref: at('policies'),
        docs: docs('GetOrgByID'),
      })),
      hasMore: true,
    },
    overviewApplications: {
      page: 'overviewApplications',
      frame,
      search,
      issuer: word,
      applications: { lines: rows((index) => applicationSaying(word, index)), hasMore: true },
      providers: { lines: [providerSaying(word, true), providerSaying(word, false)], hasMore: true },
    },
    overviewPolicies: {
      page: 'overviewPolicies',
      frame,
      policies: wordsOf(words.overviewPolicies.kinds).map((kind, index) => ({
        kind,
        isOwn: index % 2 === 0,
        settings: settingsSaying(word, index % 2 === 0),
        docs: docs('GetLoginPolicy'),
      })),
    },
    overviewService: serviceSaying(word, frame, mails),
    overviewAct: {
      page: 'overviewAct',
      frame,
      act: 'deactivate',
      thing: word,
      target: { action: at('act'), csrf: word },
      backHref: at('people/1'),
      docs: docs('DeactivateUser'),
      refusal: word,
    },
    overviewTested: {
      page: 'overviewTested',
      frame,
      provider: word,
      isGood: false,
      parts: [
        { part: word, isGood: true, detail: '' },
        { part: word, isGood: false, detail: word },
      ],
      backHref: at('applications'),
      docs: docs('TestProvider'),
    },
  };
}

function answerSaying(word: string): WhyAnswer {
  return {
    canSignIn: 'no',
    summary: `${word} cannot sign in. ${word} has been locked since 1 March 2026.`,
    chain: wordsOf(words.overviewWhy.effects).map((effect) => ({
      code: 'user_locked_by_failures',
      effect,
      sentence: `${word} has been locked since 1 March 2026, after ten wrong passwords in a row.`,
      until: moment,
      mends: [docs('UnlockUser'), docs('UpdateLockoutPolicy')],
    })),
    limits: [
      { sentence: `${word} has 3 wrong passwords in a row; after 10 the account is locked.`, isReached: false },
      { sentence: `10 wrong passwords of 10 for ${word} are used up.`, isReached: true, until: moment },
    ],
    failures: [
      { at: moment, reason: 'code_wrong:otp', sentence: word },
      { at: moment, sentence: word },
    ],
    docs: docs('ExplainSignIn'),
  };
}

function applicationSaying(word: string, index: number): ApplicationLine {
  return {
    name: word,
    projectName: word,
    orgName: word,
    clientId: word,
    isActive: index % 3 !== 0,
    lastUsedOn: index % 2 === 0 ? '2026-02-28' : undefined,
    docs: docs('GetAppByID'),
  };
}

function providerSaying(word: string, isGood: boolean): ProviderLine {
  return {
    name: word,
    kind: word,
    issuer: word,
    clientId: word,
    isActive: isGood,
    orgName: isGood ? '' : word,
    week: { signIns: 1234, failed: 5 },
    lastUsedOn: '2026-02-28',
    test: { day: '2026-02-28', isGood },
    testHref: at('applications/test'),
    docs: docs('GetProviderByID'),
  };
}

function settingsSaying(
  word: string,
  isOwn: boolean,
): ReadonlyArray<{ name: string; value: SettingValue; instanceValue?: SettingValue }> {
  return [
    { name: 'allowUsernamePassword', value: true, ...(isOwn ? { instanceValue: false } : {}) },
    { name: 'maxPasswordAttempts', value: 10, ...(isOwn ? { instanceValue: 1000 } : {}) },
    { name: 'passwordCheckLifetime', value: '864000s' },
    { name: 'tosLink', value: '', ...(isOwn ? { instanceValue: word } : {}) },
    { name: 'privacyLink', value: word },
  ];
}

function serviceSaying(
  word: string,
  frame: OverviewFrame,
  mails: readonly MailLine[],
): { page: 'overviewService' } & OverviewServiceProps {
  return {
    page: 'overviewService',
    frame: { ...frame, place: { name: undefined }, done: { what: 'notDone', isGood: false } },
    version: word,
    mails: { lines: mails, waiting: 3, docs: docs('ListMails') },
    webhooks: {
      lines: wordsOf(words.overviewService.webhookStates).map((state) => ({
        url: word,
        orgName: word,
        state,
        failingSince: moment,
        waiting: 1200,
        oldestAt: moment,
        dead: 4,
        docs: docs('GetWebhook'),
      })),
      docs: docs('ListWebhooks'),
    },
    signingKeys: {
      lines: wordsOf(words.overviewService.keyStates).map((state) => ({
        id: word,
        algorithm: 'RS256',
        state,
        since: moment,
      })),
      docs: docs('ListSigningKeys'),
    },
    ending: wordsOf(words.overviewService.endingKinds).map((what) => ({
      what,
      ownerName: word,
      id: word,
      endsAt: moment,
      hasEnded: true,
      ownerHref: at('people/1'),
      docs: docs('RemoveKey'),
    })),
    jobs: {
      lines: wordsOf(words.overviewService.jobStates).map((state, index) => ({
        kind: index % 2 === 0 ? 'export' : 'import',
        state,
        at: moment,
        done: 1200,
        total: index % 2 === 0 ? 30000 : undefined,
        docs: docs('GetMigrationJob'),
      })),
      docs: docs('ListMigrationJobs'),
    },
    extensions: {
      lines: [
        { id: word, version: word, failures: 0 },
        { id: word, version: word, failures: 3 },
      ],
      docs: docs('ListExtensions'),
    },
  };
}
