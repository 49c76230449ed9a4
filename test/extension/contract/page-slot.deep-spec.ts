import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  type PageSlotContractInput,
  pageSlotContract,
} from '../../../src/extension/testing/contract/page-slot.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { PAGE_SLOT, type PageQuestion, type PageSlot } from '../../../src/page/part/page-slot.js';
import type { StepText } from '../../../src/session/auth-request/step-page.js';
import { chromiumProgram } from '../../browser/chromium.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

let says: ((question: PageQuestion) => readonly StepText[]) | undefined;

@Injectable()
class HelpSlot implements PageSlot {
  readonly place = 'below';

  content(question: PageQuestion): readonly StepText[] {
    return says?.(question) ?? [{ kind: 'text', text: question.text('help') }];
  }
}

@Module({ providers: [HelpSlot] })
class AcmeModule {}

const acme = defineExtension({
  id: 'acme',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: AcmeModule,
  provides: [provide(PAGE_SLOT, HelpSlot)],
  texts: { en: { help: 'Call us at 100.' }, de: { help: 'Rufen Sie 100 an.' } },
});

/** Each flaw is of the link with its name at the end. */
const STYLE = `
.slot { padding: 1rem; background: var(--surface) }
a[href$="/too-wide"], [dir="rtl"] a[href$="/too-wide-in-arabic"] { display: block; inline-size: 500px }
a[href$="/unbroken"] { overflow-wrap: normal; font-size: 1.5rem }
a[href$="/pale"] { background: #fff; color: #ccc }
@media (prefers-color-scheme: dark) { a[href$="/dark-on-dark"] { background: #000; color: #333 } }
a[href$="/from-elsewhere"] { background: url(https://elsewhere.test/sea.png) }
a[href$="/without-picture"] { background: url(nothing.png) }
`;

/** What the slot also says, by the name of the page. */
let flaws: Readonly<Record<string, (question: PageQuestion) => readonly StepText[]>> = {};

/** On few pages, since a browser takes about a second for each. */
@Injectable()
class FrameSlot implements PageSlot {
  readonly place = 'below';
  readonly pages = ['success', 'notSignedIn', 'signedOut'];

  content(question: PageQuestion): readonly StepText[] {
    return [{ kind: 'text', text: 'Call us at 100.' }, ...(flaws[question.page]?.(question) ?? [])];
  }
}

@Module({ providers: [FrameSlot] })
class FrameModule {}

const assets = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'));
writeFileSync(join(assets, 'style.css'), STYLE);

const frame = defineExtension({
  id: 'frame',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: FrameModule,
  provides: [provide(PAGE_SLOT, FrameSlot)],
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

const ofAcme: PageSlotContractInput = { extension: 'acme', browser: 'none' };

describe('A slot keeps the contract', () => {
  for (const { name, run } of pageSlotContract(() => world, ofAcme)) it(name, run);
});

describe('A slot with a style sheet keeps the contract', () => {
  for (const { name, run } of pageSlotContract(() => framed, { extension: 'frame', browser })) it(name, run);
});

describe('The contract tells what is wrong with a slot', () => {
  afterEach(() => {
    says = undefined;
  });
  const broken = (only: RegExp) => brokenIn(pageSlotContract(world, ofAcme), only);

  it.each<[string, (question: PageQuestion) => readonly StepText[], RegExp, RegExp]>([
    [
      'wants a field',
      () => [{ kind: 'field', name: 'password', label: 'Password' } as never],
      /left out/,
      /HelpSlot: Part 1 of its content/,
    ],
    [
      'names a text that is missing',
      ({ text }) => [{ kind: 'text', text: text('nothing') }],
      /left out/,
      /^On the page \w+ in ar, HelpSlot: /,
    ],
    [
      'fails in one language',
      ({ language }) => (language === 'fr' ? ('nonsense' as never) : [{ kind: 'text', text: 'Hello.' }]),
      /left out/,
      /^On the page \w+ in fr, HelpSlot: /,
    ],
    [
      'throws',
      () => {
        throw new Error('no text');
      },
      /left out/,
      /^On the page \w+ in ar, HelpSlot: no text$/,
    ],
    [
      'computes for long',
      () => {
        pbkdf2Sync('x', 'y', 300_000, 32, 'sha512');
        return [{ kind: 'text', text: 'Hello.' }];
      },
      /take long/,
      /^The page \w+ takes \d+ ms to render/,
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
    const cases = pageSlotContract(world, { ...ofAcme, extension: 'none' });
    expect(Object.values(await brokenIn(cases, /take long/))).toEqual([
      'The extension none does not fill PAGE_SLOT in this world.',
    ]);
  });
});

describe('The contract tells what is wrong with pages in a browser', () => {
  let found: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    const link = (flaw: string, text = 'Hello.') =>
      ({ kind: 'link', text, href: `https://acme.example/${flaw}` }) as const;
    flaws = {
      success: ({ brandName }) => [link('pale'), link('dark-on-dark'), link('unbroken', brandName)],
      notSignedIn: () => [link('too-wide-in-arabic'), link('without-picture')],
      signedOut: () => [link('too-wide'), link('from-elsewhere')],
    };
    const messages = await brokenIn(pageSlotContract(framed, { extension: 'frame', browser }), /in a browser/);
    flaws = {};
    found = Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, message.split('\n')]));
  });

  it.each<[string, RegExp, RegExp[]]>([
    [
      'that are too wide for a phone, or only with a long word, or from right to left',
      /moved sideways/,
      [
        /^On the page success in de, 320 px wide in light mode: it is \d+ px wider than the screen because of a$/,
        /^On the page notSignedIn in ar, 320 px wide in light mode: it is \d+ px wider than the screen because of a$/,
        /^On the page signedOut in en, 320 px wide in light mode: it is \d+ px wider than the screen because of a$/,
      ],
    ],
    [
      'whose text is too pale, or only in dark mode',
      /accessible/,
      [
        /^On the page success in en, 320 px wide in light mode: color-contrast at \S*pale\S*: Element has insufficient color contrast of 1\.6/,
        /^On the page success in en, 320 px wide in dark mode: color-contrast at p:nth-child\(3\) > a.*: Element has insufficient color contrast of 1\.6/,
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
    expect(await brokenIn(pageSlotContract(framed, nowhere), /sideways/)).toEqual({
      'in a browser, none needs to be moved sideways on a phone': expect.stringMatching(
        /^It fails: The browser \/nowhere\/chrome does not start\. Give another executablePath or channel, /,
      ),
    });
    const unnamed = { extension: 'frame' } as PageSlotContractInput;
    expect(() => pageSlotContract(framed, unnamed)).toThrow(/^Say in which browser pages are looked at, /);
  });
});
