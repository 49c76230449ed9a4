import { PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { loginLanguages } from '../../foundation/page/catalogue/catalogue.js';
import { names, type OwnPage, pagesSaying } from '../../foundation/page/every-page.js';
import { PLAIN_LOOK } from '../../foundation/page/look.js';
import { OwnLooks } from '../../foundation/page/own-looks.js';
import { PAGE_SLOT, type PageQuestion, type PageSlot } from '../../foundation/page/page-slot.js';
import { PAGE_VIEW, type PageView } from '../../foundation/page/page-view.js';
import { paths } from '../../foundation/page/paths.js';
import { type LoginPage, renderPage } from '../../foundation/page/render.js';
import { Page } from '../browser.js';
import { Reply } from '../http.js';
import type { World } from '../world.js';
import {
  broken,
  type ContractCase,
  type GivenWorld,
  partsOf,
  require,
  requirement,
  requireSame,
  whileIt,
  worldOf,
} from './contract.js';
import { markupFaults } from './markup.js';

/** @public */
export interface PageViewContractInput {
  /** The id of the extension whose views and slots it is about. */
  readonly extension: string;
}

const HOSTILE = '"><script>alert(1)</script>';
/** So long at most for what a page waits for; pages are rendered at once. */
const MOST_MS = 20;
const ROUNDS = 5;
const stylesheet = `${paths.stylesheet}?v=1` as const;

/**
 * What views and slots keep: every page that Gatehouse has, with all that it can show, renders with them in every language, and none falls
 * back to the look of Gatehouse; forms keep their names, ids and tokens; the page has no script, style or address of others; what comes from
 * outside stays text; a slot says the same to every reader; a part that fails costs no page; rendering does not take long.
 *
 * It cannot prove how a page looks: contrast, narrow screens and what a style sheet does need a browser and eyes. Labels, ids, headings and
 * languages of the markup are checked.
 * @public
 */
export function pageViewContract(given: GivenWorld, input: PageViewContractInput): readonly ContractCase[] {
  const on = (check: (stage: PagesStage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const ofExtension = <Part>(filled: ReadonlyArray<Filled<Part>>): ReadonlyArray<Filled<Part>> =>
      filled.filter(({ extension }) => extension === input.extension);
    const stage = {
      world,
      views: ofExtension(partsOf(world, PAGE_VIEW)),
      slots: ofExtension(partsOf(world, PAGE_SLOT)),
      ...input,
    };
    if (stage.views.length + stage.slots.length === 0)
      broken(`The extension ${input.extension} fills neither PAGE_VIEW nor PAGE_SLOT in this world.`);
    await check(stage);
  };
  return [
    requirement('pages: every page renders in every language, and none falls back', on(everyPage)),
    requirement('pages: forms keep their fields, names and tokens', on(forms)),
    requirement('pages: no script, style or address of others, and well-formed markup', on(markup)),
    requirement('pages: what comes from outside stays text', on(hostileNames)),
    requirement('pages: a slot says the same to every reader', on(sameForAll)),
    requirement('pages: a part that fails costs no page', on(whenItThrows)),
    requirement('pages: rendering does not take long', on(quick)),
  ];
}

interface PagesStage {
  readonly world: World;
  readonly extension: string;
  readonly views: ReadonlyArray<Filled<PageView>>;
  readonly slots: ReadonlyArray<Filled<PageSlot>>;
}

type Language = (typeof loginLanguages)[number];

function render({ world }: PagesStage, page: LoginPage, language: Language = 'en', brand = 'Acme'): string {
  return world.get(OwnLooks).render(page, contextOf(language, brand));
}

function contextOf(language: Language, brand = 'Acme'): Parameters<typeof renderPage>[1] {
  return { language, brand, look: PLAIN_LOOK, stylesheet };
}

function concerned({ views, slots }: PagesStage): readonly OwnPage[] {
  const parts = [...views, ...slots].map(({ part }) => part.pages);
  return names.filter((name) => parts.some((pages) => pages?.includes(name) ?? true));
}

/** What parts were reported to have done wrong while `work` ran. */
async function failuresDuring(stage: PagesStage, work: () => void): Promise<string[]> {
  const calls = stage.world.get(PartCalls);
  const fail = calls.fail.bind(calls);
  const found: string[] = [];
  await whileIt(
    calls,
    'fail',
    (call, error) => {
      if (call.of.extension === stage.extension)
        found.push(`${call.of.name}: ${String((error as Partial<Error>).message ?? error)}`);
      return fail(call, error);
    },
    async () => work(),
  );
  return found;
}

async function everyPage(stage: PagesStage): Promise<void> {
  const pages = pagesSaying('word');
  for (const language of loginLanguages)
    for (const name of concerned(stage)) {
      const failures = await failuresDuring(stage, () => void render(stage, pages[name], language));
      require(failures.length === 0, `On the page ${name} in ${language}, ${failures.join('; ')}`);
    }
}

async function forms(stage: PagesStage): Promise<void> {
  const pages = pagesSaying('word');
  for (const name of concerned(stage)) {
    const ours = pageOf(renderPage(pages[name], contextOf('en')));
    const arranged = pageOf(render(stage, pages[name]));
    requireSame(arranged.forms, ours.forms, `On the page ${name}, what its forms send`);
    const buttons = (page: Page): string[] => page.all('button').map(({ outerHTML }) => outerHTML);
    requireSame(buttons(arranged), buttons(ours), `On the page ${name}, its buttons`);
  }
}

async function markup(stage: PagesStage): Promise<void> {
  const pages = pagesSaying('word');
  for (const language of ['en', 'ar'] as const)
    for (const name of concerned(stage)) {
      // What Gatehouse shows in such a state is tested there.
      const known = markupFaults(pageOf(renderPage(pages[name], contextOf(language))));
      const faults = markupFaults(pageOf(render(stage, pages[name], language))).filter(
        (fault) => !known.includes(fault),
      );
      require(faults.length === 0, `On the page ${name} in ${language}, ${faults.join('; ')}.`);
    }
}

async function hostileNames(stage: PagesStage): Promise<void> {
  const pages = pagesSaying(HOSTILE);
  for (const name of concerned(stage)) {
    const html = render(stage, pages[name], 'en', HOSTILE);
    require(!html.includes('<script>alert(1)'), `On the page ${name}, a name that contains markup is markup.`);
  }
}

async function sameForAll(stage: PagesStage): Promise<void> {
  for (const { part, name } of stage.slots)
    for (const page of concerned(stage).filter((one) => part.pages?.includes(one) ?? true)) {
      const question: PageQuestion = { page, language: 'en', brandName: 'Acme', text: (key) => key };
      requireSame(
        part.content(question),
        part.content({ ...question }),
        `Asked twice the same about the page ${page}, what ${name} says`,
      );
    }
}

async function whenItThrows(stage: PagesStage): Promise<void> {
  const pages = pagesSaying('word');
  const [page] = concerned(stage);
  const fail = (): never => {
    throw new Error('The contract lets it throw.');
  };
  const check = async (name: string): Promise<void> => {
    const html = render(stage, pages[page!]);
    require(pageOf(html).forms.length ===
      pageOf(renderPage(pages[page!], contextOf('en'))).forms
        .length, `While ${name} fails, the page ${page} is not whole.`);
  };
  for (const { part, name } of stage.views) await whileIt(part, 'view', fail, () => check(name));
  for (const { part, name } of stage.slots) await whileIt(part, 'content', fail, () => check(name));
}

async function quick(stage: PagesStage): Promise<void> {
  const pages = pagesSaying('word');
  for (const name of concerned(stage)) {
    let least = Infinity;
    for (let round = 0; round < ROUNDS && least > MOST_MS; round += 1) {
      const before = process.threadCpuUsage();
      render(stage, pages[name]);
      const { user, system } = process.threadCpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    require(least <=
      MOST_MS, `The page ${name} takes ${Math.round(least)} ms to render, and nothing else is answered meanwhile.`);
  }
}

function pageOf(html: string): Page {
  return new Page(new Reply('GET a page', 200, {}, html), '/');
}
