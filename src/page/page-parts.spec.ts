import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import {
  elements,
  pagesSaying,
  render,
  stylesheet,
  tagsOf,
  valuesOf,
  visibleInputs,
  withForm,
} from '../extension/testing/page/every-page.js';
import { rules } from '../extension/testing/page/every-rule.js';
import { paths } from '../org/instance/paths.js';
import type { LoginLanguage, PageTexts } from './catalogue/catalogue.js';
import { fill, loginLanguages, piecesOf, textsFor } from './catalogue/catalogue.js';
import type { ErrorReason } from './error.page.js';
import type { FormErrorReason } from './part/form-error.js';
import { type PageLook, PLAIN_LOOK } from './part/look.js';
import type { LoginPage } from './render.js';
import { renderPage } from './render.js';

/** Its form is one button: nothing can be typed that would be wrong. */
const WITHOUT_FIELDS = 'takeBack';

describe('errors of a form', () => {
  const { form } = pagesSaying('x').register;
  const faulty = (errors: LoginPage<'register'>['errors']) =>
    render({ page: 'register', form, rules, asksUserName: true, errors });

  it.each(withForm.filter((name) => name !== WITHOUT_FIELDS))(
    'on the page %s are announced, named in the title and tied to their fields',
    (name) => {
      const page = pagesSaying('x')[name];
      const errors = 'errors' in page ? (page.errors ?? []) : [];
      expect(errors).not.toHaveLength(0);
      const html = render(page);
      const tags = tagsOf(html);
      expect(valuesOf(tags, 'role').filter((role) => role !== 'img' && role !== 'status')).toEqual(['alert']);
      expect(html).toContain('<title>Error: ');
      const invalid = visibleInputs(tags).filter((tag) => tag.attributes.get('aria-invalid') === 'true');
      const fields = errors.flatMap((error) => error.field ?? []);
      expect(valuesOf(invalid, 'id').sort()).toEqual([...fields].sort());
      for (const { attributes } of invalid) {
        expect(attributes.get('aria-describedby')?.split(' ')).toContain(`${attributes.get('id') ?? ''}-error`);
      }
    },
  );

  it('put the cursor into the first faulty field in the order of the page', () => {
    const html = faulty([
      { field: 'password', reason: 'passwordRulesBroken' },
      { field: 'lastName', reason: 'lastNameMissing' },
    ]);
    expect(
      valuesOf(
        tagsOf(html).filter((tag) => tag.attributes.has('autofocus')),
        'id',
      ),
    ).toEqual(['lastName']);
  });

  it('lead from the summary to each field', () => {
    const html = faulty([
      { field: 'email', reason: 'emailInvalid' },
      { field: 'passwordRepeat', reason: 'passwordsDiffer' },
      { reason: 'formStale' },
    ]);
    expect(valuesOf(elements(tagsOf(html), 'a'), 'href')).toEqual(['#email', '#passwordRepeat']);
  });

  it('name the limit that was broken', () => {
    expect(faulty([{ field: 'email', reason: 'valueTooLong', count: 200 }])).toContain(
      'Enter 200 characters or fewer.',
    );
  });

  it('are absent from a fresh form', () => {
    const html = faulty(undefined);
    expect(valuesOf(tagsOf(html), 'role')).toEqual([]);
    expect(html).not.toContain('aria-invalid');
    expect(html).not.toContain('Error:');
  });

  it.each(Object.keys(textsFor('en').formError).filter((key) => key !== 'summary') as FormErrorReason[])(
    'have words for %s',
    (reason) => {
      expect(faulty([{ reason, count: 3, duration: '15 minutes' }])).not.toMatch(/(?<!\\p)\{\w+\}/u);
    },
  );
});

describe('the password page', () => {
  it('lets a long login name break behind the @ and its dots, and not within a word', () => {
    const html = render({ ...pagesSaying('x').password, loginName: 'ada.l@acme.localhost' });
    expect(html).toContain('<bdi dir="ltr">ada.<wbr/>l@<wbr/>acme.<wbr/>localhost</bdi>');
  });

  it.each([' ALICE ', 'Alice', 'alice@ORGA.test'])('shows the login name %j as it was typed', (loginName) => {
    const html = render({ ...pagesSaying('x').password, loginName });
    expect(html.replaceAll('<wbr/>', '')).toContain(`<bdi dir="ltr">${loginName}</bdi>`);
    expect(html).toContain(`value="${loginName}" autocomplete="username"`);
  });
});

describe('a date in a sentence', () => {
  it.each(
    loginLanguages.flatMap((language) =>
      (['passwordExpiry', 'accountClosed'] as const).map((name) => [language, name] as const),
    ),
  )(
    'says until when in %s on the page %s, and the sentence continues where the date ends in a full stop',
    (language, name) => {
      const text = render(pagesSaying('word')[name], language).replace(/<[^>]*>/gu, '');
      expect(text).toContain(
        new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
          new Date('2026-03-01T12:00:00Z'),
        ),
      );
      expect(text).not.toMatch(/\.\./u);
    },
  );
});

