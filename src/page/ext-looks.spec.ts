import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { names, pagesSaying, stylesheet } from '../extension/testing/page/every-page.js';
import { defineExtension } from '../foundation/extension/extension.js';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import { PartRecord } from '../foundation/extension/part-record.js';
import type { Logger } from '../foundation/log/logger.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { Clock } from '../foundation/time/clock.js';
import { ExtAssets } from './ext-assets.js';
import { ExtLooks } from './ext-looks.js';
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

function looks(slots: PageSlot[]): ExtLooks {
  const filled = slots.map((part) => ({ extension: 'acme', name: 'Acme', part }));
  return new ExtLooks(filled, new ExtAssets(loaded), loaded, calls);
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
