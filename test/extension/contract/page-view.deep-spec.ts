import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { type ComponentChildren, h } from 'preact';
import {
  type PageViewContractInput,
  pageViewContract,
} from '../../../src/extension/testing/contract/page-view.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { PAGE_VIEW, type PageView } from '../../../src/page/page-view.js';
import type { PageParts } from '../../../src/page/part/ext-look.js';
import { PAGE_SLOT, type PageQuestion, type PageSlot } from '../../../src/page/part/page-slot.js';
import type { StepText } from '../../../src/session/auth-request/step-page.js';
import { chromiumProgram } from '../../browser/chromium.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

let does: ((parts: PageParts) => ComponentChildren) | undefined;
let says: ((question: PageQuestion) => readonly StepText[]) | undefined;

@Injectable()
class SplitView implements PageView {
  view(parts: PageParts): ComponentChildren {
    if (does) return does(parts);
    return h(
      'div',
      { class: 'split' },
      h('p', { class: 'name' }, parts.brandName),
      h('div', { class: 'card' }, parts.brand, parts.main, parts.foot),
    );
  }
}

@Injectable()
class HelpSlot implements PageSlot {
  readonly place = 'below';

  content(question: PageQuestion): readonly StepText[] {
    return says?.(question) ?? [{ kind: 'text', text: question.text('help') }];
  }
}

@Module({ providers: [SplitView, HelpSlot] })
class AcmeModule {}

const acme = defineExtension({
  id: 'acme',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: AcmeModule,
  provides: [provide(PAGE_VIEW, SplitView), provide(PAGE_SLOT, HelpSlot)],
  texts: { en: { help: 'Call us at 100.' }, de: { help: 'Rufen Sie 100 an.' } },
});

const STYLE = `
.frame { display: grid; gap: 1rem; padding: 1rem; background: var(--surface) }
.frame img { inline-size: 2rem }
.too-wide, [dir="rtl"] .too-wide-in-arabic { inline-size: 500px }
.unbroken { overflow-wrap: normal; font-size: 1.5rem }
.pale { background: #fff; color: #ccc }
@media (prefers-color-scheme: dark) { .dark-on-dark { background: #000; color: #333 } }
.from-elsewhere { background: url(https://elsewhere.test/sea.png) }
.without-picture { background: url(nothing.png) }
`;

/** What a frame also holds, by the name of the page. */
let flaws: Readonly<Record<string, (parts: PageParts) => ComponentChildren>> = {};

/** On few pages, since a browser takes about a second for each. */
@Injectable()
class FrameView implements PageView {
  readonly pages = ['success', 'notSignedIn', 'signedOut'];

  view(parts: PageParts): ComponentChildren {
    const { page, brand, main, foot } = parts;
    return h('div', { class: 'frame' }, brand, main, flaws[page]?.(parts), foot);
  }
}

@Module({ providers: [FrameView] })
class FrameModule {}

const assets = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'));
writeFileSync(join(assets, 'style.css'), STYLE);

const frame = defineExtension({
  id: 'frame',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: FrameModule,
  provides: [provide(PAGE_VIEW, FrameView)],
  assets: pathToFileURL(`${assets}/`),
});

const world = await startWorld({ extensions: [acme] });
const framed = await startWorld({ extensions: [frame] });
const browser = await chromiumProgram();
afterAll(async () => {
  await world.close();
  await framed.close();
  rmSync(assets, { recursive: true, force: true });
});

const ofAcme: PageViewContractInput = { extension: 'acme', browser: 'none' };

describe('A view and a slot keep the contract', () => {
  for (const { name, run } of pageViewContract(() => world, ofAcme)) it(name, run);
});

describe('A view with a style sheet keeps the contract', () => {
  for (const { name, run } of pageViewContract(() => framed, { extension: 'frame', browser })) it(name, run);
});

