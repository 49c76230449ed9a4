import { describe, expect, it } from '@jest/globals';
import { elements, names, pagesSaying, render, tagsOf, valuesOf } from '../../extension/testing/page/every-page.js';
import { textsFor } from '../catalogue/catalogue.js';
import type { LoginPage } from '../render.js';
import type { CountedDay, OverviewAct } from './overview-facts.js';

const texts = textsFor('en');
const pages = pagesSaying('Ada');
const overview = names.filter((name) => name.startsWith('overview'));

const headings = (html: string): string[] => [...html.matchAll(/<h2>([^<]*)<\/h2>/gu)].map(([, text = '']) => text);
const plain = (html: string): string => html.replaceAll(/<[^>]*>/gu, '');

describe.each(overview)('the page %s of the overview', (name) => {
  const page = pages[name] as LoginPage<'overviewHome'>;

  it('leads to the sections that its reader may open, and to no other, and says which one is open', () => {
    const sections = page.frame.sections.slice(0, 2);
    const html = render({ ...page, frame: { ...page.frame, sections } });
    const nav = /<nav [^>]*>(.*?)<\/nav>/su.exec(html)?.[1] ?? '';
    expect(valuesOf(elements(tagsOf(nav), 'a'), 'href')).toEqual(sections.map(({ href }) => href));
    expect(nav.match(/aria-current/gu) ?? []).toHaveLength(
      ['overviewHome', 'overviewPeople', 'overviewPerson'].includes(name) ? 1 : 0,
    );
  });

  it('leads to the account of its reader, to another one, and out', () => {
    const hrefs = valuesOf(elements(tagsOf(render(page)), 'a'), 'href');
    expect(hrefs.slice(0, 3)).toEqual(['/ui/account', '/ui/account/switch', '/ui/login/logout']);
  });

  it('says what it is about: an organization by its name, or the whole instance', () => {
    const placed = (place: string | undefined) => render({ ...page, frame: { ...page.frame, place: { name: place } } });
    expect(placed('Birkenhof')).toContain('<p class="place dotted"><span><bdi>Birkenhof</bdi></span></p>');
    expect(placed(undefined)).toContain('<p class="place dotted"><span>Whole instance</span></p>');
  });

  it('says what was just done to all readers at once, and as an alert if it did not work', () => {
    const done = (isGood: boolean) =>
      render({ ...page, frame: { ...page.frame, done: { what: isGood ? 'unlocked' : 'notDone', isGood } } });
    expect(done(true)).toContain(`role="status"><p>${texts.overviewPage.done.unlocked}`);
    expect(done(false)).toContain(`role="alert"><p>${texts.overviewPage.done.notDone}`);
  });

  it('names each operation of the documentation in words for those who hear only the link', () => {
    const links = elements(tagsOf(render(page)), 'a').filter((tag) => tag.attributes.get('class') === 'in-docs');
    for (const { attributes } of links) {
      expect(attributes.get('aria-label')).toMatch(/^[A-Z][A-Za-z]+ in the API$/u);
      expect(attributes.get('href')).toMatch(/^\/docs\//u);
      expect(attributes.has('target')).toBe(false);
    }
  });
});

describe('the bars of days', () => {
  const show = (days: readonly CountedDay[]) => render({ page: 'overviewHome', frame: pages.overviewHome.frame, days });
  const day = (date: number, signIns: number, refused: number): CountedDay => ({
    day: `2026-11-0${date}`,
    signIns,
    refused,
  });
  const html = show([day(1, 40, 10), day(2, 0, 0), day(3, 20, 5)]);
  const bars = elements(tagsOf(html), 'rect').map(({ attributes }) => ({
    x: Number(attributes.get('x')),
    y: Number(attributes.get('y')),
    height: Number(attributes.get('height')),
  }));

  it('are as high as their numbers, on one scale for both', () => {
    const [most = 0, ...others] = bars.map(({ height }) => height);
    expect(others.map((height) => height / most)).toEqual([0, 0.5, 0.25, 0, 0.125]);
  });

  it('stand on one line, and leave room for a day without any', () => {
    expect(new Set(bars.map(({ y, height }) => y + height)).size).toBe(1);
    const starts = bars.slice(0, 3).map(({ x }) => x);
    expect(starts.map((x) => x - starts[0]!)).toEqual([0, 10, 20]);
  });

  it('say their sums to readers who do not see them, and every day in a table', () => {
    const [chart] = tagsOf(html).filter(({ attributes }) => attributes.get('role') === 'img');
    expect(chart?.attributes.get('aria-label')).toBe('Sign-ins: 60, Refused: 15');
    const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([row]) => plain(row.replaceAll('</td>', ' ')));
    expect(rows.slice(1)).toEqual(['Nov 3, 202620 5 ', 'Nov 2, 20260 0 ', 'Nov 1, 202640 10 ']);
  });

  it('are none without days, and need no number above zero', () => {
    expect(elements(tagsOf(show([])), 'rect')).toEqual([]);
    expect(show([day(1, 0, 0)])).not.toContain('NaN');
  });
});

