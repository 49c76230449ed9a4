import { PartCalls } from '../../../foundation/extension/part-calls.js';
import type { Filled } from '../../../foundation/extension/seam.js';
import { paths } from '../../../org/instance/paths.js';
import { loginLanguages } from '../../../page/catalogue/catalogue.js';
import { ExtLooks } from '../../../page/ext-looks.js';
import { PageRenderer } from '../../../page/page-renderer.js';
import { PLAIN_LOOK } from '../../../page/part/look.js';
import { PAGE_SLOT, type PageQuestion, type PageSlot } from '../../../page/part/page-slot.js';
import { type LoginPage, renderPage } from '../../../page/render.js';
import { Page } from '../browser.js';
import { Reply } from '../http.js';
import { names, pagesSaying, type ShownPage } from '../page/every-page.js';
import {
  type BrowserProgram,
  type Demand,
  type Fault,
  type PageViewer,
  type SentPage,
  viewerOf,
} from '../page-viewer.js';
import type { World } from '../world.js';
import {
  broken,
  type ContractCase,
  type GivenWorld,
  onOneStage,
  partsOf,
  require,
  requirement,
  requireSame,
  step,
  whileIt,
  worldOf,
} from './contract.js';
import { markupFaults } from './markup.js';

/** @public */
export interface PageSlotContractInput {
  /** The id of the extension whose slots and style sheet it is about. */
  readonly extension: string;
  /** The browser that opens the pages. With `'none'`, the browser cases are left out. */
  readonly browser: BrowserProgram | 'none';
}

const HOSTILE = '"><script>alert(1)</script>';
/** How long a page may wait at most; pages are rendered at once. */
const MOST_MS = 20;
const ROUNDS = 5;
const stylesheet = `${paths.stylesheet}?v=1` as const;
/**
 * Beside English, in which all is examined: one from right to left, and one of long words, with a brand that is one.
 */
const MEASURED = ['ar', 'de'] as const;
const LONG = 'Donaudampfschifffahrtsgesellschaft';
/** How many faults a message names. */
const TOLD = 20;

/**
 * What slots keep, and the style sheet of their extension: every page that they are on, with all that it can show,
 * renders with them in every language, and none is left out; forms keep their names, ids and tokens; the page has no
 * script, style or address of others; what comes from outside stays text; a slot says the same to every reader; one
 * that fails costs no page; rendering does not take long. In a browser, at a width of 320 and of 390 pixels, in light
 * and dark mode: no page needs to be moved sideways, also from right to left and with long words; axe finds nothing
 * against WCAG 2.2 AA; the policy refuses nothing, and nothing is missing or comes from elsewhere.
 *
 * It cannot prove that a page is beautiful, nor that all of it is accessible: axe finds about half of what can be
 * wrong, and no contrast of text that stands on a picture. With `browser: 'none'` it proves nothing of how pages look.
 * @public
 */
export function pageSlotContract(given: GivenWorld, input: PageSlotContractInput): readonly ContractCase[] {
  const { browser } = input;
  if ((browser as unknown) === undefined)
    throw new Error(
      "Say in which browser pages are looked at, such as { channel: 'chrome' }, or 'none' if nobody looks.",
    );
  const on = (check: (stage: PagesStage) => Promise<void>) => async (): Promise<void> =>
    check(stageOf(worldOf(given), input));
  return [
    requirement('pages: every page renders in every language, and no slot is left out', on(everyPage)),
    requirement('pages: forms keep their fields, names and tokens', on(forms)),
    requirement('pages: no script, style or address of others, and well-formed markup', on(markup)),
    requirement('pages: what comes from outside stays text', on(hostileNames)),
    requirement('pages: a slot says the same to every reader', on(sameForAll)),
    requirement('pages: a slot that fails costs no page', on(whenItThrows)),
    requirement('pages: rendering does not take long', on(quick)),
    ...(browser === 'none' ? [] : inBrowser(given, input, browser)),
  ];
}

/** The pages are looked at once, by the first of these cases. */
function inBrowser(given: GivenWorld, input: PageSlotContractInput, browser: BrowserProgram): readonly ContractCase[] {
  const seen = onOneStage(async () => {
    const open = viewerOf(browser);
    const stage = stageOf(worldOf(given), input);
    const viewer = await open(stage.world.origin);
    try {
      return await faultsSeen(stage, viewer);
    } finally {
      await viewer.close();
    }
  });
  const no = (demand: Demand) => seen(async (faults) => requireNone(faults.filter((fault) => fault.demand === demand)));
  return [
    requirement('pages: in a browser, none needs to be moved sideways on a phone', no('fits')),
    requirement('pages: in a browser, each is accessible in light and dark mode (WCAG 2.2 AA)', no('accessible')),
    requirement('pages: in a browser, nothing is refused, missing or from elsewhere', no('undisturbed')),
  ];
}