describe('the pages that ask for a name', () => {
  it.each(['register', 'accountProfile'] as const)(
    '%s: ask for the family name first where readers say it first',
    (name) => {
      const namesIn = (language: LoginLanguage) =>
        valuesOf(visibleInputs(tagsOf(render(pagesSaying('x')[name], language))), 'name').filter((field) =>
          ['firstName', 'lastName'].includes(field),
        );
      expect([namesIn('de'), namesIn('ja')]).toEqual([
        ['firstName', 'lastName'],
        ['lastName', 'firstName'],
      ]);
    },
  );
});

describe('the pages of second factors', () => {
  const { secondFactor, factorOffer } = pagesSaying('a•••@mail.test');
  const asking = (over: Partial<LoginPage<'secondFactor'>>) =>
    tagsOf(render({ ...secondFactor, errors: undefined, isSetUp: false, ...over }));

  it('ask for a code by mail only once one is on its way', () => {
    const buttons = (isSent: boolean) =>
      valuesOf(elements(asking({ mail: { address: 'a', isSent } }), 'button'), 'value');
    expect([visibleInputs(asking({ mail: { address: 'a', isSent: false } })).length, buttons(false)]).toEqual([
      0,
      ['send'],
    ]);
    expect(buttons(true)).toEqual(['send']);
  });

  it('have a button that takes no code where none is needed', () => {
    const [submit, again] = elements(asking({}), 'button');
    expect([submit?.attributes.has('formnovalidate'), again?.attributes.has('formnovalidate')]).toEqual([false, true]);
  });

  it('do not allow skipping what is required', () => {
    const choices = (isRequired: boolean) =>
      valuesOf(elements(tagsOf(render({ ...factorOffer, isRequired })), 'button'), 'value');
    expect([choices(false), choices(true)]).toEqual([
      ['passkey', 'u2f', 'otp', 'otp_email', 'skip'],
      ['passkey', 'u2f', 'otp', 'otp_email'],
    ]);
  });
});

describe('the consent page', () => {
  const saying = (...scopes: string[]) => render({ ...pagesSaying('Payroll').consent, scopes });

  it('explains the scopes, each meaning once', () => {
    const html = saying(
      'openid',
      'offline_access',
      'urn:service:iam:org:project:roles',
      'urn:acme:iam:org:projects:roles',
      'urn:service:iam:user:metadata',
    );
    const { scope } = textsFor('en');
    for (const meaning of [scope.openid, scope.offlineAccess, scope.roles, scope.metadata])
      expect(html.split(meaning)).toHaveLength(2);
    expect(html).not.toContain('urn:');
  });

  it('leaves out what only chooses an organization or a provider', () => {
    expect(
      saying(
        'urn:service:iam:org:id:1',
        'urn:service:iam:org:domain:primary:a.test',
        'urn:service:iam:org:idp:id:1',
        'urn:service:iam:org:roles:id:1',
      ),
    ).toContain('learns only that you have signed in');
  });

  it.each(['timesheets:read', 'urn:service:iam:something:new', 'constructor'])(
    'shows a scope that it does not know as it is: %s',
    (scope) => {
      expect(saying(scope)).toContain(`<bdi>${scope}</bdi>`);
    },
  );
});

describe('the confirmation of a device', () => {
  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1 minute ago'],
    [599, '9 minutes ago'],
  ])('says how long ago the device asked: %i s', (ageSeconds, words) => {
    expect(render({ ...pagesSaying('x').deviceConfirm, ageSeconds })).toContain(`<bdi>${words}</bdi>`);
  });

  it('warns before it offers to go on, in every language', () => {
    for (const language of loginLanguages) {
      const html = render(pagesSaying('Payroll').deviceConfirm, language);
      const [first = ''] = piecesOf(textsFor(language).device.warning);
      expect(html.indexOf(first)).toBeGreaterThan(0);
      expect(html.indexOf(first)).toBeLessThan(html.indexOf('id="submit"'));
    }
  });
});

describe('the way back to the application', () => {
  const linkTo = (href: string) =>
    valuesOf(elements(tagsOf(render({ page: 'signedOut', returnTo: { href } })), 'a'), 'href');

  it.each(['https://rp1.test/', 'http://127.0.0.1:4711/cb', 'com.example.app:/signed-out'])('leads to %s', (href) => {
    expect(linkTo(href)).toEqual([href]);
  });

  it.each([
    'javascript:x()',
    'JavaScript:x()',
    'java\nscript:x()',
    ' javascript:x()',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.test/1',
    '//evil.test',
    '\\\\evil.test',
    'https:evil.test',
    'https:/evil.test',
    'https:\\\\evil.test',
    '/ui/login',
    '',
  ])('is not offered for %j', (href) => {
    expect(linkTo(href)).toEqual([]);
  });
});

