import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ComponentChildren, h } from 'preact';
import { elements, names, pagesSaying, stylesheet, tagsOf, valuesOf } from '../extension/testing/page/every-page.js';
import { defineExtension } from '../foundation/extension/extension.js';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import { PartRecord } from '../foundation/extension/part-record.js';
import type { Logger } from '../foundation/log/logger.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { Clock } from '../foundation/time/clock.js';
import { ExtAssets } from './ext-assets.js';
import { ExtLooks } from './ext-looks.js';
import { PAGE_VIEW, type PageView } from './page-view.js';
import type { PageParts } from './part/ext-look.js';
import { PLAIN_LOOK } from './part/look.js';
import { PAGE_SLOT, type PageSlot } from './part/page-slot.js';
import { renderPage } from './render.js';

const acme = defineExtension({
  id: 'acme',
  version: '1.0.0',
  gatehouse: '*',
  module: class {},
  texts: { en: { help: 'Call us at 100.' }, de: { help: 'Rufen Sie 100 an.' } },
});
const logged: unknown[] = [];
const calls = new PartCalls(
  { error: (fields: unknown) => logged.push(fields) } as unknown as Logger,
  new PartRecord(new Tallies(), new Clock()),
);
const loaded = new LoadedExtensions([acme]);

function looks(slots: PageSlot[], views: PageView[] = []): ExtLooks {
  const filled = <Part>(part: Part) => ({ extension: 'acme', name: 'Acme', part });
  return new ExtLooks(slots.map(filled), views.map(filled), new ExtAssets(loaded), loaded, calls);
}

const context = (language: 'en' | 'de' | 'fr' = 'en') => ({
  language,
  brand: 'Acme',
  look: PLAIN_LOOK,
  stylesheet,
  request: { authRequestId: 'sealed', csrf: 'token' },
});
const page = pagesSaying('alice').password;
const ours = renderPage(page, context());

beforeEach(() => {
  logged.length = 0;
});

describe('Without parts of an extension', () => {
  it('a page is what it was', () => {
    expect(looks([]).render(page, context())).toBe(ours);
  });
});

describe('A slot of an extension', () => {
  const help = (over: Partial<PageSlot> = {}): PageSlot => ({
    place: 'below',
    content: ({ text }) => [{ kind: 'text', text: text('help') }],
    ...over,
  });

  it('stands at its place, in the language of the page, and otherwise says in which', () => {
    expect(looks([help()]).render(page, context('de'))).toContain(
      '<div class="slot slot-below"><p>Rufen Sie 100 an.</p></div>',
    );
    expect(looks([help({ place: 'foot' })]).render(page, context('fr'))).toContain(
      '<div class="slot slot-foot" lang="en" dir="ltr"><p>Call us at 100.</p></div>',
    );
  });

  it('is on its pages alone, in the order of the extensions, and nowhere with nothing to say', () => {
    const only = help({ pages: ['consent'] });
    expect(looks([only]).render(page, context())).toBe(ours);
    expect(looks([help({ content: () => [] })]).render(page, context())).toBe(ours);
    const two = ['one', 'two'].map((text) => help({ content: () => [{ kind: 'text', text }] }));
    expect(looks(two).render(page, context())).toMatch(/<p>one<\/p>.*<p>two<\/p>/u);
  });

  it('learns of no user, and what it says is text whatever is in it', () => {
    const asked: unknown[] = [];
    const html = looks([
      help({
        content: (question) => {
          asked.push({ ...question, text: undefined });
          return [{ kind: 'text', text: '<script>x()</script>' }];
        },
      }),
    ]).render(page, context());
    expect(html).toContain('<p>&lt;script>x()&lt;/script></p>');
    expect(asked).toEqual([{ page: 'password', language: 'en', brandName: 'Acme', text: undefined }]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('a defect');
      },
    ],
    ['answers later', () => Promise.resolve([{ kind: 'text', text: 'late' }])],
    ['answers nonsense', () => 'help'],
    ['wants a field', () => [{ kind: 'field', name: 'password', label: 'Password' }]],
    ['links to a script', () => [{ kind: 'link', text: 'x', href: 'javascript:x()' }]],
  ])('that %s is left out, and the log names it', (_, content) => {
    expect(looks([help({ content: content as never })]).render(page, context())).toBe(ours);
    expect(logged).toEqual([expect.objectContaining({ extension: 'acme', seam: 'PAGE_SLOT', part: 'Acme' })]);
  });

  it('is refused at start with a place or a page that does not exist', () => {
    const mistakes = (over: object) =>
      PAGE_SLOT.mistakes([{ extension: 'acme', name: 'Help', part: { ...help(), ...over } }]);
    expect(mistakes({})).toEqual([]);
    expect(mistakes({ place: 'head' })).toEqual(['Help of the extension acme needs a place: above, below, foot.']);
    expect(mistakes({ pages: ['pasword'] })).toEqual([expect.stringContaining('names the page pasword')]);
  });
});