describe('The contract tells what is wrong with a view or a slot', () => {
  afterEach(() => {
    does = undefined;
    says = undefined;
  });
  const broken = (only: RegExp) => brokenIn(pageViewContract(world, ofAcme), only);
  const whole = ({ brand, main, foot }: PageParts, ...more: ComponentChildren[]): ComponentChildren => [
    brand,
    main,
    foot,
    ...more,
  ];

  it.each<[string, (parts: PageParts) => ComponentChildren, RegExp, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no picture');
      },
      /none falls back/,
      /^On the page \w+ in ar, SplitView: no picture$/,
    ],
    [
      'loses the form',
      ({ brand, foot }) => [brand, foot],
      /none falls back/,
      /^On the page \w+ in ar, SplitView: The page has its main 0 times, or changed\.$/,
    ],
    [
      'has a form of its own',
      (parts) => whole(parts, h('form', {})),
      /none falls back/,
      /SplitView: The page has something that is left to Gatehouse: <form$/,
    ],
    ['has a script', (parts) => whole(parts, h('script', {}, 'x()')), /none falls back/, /left to Gatehouse: <script$/],
    [
      'fails in one language',
      (parts) => (parts.direction === 'rtl' ? undefined : whole(parts)),
      /none falls back/,
      /in (?:ar|he), SplitView: /,
    ],
    [
      'loads a picture from elsewhere',
      (parts) => whole(parts, h('img', { src: 'https://elsewhere.test/x.png', alt: '' })),
      /address of others/,
      /^On the page \w+ in en, it loads https:\/\/elsewhere\.test\/x\.png\.$/,
    ],
    [
      'has a picture that says nothing',
      (parts) => whole(parts, h('img', { src: '/x.png' })),
      /address of others/,
      /a picture has no alternative text/,
    ],
    [
      'uses an id twice',
      (parts) => whole(parts, h('p', { id: 'one' }), h('p', { id: 'one' })),
      /address of others/,
      /the id one is there several times/,
    ],
    [
      'computes for long',
      (parts) => {
        pbkdf2Sync('x', 'y', 300_000, 32, 'sha512');
        return whole(parts);
      },
      /take long/,
      /^The page \w+ takes \d+ ms to render/,
    ],
  ])('that %s', async (_, view, only, message) => {
    does = view;
    expect(Object.values(await broken(only))).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, (question: PageQuestion) => readonly StepText[], RegExp, RegExp]>([
    [
      'wants a field',
      () => [{ kind: 'field', name: 'password', label: 'Password' } as never],
      /none falls back/,
      /HelpSlot: Part 1 of its content/,
    ],
    [
      'names a text that is missing',
      ({ text }) => [{ kind: 'text', text: text('nothing') }],
      /none falls back/,
      /^On the page \w+ in ar, HelpSlot: /,
    ],
    [
      'says something else each time',
      () => [{ kind: 'text', text: String(performance.now()) }],
      /every reader/,
      /^Asked twice the same about the page \w+, what HelpSlot says is /,
    ],
  ])('that %s', async (_, content, only, message) => {
    says = content;
    expect(Object.values(await broken(only))).toEqual([expect.stringMatching(message)]);
  });

  it('that is not there', async () => {
    const cases = pageViewContract(world, { ...ofAcme, extension: 'none' });
    expect(Object.values(await brokenIn(cases, /take long/))).toEqual([
      'The extension none fills neither PAGE_VIEW nor PAGE_SLOT in this world.',
    ]);
  });
});

describe('The contract tells what is wrong with pages in a browser', () => {
  let found: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    const p = (name: string, text = 'Hello.'): ComponentChildren => h('p', { class: name }, text);
    flaws = {
      success: ({ brandName }) => [p('pale'), p('dark-on-dark'), p('unbroken', brandName)],
      notSignedIn: () => [p('too-wide-in-arabic'), p('without-picture')],
      signedOut: () => [p('too-wide'), p('from-elsewhere'), h('img', { src: '/ui/login/assets/icon.svg' })],
    };
    const messages = await brokenIn(pageViewContract(framed, { extension: 'frame', browser }), /in a browser/);
    flaws = {};
    found = Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, message.split('\n')]));
  });

  it.each<[string, RegExp, RegExp[]]>([
    [
      'that are too wide for a phone, or only with a long word, or from right to left',
      /moved sideways/,
      [
        /^On the page success in de, 320 px wide in light mode: it is \d+ px wider than the screen because of p\.unbroken$/,
        /^On the page notSignedIn in ar, 320 px wide in light mode: it is \d+ px wider than the screen because of p\.too-wide-in-arabic$/,
        /^On the page signedOut in en, 320 px wide in light mode: it is \d+ px wider than the screen because of p\.too-wide$/,
      ],
    ],
    [
      'whose text is too pale, or only in dark mode, and whose picture says nothing',
      /accessible/,
      [
        /^On the page success in en, 320 px wide in light mode: color-contrast at \S*\.pale: Element has insufficient color contrast of 1\.6/,
        /^On the page success in en, 320 px wide in dark mode: color-contrast at \S*\.dark-on-dark: Element has insufficient color contrast/,
        /^On the page signedOut in en, 320 px wide in light mode: image-alt at \S*img\S*: .*alt attribute/,
      ],
    ],
    [
      'that load something from elsewhere, or something that is not there',
      /refused, missing/,
      [
        /^On the page notSignedIn in en: the browser says: .* 404 .* \(\/ui\/login\/assets\/ext\/frame\/nothing\.png\)$/,
        /^On the page signedOut in en: the browser says: .*https:\/\/elsewhere\.test\/sea\.png.*img-src/,
      ],
    ],
  ])('%s', (_, requirement, faults) => {
    const [lines] = Object.entries(found).flatMap(([name, told]) => (requirement.test(name) ? [told] : []));
    expect(lines).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });

  it('where the browser does not start, or was not named', async () => {
    const nowhere = { extension: 'frame', browser: { executablePath: '/nowhere/chrome' } };
    expect(await brokenIn(pageViewContract(framed, nowhere), /sideways/)).toEqual({
      'in a browser, none needs to be moved sideways on a phone': expect.stringMatching(
        /^It fails: The browser \/nowhere\/chrome does not start\. Give another executablePath or channel, /,
      ),
    });
    const unnamed = { extension: 'frame' } as PageViewContractInput;
    expect(() => pageViewContract(framed, unnamed)).toThrow(/^Say in which browser pages are looked at, /);
  });
});