describe('the error page', () => {
  const reasons = Object.keys(textsFor('en').error).filter(
    (key) => !['received', 'reference', 'back', 'stillSignedIn'].includes(key),
  ) as ErrorReason[];

  it.each(reasons)('explains for %s what happened and what to do', (reason) => {
    const words: PageTexts['error'][ErrorReason] = textsFor('en').error[reason];
    const html = render({ page: 'error', reason });
    for (const text of [words.title, words.what, fill(words.todo, { duration: '1 minute' })])
      expect(html).toContain(text);
    expect(html).not.toContain('<dl');
  });

  it.each<[LoginLanguage, number, string]>([
    ['en', 841, '15 minutes'],
    ['en', 3_600, '1 hour'],
    ['ja', 900, '15 分'],
    ['ar', 900, '15 دقيقة'],
  ])('says in %s for how long to wait, in minutes that are enough: %s seconds', (language, waitSeconds, duration) => {
    const html = render({ page: 'error', reason: 'tooManyAttempts', waitSeconds }, language);
    expect(html).toContain(fill(textsFor(language).error.tooManyAttempts.todo, { duration }));
  });

  it('cuts a received value that would fill the page', () => {
    const html = render({
      page: 'error',
      reason: 'redirectUriMismatch',
      received: `https://evil.test/${'a'.repeat(10_000)}`,
    });
    expect(html.length).toBeLessThan(2000);
  });
});

describe('the frame of a page', () => {
  const { form } = pagesSaying('x').register;
  const links = {
    tos: 'https://acme.test/tos',
    privacy: 'https://acme.test/privacy',
    help: 'https://acme.test/help',
    docs: 'https://acme.test/docs',
    supportEmail: 'help@acme.test',
  };
  const look: PageLook = {
    stylesheet: '/ui/login/brand/1/abc.css',
    logo: { light: '/assets/1/logo?v=a', dark: '/assets/1/logo_dark?v=b' },
    icon: '/assets/1/icon?v=c',
    colorScheme: 'dark',
    namesProduct: false,
    links,
  };
  const languageSwitch = { action: paths.hub, fields: { authRequestID: '"><b>' } };
  const html = renderPage(
    { page: 'register', form, rules, asksUserName: true, errors: [{ field: 'terms', reason: 'termsMissing' }] },
    {
      language: 'de',
      brand: 'Acme',
      look,
      stylesheet,
      languageSwitch,
    },
  );
  const tags = tagsOf(html);

  it('has the colours, the logo and the icon of the organization, and its theme', () => {
    expect(valuesOf(elements(tags, 'link'), 'href')).toEqual([look.icon, stylesheet, look.stylesheet]);
    expect(elements(tags, 'img')[0]?.attributes.get('alt')).toBe('Acme');
    expect([...valuesOf(tags, 'src'), ...valuesOf(tags, 'srcset')]).toEqual([look.logo!.light, look.logo!.dark]);
    expect(html).toContain('<meta name="color-scheme" content="dark"/>');
    expect(html).not.toContain('Gatehouse');
  });

  it('links to the terms of the organization, and requires consent to them to register', () => {
    const hrefs = valuesOf(elements(tags, 'a'), 'href');
    for (const href of [links.tos, links.privacy, links.help, 'mailto:help@acme.test']) expect(hrefs).toContain(href);
    const check = elements(tags, 'input').find(({ attributes }) => attributes.get('type') === 'checkbox');
    expect(check?.attributes.get('aria-describedby')).toBe('terms-error');
  });

  it('offers the page in every language, by a form that needs no script', () => {
    const [, chooser] = elements(tags, 'form');
    expect([chooser?.attributes.get('method'), chooser?.attributes.get('action')]).toEqual(['get', paths.hub]);
    const choices = elements(tags, 'button').filter(({ attributes }) => attributes.get('name') === 'ui_locales');
    expect(valuesOf(choices, 'value')).toEqual([...loginLanguages]);
    expect(valuesOf(choices, 'lang')).toEqual([...loginLanguages]);
    const current = choices.filter(({ attributes }) => attributes.has('aria-current'));
    expect(valuesOf(current, 'value')).toEqual(['de']);
  });

  it('takes one byte a character in memory, though it names languages in other scripts', () => {
    const isNarrow = (text: string) => serialize(text).toString('latin1', 2, 3) === '"'; // after the format's version
    expect([html, 'narrow', '語'].map(isNarrow)).toEqual([true, true, false]);
  });

  it('takes words from the organization as text', () => {
    const texts = structuredClone(textsFor('en'));
    texts.register.title = '<img src=x onerror=x()>{brand}';
    expect(
      tagsOf(
        renderPage(
          { page: 'register', form, rules, asksUserName: true },
          { language: 'en', texts, brand: 'Acme', look: PLAIN_LOOK, stylesheet },
        ),
      ),
    ).toBeDefined();
  });
});
