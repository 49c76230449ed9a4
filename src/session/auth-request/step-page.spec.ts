import { describe, expect, it } from '@jest/globals';
import { pagesSaying, render, tagsOf, valuesOf, visibleInputs } from '../../extension/testing/page/every-page.js';
import { defineExtension, type ExtTextsByLanguage } from '../../foundation/extension/extension.js';
import { ExtTexts, textMistakes } from '../../page/part/ext-texts.js';
import { readStepPage } from './step-page.js';

const page = (body: unknown = []): object => ({ title: 'Terms', submit: 'Continue', body });

describe('The page of a login step', () => {
  it('is copied: what its extension changes later is not shown', () => {
    const given = { ...page([{ kind: 'text', text: 'old' }]), decline: 'No' };
    const read = readStepPage(given);
    expect(read).toEqual(given);
    Object.assign(given, { title: 'another', body: [] });
    expect(read).toMatchObject({ title: 'Terms', body: [{ text: 'old' }] });
  });

  it('may lead to pages of this service, and to others by https', () => {
    const links = ['/ui/account', 'https://acme.example/terms'].map((href) => ({ kind: 'link', text: 'Terms', href }));
    expect(readStepPage(page(links)).body).toEqual(links);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Accept?'],
    ['no title', { submit: 'Continue', body: [] }],
    ['an empty button', { title: 'Terms', submit: ' ', body: [] }],
    ['no body', { title: 'Terms', submit: 'Continue' }],
    ['a second button that says nothing', { ...page(), decline: '' }],
    ['more than a page can hold', page([{ kind: 'text', text: 'x'.repeat(100_001) }])],
    ['51 parts', page(Array.from({ length: 51 }, () => ({ kind: 'text', text: 'x' })))],
    ['a part of no known kind', page([{ kind: 'html', text: '<b>' }])],
    ['a part that is none', page([null])],
    ['a text that is none', page([{ kind: 'text', text: { __html: '<b>' } }])],
    ['a list of other things', page([{ kind: 'list', items: [1] }])],
    ['a link that runs', page([{ kind: 'link', text: 'x', href: 'javascript:x()' }])],
    ['a link without encryption', page([{ kind: 'link', text: 'x', href: 'http://acme.example' }])],
    ['a link to another host that looks like a path', page([{ kind: 'link', text: 'x', href: '//evil.example' }])],
    ['the same with a backslash', page([{ kind: 'link', text: 'x', href: '/\\evil.example' }])],
    ['the token of the form', page([{ kind: 'field', name: 'csrf', label: 'x' }])],
    ['the request of the sign-in', page([{ kind: 'field', name: 'authRequestID', label: 'x' }])],
    ['the buttons of the form', page([{ kind: 'check', name: 'decision', label: 'x' }])],
    ['a name that is none', page([{ kind: 'check', name: 'a b', label: 'x' }])],
    ['an input without a label', page([{ kind: 'check', name: 'a' }])],
    ['a keyboard that there is not', page([{ kind: 'field', name: 'a', label: 'x', keyboard: 'password' }])],
    ['a choice among nothing', page([{ kind: 'choice', name: 'a', label: 'x', options: [] }])],
    [
      'two inputs with one name',
      page([
        { kind: 'check', name: 'a', label: 'x' },
        { kind: 'field', name: 'a', label: 'y' },
      ]),
    ],
  ])('is refused with %s', (_, given) => {
    expect(() => readStepPage(given)).toThrow(/^(Its page|The text|Part)/);
  });
});

describe('What is wrong with the form of a login step', () => {
  const { problem: _none, errors: _errors, ...step } = pagesSaying('word').extStep;

  it.each([
    ['a field', 'number'],
    ['a tick', 'accepted'],
  ])('is announced as text, and tied to %s', (_, field) => {
    const html = render({ ...step, problem: { text: '<b>Missing</b>', field } });
    expect(html).toContain(`<p id="${field}-error">&lt;b>Missing&lt;/b></p>`);
    const invalid = visibleInputs(tagsOf(html)).filter(({ attributes }) => attributes.get('aria-invalid') === 'true');
    expect(valuesOf(invalid, 'id')).toEqual([field]);
    expect(invalid[0]?.attributes.get('aria-describedby')).toContain(`${field}-error`);
  });

  it('concerns the form as a whole if it names no field of it', () => {
    const html = render({ ...step, problem: { text: 'Missing', field: 'csrf' } });
    expect(html).toContain('<p id="form-error">Missing</p>');
  });
});

describe('Texts of an extension', () => {
  const extension = (texts: ExtTextsByLanguage) =>
    defineExtension({ id: 'hr', version: '1.0.0', gatehouse: '*', module: class {}, texts });

  it('are in the language of the reader, and in English where that lacks one', () => {
    const hr = extension({ en: { title: 'Terms', submit: 'Continue' }, de: { title: 'Bedingungen' } });
    const german = new ExtTexts(hr, 'de');
    expect([german.language, german.text('title'), german.text('submit')]).toEqual(['de', 'Bedingungen', 'Continue']);
    const french = new ExtTexts(hr, 'fr');
    expect([french.language, french.text('title')]).toEqual(['en', 'Terms']);
    expect(() => french.text('other')).toThrow('The extension hr has no text other. Add it to texts.en.');
  });

  it.each<[string, ExtTextsByLanguage, string]>([
    ['there are none in English', { de: { title: 'Bedingungen' } }, 'has no texts in English'],
    ['there are no pages in their language', { en: { title: 'a' }, xx: { title: 'b' } }, 'has texts in xx'],
    ['English lacks one', { en: { title: 'a' }, de: { submit: 'b' } }, 'has the text submit in de and not in English'],
    ['one is empty', { en: { title: ' ' } }, 'is empty in en'],
  ])('are refused if %s', (_, texts, mistake) => {
    expect(textMistakes([extension(texts)])).toEqual([expect.stringContaining(mistake)]);
  });
});
