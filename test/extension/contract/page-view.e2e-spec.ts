import { pbkdf2Sync } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { type ComponentChildren, h } from 'preact';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import type { PageParts } from '../../../src/foundation/page/own-look.js';
import type { StepText } from '../../../src/foundation/page/own-step.js';
import { PAGE_SLOT, type PageQuestion, type PageSlot } from '../../../src/foundation/page/page-slot.js';
import { PAGE_VIEW, type PageView } from '../../../src/foundation/page/page-view.js';
import { pageViewContract } from '../../../src/testing/contract/page-view.contract.js';
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

const world = await startWorld({ extensions: [acme] });
afterAll(() => world.close());

describe('A view and a slot keep the contract', () => {
  for (const { name, run } of pageViewContract(() => world, { extension: 'acme' })) it(name, run);
});

describe('The contract tells what is wrong with a view or a slot', () => {
  afterEach(() => {
    does = undefined;
    says = undefined;
  });
  const broken = (only: RegExp) => brokenIn(pageViewContract(world, { extension: 'acme' }), only);
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
    expect(Object.values(await brokenIn(pageViewContract(world, { extension: 'none' }), /take long/))).toEqual([
      'The extension none fills neither PAGE_VIEW nor PAGE_SLOT in this world.',
    ]);
  });
});
