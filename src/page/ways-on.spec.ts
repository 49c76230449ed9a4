import { describe, expect, it } from '@jest/globals';
import {
  elements,
  names,
  pagesSaying,
  render,
  stylesheet,
  tagsOf,
  valuesOf,
} from '../extension/testing/page/every-page.js';
import { rules } from '../extension/testing/page/every-rule.js';
import { paths } from '../org/instance/paths.js';
import { PLAIN_LOOK } from './part/look.js';
import { type LoginPage, renderPage } from './render.js';

const inMain = (page: LoginPage): string => /<main>(.*)<\/main>/su.exec(render(page))?.[1] ?? '';

describe('no page is a dead end', () => {
  it.each(names)('the page %s has a button or a link to go on', (name) => {
    expect(inMain(pagesSaying('word')[name])).toMatch(/<(?:a|button) /u);
  });

  it.each<LoginPage>([
    { page: 'expired' },
    { page: 'cookies' },
    { page: 'done', what: 'passwordDone' },
    { page: 'signedOut' },
    { page: 'error', reason: 'forbidden' },
    { page: 'error', reason: 'clientUnknown' },
  ])('a page outside a sign-in leads to the entry: %j', (page) => {
    expect(valuesOf(elements(tagsOf(inMain(page)), 'a'), 'href')).toEqual([paths.hub]);
  });

  it('says at the entry what to do, not that somebody was signed out, and signs users in to their own account', () => {
    const html = inMain({ page: 'notSignedIn' });
    expect(html).toContain('You are not signed in');
    expect(html).not.toContain('signed out');
    expect(valuesOf(elements(tagsOf(html), 'a'), 'href')).toEqual([paths.account]);
  });
});

describe('the page to which the link of a mail leads', () => {
  const { code } = pagesSaying('ada@acme.localhost');
  const linked = {
    ...code,
    purpose: 'passwordNew',
    code: 'K7QX2M',
    isCodeLinked: true,
    rules,
    asksName: false,
  } as const;
  const inputsOf = (page: LoginPage) =>
    elements(tagsOf(render(page)), 'input').map(({ attributes }) => [attributes.get('name'), attributes.get('type')]);

  it('does not ask for the code that it has, and says for whom the password is', () => {
    const page = { ...linked, asked: undefined, errors: undefined };
    expect(inputsOf(page)).toContainEqual(['code', 'hidden']);
    expect(inMain(page).replace(/<[^>]*>/gu, '')).toContain('Choose a new password for ada@acme.localhost.');
  });

  it('keeps it out of sight while only the password is wrong', () => {
    const page = {
      ...linked,
      asked: undefined,
      errors: [{ field: 'password', reason: 'passwordRulesBroken' }],
    } as const;
    expect(inputsOf(page)).toContainEqual(['code', 'hidden']);
  });

  it('shows the code that turned out to be wrong', () => {
    const page = { ...linked, asked: undefined, errors: [{ field: 'code', reason: 'codeWrong' }] } as const;
    expect(inputsOf(page)).toContainEqual(['code', 'text']);
  });

  it('shows an empty field to a user who types the code of a mail', () => {
    expect(inputsOf({ ...linked, isCodeLinked: false, asked: 'before' })).toContainEqual(['code', 'text']);
  });
});

describe('what only scripts can do', () => {
  const withScript = (page: LoginPage) =>
    tagsOf(renderPage(page, { language: 'en', brand: 'Acme', look: PLAIN_LOOK, stylesheet, scripts: [paths.script] }));

  it('comes from one file of ours, which waits for the page', () => {
    const [script, ...others] = elements(withScript(pagesSaying('x').password), 'script');
    expect([script?.attributes.get('src'), script?.attributes.has('defer'), others]).toEqual([paths.script, true, []]);
  });

  it('shows a password by a button that is hidden without it and says whether it is pressed', () => {
    for (const name of ['password', 'register', 'passwordChange', 'code'] as const) {
      const tags = tagsOf(render(pagesSaying('x')[name]));
      const passwords = elements(tags, 'input').filter(
        ({ attributes }) => attributes.get('type') === 'password' && !attributes.get('id')?.endsWith('Repeat'),
      );
      const buttons = tags.filter(({ attributes }) => attributes.has('data-reveals'));
      expect(valuesOf(buttons, 'data-reveals')).toEqual(valuesOf(passwords, 'id'));
      for (const { attributes } of buttons)
        expect([attributes.has('hidden'), attributes.get('aria-pressed'), attributes.get('aria-label')]).toEqual([
          true,
          'false',
          'Show password',
        ]);
    }
  });

  it('takes away the field that repeats a password', () => {
    for (const name of ['register', 'passwordChange', 'code', 'accountPassword'] as const) {
      const tags = tagsOf(render(pagesSaying('x')[name]));
      const repeated = valuesOf(elements(tags, 'input'), 'id').filter((id) => id.endsWith('Repeat'));
      const fields = tags.filter(({ attributes }) => attributes.has('data-repeats'));
      expect([name, repeated.length, fields.length]).toEqual([name, 1, 1]);
    }
  });

  it.each([
    ['correct horse', false],
    ['correct horse battery', true],
    ['密码密码密码密码密码密码密码密', true],
  ])('ticks the length off as the service counts it: %j is enough: %s', (password, isMet) => {
    const page = { ...pagesSaying('x').register, rules: { ...rules, minLength: 15 } };
    const [length] = valuesOf(tagsOf(render(page)), 'data-pattern');
    expect(new RegExp(length!, 'v').test(password)).toBe(isMet);
  });
});

describe('a line of Japanese', () => {
  it('ends between phrases in a heading, never within a word', () => {
    const html = render(pagesSaying('x').password, 'ja');
    expect(/<h1>(.*?)<\/h1>/u.exec(html)?.[1]).toBe('パスワードを<wbr/>入力してください');
  });
});

describe('the name of a user', () => {
  it.each([
    ['en', ['firstName', 'lastName']],
    ['tr', ['firstName', 'lastName']],
    ['hu', ['lastName', 'firstName']],
    ['ja', ['lastName', 'firstName']],
    ['ko', ['lastName', 'firstName']],
    ['zh', ['lastName', 'firstName']],
    ['zh-TW', ['lastName', 'firstName']],
  ] as const)('is asked for in %s in the order %j', (language, order) => {
    const inputs = valuesOf(elements(tagsOf(render(pagesSaying('x').register, language)), 'input'), 'id');
    expect(inputs.filter((id) => id.endsWith('Name') && id !== 'userName')).toEqual(order);
  });
});
