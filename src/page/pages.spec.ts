import { describe, expect, it } from '@jest/globals';
import {
  elements,
  names,
  pagesSaying,
  render,
  type ShownPage,
  stylesheet,
  type Tag,
  tagsOf,
  valuesOf,
  visibleInputs,
  withForm,
} from '../extension/testing/page/every-page.js';
import { directionOf } from '../foundation/language/language-tag.js';
import { paths } from '../org/instance/paths.js';
import { loginLanguages } from './catalogue/catalogue.js';
import { CREDENTIAL } from './part/key-form.js';

/** The elements of a page and their attributes, without values. */
const shapeOf = (html: string): string[] =>
  tagsOf(html).map((tag: Tag) => `${tag.name} ${[...tag.attributes.keys()].join(' ')}`);

describe.each(names)('the page %s', (name) => {
  const shape = shapeOf(render(pagesSaying('word')[name], 'en', 'word'));

  it('is a whole document with language, direction, a title and one h1', () => {
    // Each page in one language, and each language on two pages; `catalogue.spec.ts` reads every text of all of them.
    const language = loginLanguages[names.indexOf(name) % loginLanguages.length]!;
    const html = render(pagesSaying('word')[name], language);
    const tags = tagsOf(html);
    const direction = directionOf(language);
    expect(html.startsWith(`<!doctype html><html lang="${language}" dir="${direction}">`)).toBe(true);
    expect(elements(tags, 'h1')).toHaveLength(1);
    expect(elements(tags, 'main')).toHaveLength(1);
    expect(html).toMatch(/<title>[^<]+ · Acme<\/title>/u);
  });

  it('has no script, no inline style and nothing from elsewhere', () => {
    const tags = tagsOf(render(pagesSaying('word')[name]));
    expect(tags.map((tag) => tag.name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(script|style|iframe|img|object|base)$/u)]),
    );
    expect(tags.flatMap((tag) => [...tag.attributes.keys()]).filter((key) => /^on|^style$/u.test(key))).toEqual([]);
    expect(valuesOf(elements(tags, 'link'), 'href')).toEqual([paths.icon, stylesheet]);
  });

  it('has ids that occur once, and no reference to an id that is missing', () => {
    const tags = tagsOf(render(pagesSaying('word')[name]));
    const ids = valuesOf(tags, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const named = [
      ...valuesOf(tags, 'for'),
      ...valuesOf(tags, 'aria-describedby').flatMap((value) => value.split(' ')),
      ...valuesOf(tags, 'href').flatMap((href) => (href.startsWith('#') ? href.slice(1) : [])),
    ];
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  // Pages of the overview are lists of a dozen things, or several of them; they are read at a desk.
  const most = name.startsWith('overview') ? 20 : 6;

  it(`is smaller than ${most} kB, apart from a QR code`, () => {
    const html = render(pagesSaying('alice@acme.localhost')[name], 'de');
    expect(Buffer.byteLength(html.replaceAll(/ d="[^"]*"/gu, ''))).toBeLessThan(most * 1000);
  });

  it.each([
    '"><script>x()</script>',
    "'onmouseover=x()//",
    '</title><svg/onload=x()>',
    'javascript:x()',
    '{{7*7}}${7*7}<%=7*7%>',
    '&lt;img src=x onerror=x()&gt;',
    '\u2028</script>',
    '{client}{brand}',
  ])('shows %j as text wherever it comes in', (hostile) => {
    const html = render(pagesSaying(hostile)[name], 'en', hostile);
    expect(shapeOf(html)).toEqual(shape);
    expect(html).toContain(hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'));
  });
});

describe.each(withForm)('the form of the page %s', (name) => {
  const page = pagesSaying('word')[name];
  const tags = tagsOf(render(page));

  it('posts to its action, with the request and the token', () => {
    // Besides it a page may have one that a passkey fills in, which is hidden without a script.
    const forms = elements(tags, 'form').filter(({ attributes }) => !attributes.has('data-passkey'));
    const [form] = forms;
    expect(forms).toHaveLength(1);
    expect(form?.attributes.get('method')).toBe('post');
    expect(form?.attributes.get('action')).toBe('form' in page && page.form?.action);
    const hidden = elements(tags, 'input').filter(({ attributes }) => attributes.get('type') === 'hidden');
    expect([...new Set(valuesOf(hidden, 'name'))].filter((each) => each !== CREDENTIAL)).toEqual([
      'authRequestID',
      'csrf',
      // What the page is about.
      ...Object.keys(('form' in page && page.form?.fields) || {}),
    ]);
  });

  it('has one submit button with the id submit', () => {
    const buttons = elements(tags, 'button');
    expect(valuesOf(buttons, 'id')).toEqual(['submit']);
    const submitting = buttons.filter(({ attributes }) => attributes.get('type') === 'submit');
    expect(submitting[0]?.attributes.get('id')).toBe('submit');
    // What only helps where scripts run is hidden until then, and never submits.
    for (const { attributes } of buttons.filter((button) => !submitting.includes(button)))
      expect([attributes.get('type'), attributes.has('hidden')]).toEqual(['button', true]);
  });

  it('labels every input and declares its purpose', () => {
    for (const { attributes } of visibleInputs(tags)) {
      expect(valuesOf(elements(tags, 'label'), 'for')).toContain(attributes.get('id'));
      // HTML has no autocomplete for a box to tick.
      if (attributes.get('type') === 'checkbox') continue;
      expect(attributes.get('autocomplete')).toMatch(
        /^((username|current-password)( webauthn)?|new-password|email|given-name|family-name|one-time-code|off)$/u,
      );
    }
  });

  it('puts the cursor into one field', () => {
    expect(tags.filter((tag) => tag.attributes.has('autofocus'))).toHaveLength(
      visibleInputs(tags).length === 0 ? 0 : 1,
    );
  });
});

describe('field names', () => {
  it.each<[ShownPage, readonly string[]]>([
    ['loginName', ['loginName']],
    ['password', ['loginName', 'password']],
    ['directory', ['loginName', 'password']],
    ['register', ['email', 'firstName', 'lastName', 'userName', 'password', 'passwordRepeat']],
    ['totpSetUp', ['code']],
    ['secondFactor', ['code']],
    ['passwordReset', ['loginName']],
    ['device', ['user_code']],
    ['code', ['loginName', 'code', 'password', 'passwordRepeat']],
    ['passwordChange', ['loginName', 'oldPassword', 'newPassword', 'newPasswordRepeat']],
  ])('of the page %s are %j', (name, fields) => {
    const inputs = elements(tagsOf(render(pagesSaying('x')[name])), 'input').filter(
      (tag) => tag.attributes.get('type') !== 'hidden',
    );
    expect(valuesOf(inputs, 'name')).toEqual(fields);
  });

  it('no password ever travels back to the browser', () => {
    for (const name of names) {
      const passwords = elements(tagsOf(render(pagesSaying('x')[name])), 'input').filter(
        (tag) => tag.attributes.get('type') === 'password',
      );
      expect(valuesOf(passwords, 'value')).toEqual([]);
    }
  });
});