describe('a sentence of the administrative API', () => {
  const SENTENCE = 'Ada has been locked.';
  const { overviewPerson, overviewHome, overviewAct, overviewTested } = pagesSaying(SENTENCE);

  it.each([overviewPerson, overviewHome, overviewAct, overviewTested] as const)(
    'is marked as English on the page $page, in whichever language the page is',
    (page) => {
      expect(render(page, 'ar')).toMatch(/<span lang="en" dir="ltr">Ada has been locked\./u);
    },
  );

  it('is marked wherever a person reads why', () => {
    const { answer } = pages.overviewPerson.why!;
    const html = render(pages.overviewPerson, 'ja');
    const sentences = [answer.summary, ...answer.chain.map(({ sentence }) => sentence)];
    for (const sentence of [...sentences, ...answer.limits.map((limit) => limit.sentence)])
      expect(html).toContain(`<span lang="en" dir="ltr">${sentence}</span>`);
  });

  it('is not shown for an application that is not known, of which the page says so', () => {
    const person = pages.overviewPerson;
    const { answer, ask } = person.why!;
    const html = render({ ...person, why: { answer, ask: { ...ask, isUnknown: true } } });
    expect(html).toContain(texts.overviewWhy.unknown);
    expect(html).not.toContain(answer.summary);
  });
});

describe('a block that its reader may not read', () => {
  it.each<[LoginPage, readonly string[]]>([
    [{ page: 'overviewHome', frame: pages.overviewHome.frame }, []],
    [{ page: 'overviewService', frame: pages.overviewService.frame }, []],
    [
      {
        ...pages.overviewPerson,
        why: undefined,
        sessions: undefined,
        mails: undefined,
        changes: undefined,
        acts: [],
      },
      [texts.overviewPerson.details, texts.overviewPerson.ways],
    ],
    [{ ...pages.overviewApplications, providers: undefined }, [texts.overviewApplications.applications]],
    [{ ...pages.overviewPeople, people: undefined }, []],
  ])('is not there, and nothing says that it was left out: %#', (page, shown) => {
    expect(headings(render(page))).toEqual(shown);
  });

  it('differs from one without anything in it, which says so', () => {
    const html = render({ page: 'overviewHome', frame: pages.overviewHome.frame, concerns: [] });
    expect(headings(html)).toEqual([texts.overviewHome.attention]);
    expect(html).toContain(texts.overviewHome.nothing);
  });
});

describe('the policies of an organization', () => {
  const page = (place: string | undefined): LoginPage<'overviewPolicies'> => ({
    page: 'overviewPolicies',
    frame: { ...pages.overviewPolicies.frame, place: { name: place } },
    policies: [
      {
        kind: 'login',
        isOwn: true,
        settings: [
          { name: 'forceMfa', value: true, instanceValue: false },
          { name: 'maxPasswordAttempts', value: 5000 },
          { name: 'tosLink', value: '' },
        ],
        docs: { operationId: 'GetLoginPolicy', href: '/docs/api' },
      },
    ],
  });
  const rows = (html: string) =>
    [...html.matchAll(/<div( class="is-other")?><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/gsu)].map(
      ([, isOther, name = '', value = '']) => [plain(name), plain(value), isOther !== undefined],
    );

  it('mark what differs from the instance, and say what is there', () => {
    expect(rows(render(page('Birkenhof')))).toEqual([
      ['forceMfa', 'YesInstance: No', true],
      ['maxPasswordAttempts', '5,000', false],
      ['tosLink', 'Empty', false],
    ]);
  });

  it('say whose they are, which goes without saying for those of the instance', () => {
    expect(render(page('Birkenhof'))).toContain(texts.overviewPolicies.own);
    expect(render(page(undefined))).not.toContain(texts.overviewPolicies.own);
  });
});

describe('the question before something is done', () => {
  const asking = (act: OverviewAct, refusal?: string) =>
    render({ ...pages.overviewAct, act, refusal, frame: { ...pages.overviewAct.frame, done: undefined } });

  it.each(Object.keys(texts.overviewAct.acts) as OverviewAct[])('is asked in the words of %s', (act) => {
    const tags = tagsOf(asking(act));
    const words = texts.overviewAct.acts[act];
    expect(plain(asking(act))).toContain(words.title.replace('{title}', 'Ada'));
    expect(asking(act)).toContain(`>${words.button}</button>`);
    expect(valuesOf(elements(tags, 'form'), 'method')).toEqual(['post']);
    expect(valuesOf(elements(tags, 'input'), 'name')).toEqual(['csrf']);
    const isTaking = act === 'endSessions' || act === 'deactivate';
    expect(valuesOf(elements(tags, 'button'), 'class')).toEqual([isTaking ? 'button button-danger' : 'button']);
    expect(valuesOf(elements(tags, 'a'), 'href')).toContain(pages.overviewAct.backHref);
  });

  it('says why it could not be done, as an alert and in the title', () => {
    const html = asking('unlock', 'The user is not locked.');
    expect(html).toContain('role="alert"');
    expect(html).toContain('<span lang="en" dir="ltr">The user is not locked.</span>');
    expect(html).toContain('<title>Error: ');
    expect(asking('unlock')).not.toContain('role="alert"');
  });
});