interface PagesStage {
  readonly world: World;
  readonly extension: string;
  readonly slots: ReadonlyArray<Filled<PageSlot>>;
}

function stageOf(world: World, input: PageSlotContractInput): PagesStage {
  const slots = partsOf(world, PAGE_SLOT).filter(({ extension }) => extension === input.extension);
  if (slots.length === 0) broken(`The extension ${input.extension} does not fill PAGE_SLOT in this world.`);
  return { world, slots, extension: input.extension };
}

type Language = (typeof loginLanguages)[number];

function render({ world }: PagesStage, page: LoginPage, language: Language = 'en', brand = 'Acme'): string {
  return world.get(ExtLooks).render(page, contextOf(language, brand));
}

function contextOf(language: Language, brand = 'Acme'): Parameters<typeof renderPage>[1] {
  return { language, brand, look: PLAIN_LOOK, stylesheet };
}

function concerned({ slots }: PagesStage): readonly ShownPage[] {
  return names.filter((name) => slots.some(({ part }) => part.pages?.includes(name) ?? true));
}

/** The faults of slots that were reported while `work` ran. */
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
    const theirs = pageOf(render(stage, pages[name]));
    requireSame(theirs.forms, ours.forms, `On the page ${name}, what its forms send`);
    const buttons = (page: Page): string[] => page.all('button').map(({ outerHTML }) => outerHTML);
    requireSame(buttons(theirs), buttons(ours), `On the page ${name}, its buttons`);
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
  const formsIn = (html: string): number => pageOf(html).forms.length;
  const whole = formsIn(renderPage(pages[page!], contextOf('en')));
  for (const { part, name } of stage.slots)
    await whileIt(part, 'content', fail, async () =>
      require(formsIn(render(stage, pages[page!])) === whole, `While ${name} fails, the page ${page} is not whole.`),
    );
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

interface SeenFault extends Fault {
  readonly page: ShownPage;
  readonly language: Language;
}

async function faultsSeen(stage: PagesStage, viewer: PageViewer): Promise<readonly SeenFault[]> {
  const pages = pagesSaying('word');
  const found: SeenFault[] = [];
  for (const page of concerned(stage))
    for (const language of ['en', ...MEASURED] as const) {
      const look = (sent: SentPage): Promise<Fault[]> =>
        viewer.look(sent, `${paths.hub}/${page}/${language}`, language === 'en' ? 'everything' : 'width');
      const own = await look(sentAs(stage, pages[page], language));
      step();
      if (own.length === 0) continue;
      // What Gatehouse shows in such a state is tested there.
      const known = new Set((await look(sentAs(stage, pages[page], language, renderPage))).map(({ key }) => key));
      found.push(...own.filter(({ key }) => !known.has(key)).map((fault) => ({ ...fault, page, language })));
    }
  return found;
}

/** The page as a reader gets it, with the choice of languages. */
function sentAs({ world }: PagesStage, page: LoginPage, language: Language, render?: ExtLooks['render']): SentPage {
  const languageSwitch = { action: paths.hub, fields: {} };
  const brand = language === 'de' ? LONG : 'Acme';
  return world.get(PageRenderer).compose(page, { language, brand, languageSwitch }, render);
}

/** @throws ContractBroken with a line for each fault, by where it was seen first */
function requireNone(faults: readonly SeenFault[]): void {
  const lines = new Map<string, string>();
  for (const { page, language, where, what, same } of faults) {
    const id = `${page} ${same}`;
    const screen = where === undefined ? '' : `, ${where}`;
    if (!lines.has(id)) lines.set(id, `On the page ${page} in ${language}${screen}: ${what}`);
  }
  const told = [...lines.values()].slice(0, TOLD);
  if (lines.size > TOLD) told.push(`There are ${lines.size - TOLD} more.`);
  require(lines.size === 0, told.join('\n'));
}

function pageOf(html: string): Page {
  return new Page(new Reply('GET a page', 200, {}, html), '/');
}