describe('A view of an extension', () => {
  const arranged = ({ brand, main, foot }: PageParts): ComponentChildren =>
    h('div', { class: 'split' }, h('aside', null, h('img', { src: '/ui/login/assets/ext/acme/sea.jpg', alt: 'Sea' })), [
      h('div', { class: 'card' }, brand, main),
      foot,
    ]);
  const view = (of: PageView['view'], pages?: string[]): PageView => (pages ? { view: of, pages } : { view: of });

  it.each(names)('arranges the page %s, and every field and button is what it was', (name) => {
    const given = pagesSaying('word')[name];
    const html = looks([], [view(arranged)]).render(given, context());
    expect(html).toContain('<div class="split"><aside><img src="/ui/login/assets/ext/acme/sea.jpg" alt="Sea"');
    const controls = (text: string) => {
      const tags = tagsOf(text);
      return ['form', 'input', 'button', 'select'].flatMap((each) =>
        elements(tags, each).map(({ attributes }) => [...attributes].join(' ')),
      );
    };
    expect(controls(html)).toEqual(controls(renderPage(given, context())));
    expect(valuesOf(elements(tagsOf(html), 'link'), 'href')).toContain(stylesheet);
    expect(logged).toEqual([]);
  });

  it('arranges its own pages alone', () => {
    expect(looks([], [view(arranged, ['consent'])]).render(page, context())).toBe(ours);
  });

  it.each<[string, PageView['view']]>([
    [
      'throws',
      () => {
        throw new Error('a defect');
      },
    ],
    ['has a component that throws', () => h(() => h(undefined as never, {}), null)],
    ['answers nothing', () => null],
    ['answers later', () => Promise.resolve('late') as never],
    ['leaves out the form', ({ foot }) => h('div', null, foot)],
    ['leaves out the foot, with the terms of the organization', ({ main }) => h('div', null, main)],
    ['shows the form twice', ({ main, foot }) => h('div', null, main, main, foot)],
    ['adds a field', ({ main, foot }) => h('div', null, main, foot, h('input', { name: 'csrf' }))],
    ['adds a script', ({ main, foot }) => h('div', null, main, foot, h('script', { src: '/x.js' }))],
    ['adds a style', ({ main, foot }) => h('div', { style: 'color: red' }, main, foot)],
    ['adds a handler', ({ main, foot }) => h('div', { onclick: 'x()' } as never, main, foot)],
    [
      'hides the form in markup of its own',
      ({ main, foot }) => h('div', null, h('form', { action: 'https://evil.example' }, main), foot),
    ],
  ])('that %s is replaced by ours, and the log names it', (_, broken) => {
    expect(looks([], [view(broken)]).render(page, context())).toBe(ours);
    expect(logged).toEqual([expect.objectContaining({ extension: 'acme', seam: 'PAGE_VIEW', part: 'Acme' })]);
  });

  it('is refused at start if another one arranges the same page', () => {
    const filled = (name: string, pages?: string[]) => ({ extension: 'acme', name, part: view(arranged, pages) });
    expect(PAGE_VIEW.mistakes([filled('One', ['password']), filled('Two', ['consent'])])).toEqual([]);
    expect(PAGE_VIEW.mistakes([filled('One', ['password']), filled('Two')])).toEqual([
      'One and Two both arrange the page password. Let one of them name other pages.',
    ]);
  });
});

describe('docs/extending/pages.md', () => {
  it('lists every page, and the custom properties and classes that the stylesheet has', () => {
    const text = readFileSync(new URL('../../docs/extending/pages.md', import.meta.url), 'utf8');
    const listed = /## Names of pages\n\n(.*?)\n\n/su.exec(text)?.[1]?.match(/\w+/gu);
    expect([...(listed ?? [])].sort()).toEqual([...names].sort());
    const css = readFileSync(new URL('./style/login.css', import.meta.url), 'utf8');
    const stable = /Stable are (.*?)\n\n/su.exec(text)?.[1]?.match(/`[\w-]+`/gu) ?? [];
    expect(stable.length).toBeGreaterThan(10);
    for (const name of stable.map((each) => each.slice(1, -1)))
      expect(css).toMatch(name.startsWith('--') ? new RegExp(`${name}:`, 'u') : new RegExp(`\\.${name}\\b`, 'u'));
  });
});
