import { describe, expect, it } from '@jest/globals';
import type { LoginLanguage, LoginTexts } from './catalogue/catalogue.js';
import { loginLanguages, textsFor } from './catalogue/catalogue.js';
import type { ErrorReason } from './error.page.js';
import { type PageLook, PLAIN_LOOK } from './look.js';
import type { FormErrorReason } from './part/form-error.js';
import { paths } from './paths.js';
import { registerFields } from './register.page.js';
import type { LoginPage, PageName } from './render.js';
import { renderPage } from './render.js';

const rules = { minLength: 8, uppercase: true, lowercase: true, number: true, symbol: true };

/** The page that carries an answer to an application has a script and leaves the service: test/oidc proves what it promises. */
type OwnPage = Exclude<PageName, 'formPost'>;

/** Every page with all that it can show; each piece of text that comes from outside is `word`. */
function pagesSaying(word: string): { readonly [Name in OwnPage]: LoginPage<Name> } {
  const form = (action: keyof typeof paths) => ({ action: paths[action], csrf: word, authRequestId: word });
  const person = { displayName: word, loginName: `${word} ` };
  const otherAccountHref = paths.accounts;
  const provider = { name: word, href: paths.externalStart, isVendor: true };
  const returnTo = { href: `https://rp1.test/?state=${word}`, clientName: word };
  return {
    loginName: {
      page: 'loginName',
      form: form('loginName'),
      loginName: word,
      clientName: word,
      linkTo: word,
      registerHref: paths.register,
      accountsHref: paths.accounts,
      errors: [{ field: 'loginName', reason: 'loginNameMissing' }],
      providers: [provider, { ...provider, isVendor: false }],
    },
    password: {
      page: 'password',
      form: form('password'),
      loginName: word,
      otherAccountHref,
      errors: [{ field: 'password', reason: 'credentialsWrong' }],
    },
    accounts: {
      page: 'accounts',
      form: form('accounts'),
      clientName: word,
      otherAccountHref,
      errors: [{ reason: 'formStale' }],
      accounts: [
        { userId: word, signedIn: true, ...person },
        { userId: '2', signedIn: false, ...person },
      ],
    },
    register: {
      page: 'register',
      form: form('register'),
      rules,
      clientName: word,
      asksUserName: true,
      signInHref: paths.loginName,
      values: { email: word, firstName: word, lastName: word, userName: word },
      errors: registerFields.map((field) => ({ field, reason: 'valueTooLong', count: 200 })),
    },
    passwordChange: {
      page: 'passwordChange',
      form: form('passwordChange'),
      rules,
      loginName: word,
      otherAccountHref,
      because: 'expired',
      errors: [{ field: 'newPassword', reason: 'passwordRulesBroken' }, { reason: 'tooManyAttempts' }],
    },
    factorOffer: {
      page: 'factorOffer',
      form: form('factorOffer'),
      loginName: word,
      otherAccountHref,
      choices: ['otp', 'otp_email'],
      isRequired: false,
      errors: [{ reason: 'formStale' }],
    },
    totpSetUp: {
      page: 'totpSetUp',
      form: form('totpSetUp'),
      keyUri: 'otpauth://totp/Acme:alice?secret=GEZDGNBVGY3TQOJQ',
      seed: `GEZDGNBV${word}`,
      errors: [{ field: 'code', reason: 'codeWrong' }],
    },
    recoveryCodes: {
      page: 'recoveryCodes',
      form: form('recoveryCodes'),
      codes: [word, word],
      errors: [{ reason: 'formStale' }],
    },
    secondFactor: {
      page: 'secondFactor',
      form: form('emailCode'),
      source: 'otp_email',
      mail: { address: word, isSent: true },
      loginName: word,
      otherAccountHref,
      others: [
        { source: 'otp', href: paths.totp },
        { source: 'recovery_codes', href: paths.recoveryCode },
      ],
      isSetUp: true,
      errors: [{ field: 'code', reason: 'codeWrong' }],
    },
    passwordReset: {
      page: 'passwordReset',
      form: form('passwordReset'),
      loginName: word,
      signInHref: paths.hub,
      errors: [{ field: 'loginName', reason: 'loginNameMissing' }],
    },
    passwordExpiry: {
      page: 'passwordExpiry',
      form: form('passwordExpiry'),
      expiresAt: new Date('2026-03-01T12:00:00Z'),
      errors: [{ reason: 'formStale' }],
    },
    code: {
      page: 'code',
      purpose: 'setUp',
      form: form('userInit'),
      code: word,
      rules,
      loginName: word,
      email: word,
      asked: 'again',
      canResend: true,
      signInHref: paths.hub,
      registerHref: paths.register,
      errors: [
        { field: 'code', reason: 'codeWrong' },
        { field: 'password', reason: 'passwordRulesBroken' },
      ],
    },
    done: { page: 'done', what: 'setUpDone' },
    success: { page: 'success', clientName: word, continueHref: paths.hub },
    consent: {
      page: 'consent',
      form: form('consent'),
      clientName: word,
      person,
      scopes: ['openid', word],
      errors: [{ reason: 'formStale' }],
    },
    externalLogin: { page: 'externalLogin', person, provider, otherAccountHref },
    externalUser: {
      page: 'externalUser',
      form: form('externalUser'),
      providerName: word,
      accountName: word,
      email: word,
      mayLink: true,
      otherAccountHref,
      errors: [{ field: 'email', reason: 'emailInvalid' }],
    },
    linkAccount: {
      page: 'linkAccount',
      form: form('linkAccount'),
      providerName: word,
      accountName: word,
      person,
      errors: [{ reason: 'providerAccountTaken' }],
    },
    onward: { page: 'onward', provider, loginName: word, otherAccountHref },
    signOut: {
      page: 'signOut',
      form: form('signOut'),
      clientName: word,
      people: [person, person],
      errors: [{ reason: 'formStale' }],
    },
    signedIn: { page: 'signedIn', people: [person, person], signOutHref: paths.signOut },
    signedOut: { page: 'signedOut', returnTo },
    expired: { page: 'expired', returnTo },
    cookies: { page: 'cookies', retryHref: paths.hub },
    error: {
      page: 'error',
      reason: 'unexpected',
      received: word,
      reference: word,
      backHref: paths.loginName,
      providers: [provider],
    },
  };
}

const names = Object.keys(pagesSaying('x')) as readonly OwnPage[];
const withForm = names.filter((name) => 'form' in pagesSaying('x')[name]);
const stylesheet = `${paths.stylesheet}?v=1a2b3c` as const;

const render = (page: LoginPage, language: LoginLanguage = 'en', brand = 'Acme') =>
  renderPage(page, { language, brand, look: PLAIN_LOOK, stylesheet });

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads strict markup: every `<` opens a tag of ours, every attribute value stands in double quotes. Throws otherwise. */
function tagsOf(html: string): readonly Tag[] {
  const tag = /<(\/?[a-z][a-z\d]*)((?:\s[a-zA-Z-]+(?:="[^"<]*")?)*)\s?\/?>/gu;
  const rest = html.replace('<!doctype html>', '').replaceAll(tag, '');
  if (rest.includes('<'))
    throw new Error(`not a tag of ours: ${rest.slice(rest.indexOf('<'), rest.indexOf('<') + 80)}`);
  return [...html.matchAll(tag)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: new Map(
      [...attributes.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/gu)].map(([, key = '', value = '']) => [key, value]),
    ),
  }));
}

const valuesOf = (tags: readonly Tag[], attribute: string) =>
  tags.flatMap((tag) => tag.attributes.get(attribute) ?? []);
const elements = (tags: readonly Tag[], name: string) => tags.filter((tag) => tag.name === name);
const visibleInputs = (tags: readonly Tag[]) =>
  elements(tags, 'input').filter(({ attributes }) => attributes.get('type') !== 'hidden' && !attributes.has('hidden'));

describe.each(names)('the page %s', (name) => {
  it.each(loginLanguages)('is a whole document in %s with language, direction, a title and one h1', (language) => {
    const html = render(pagesSaying('word')[name], language);
    const tags = tagsOf(html);
    expect(html.startsWith(`<!doctype html><html lang="${language}" dir="ltr">`)).toBe(true);
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

  it('is smaller than 6 kB, apart from a QR code', () => {
    const html = render(pagesSaying('alice@acme.localhost')[name], 'de');
    expect(Buffer.byteLength(html.replaceAll(/ d="[^"]*"/gu, ''))).toBeLessThan(6000);
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
    const shape = (tag: Tag) => `${tag.name} ${[...tag.attributes.keys()].join(' ')}`;
    expect(tagsOf(html).map(shape)).toEqual(tagsOf(render(pagesSaying('word')[name], 'en', 'word')).map(shape));
    expect(html).toContain(hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'));
  });
});

describe.each(withForm)('the form of the page %s', (name) => {
  const page = pagesSaying('word')[name];
  const tags = tagsOf(render(page));

  it('posts to its action, with the request and the token', () => {
    const [form] = elements(tags, 'form');
    expect(elements(tags, 'form')).toHaveLength(1);
    expect(form?.attributes.get('method')).toBe('post');
    expect(form?.attributes.get('action')).toBe('form' in page && page.form.action);
    const hidden = elements(tags, 'input').filter(({ attributes }) => attributes.get('type') === 'hidden');
    expect(valuesOf(hidden, 'name')).toEqual(['authRequestID', 'csrf']);
  });

  it('has one submit button with the id submit', () => {
    const buttons = elements(tags, 'button');
    expect(valuesOf(buttons, 'id')).toEqual(['submit']);
    expect(buttons[0]?.attributes.get('id')).toBe('submit');
    expect(valuesOf(buttons, 'type').every((type) => type === 'submit')).toBe(true);
  });

  it('labels every input and says what it is for', () => {
    for (const { attributes } of visibleInputs(tags)) {
      expect(valuesOf(elements(tags, 'label'), 'for')).toContain(attributes.get('id'));
      expect(attributes.get('autocomplete')).toMatch(
        /^(username|current-password|new-password|email|given-name|family-name|one-time-code)$/u,
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
  it.each<[OwnPage, readonly string[]]>([
    ['loginName', ['loginName']],
    ['password', ['loginName', 'password']],
    ['register', ['email', 'firstName', 'lastName', 'userName', 'password', 'passwordRepeat']],
    ['totpSetUp', ['code']],
    ['secondFactor', ['code']],
    ['passwordReset', ['loginName']],
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

describe('errors of a form', () => {
  const { form } = pagesSaying('x').register;
  const faulty = (errors: LoginPage<'register'>['errors']) =>
    render({ page: 'register', form, rules, asksUserName: true, errors });

  it.each(withForm)('on the page %s are announced, named in the title and tied to their fields', (name) => {
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
  });

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
      expect(faulty([{ reason, count: 3 }])).not.toMatch(/(?<!\\p)\{\w+\}/u);
    },
  );
});

describe('the password page', () => {
  it.each([' ALICE ', 'Alice', 'alice@ORGA.test'])('shows the login name %j as it was typed', (loginName) => {
    const html = render({ ...pagesSaying('x').password, loginName });
    expect(html).toContain(`<bdi dir="ltr">${loginName}</bdi>`);
    expect(html).toContain(`value="${loginName}" autocomplete="username"`);
  });
});

describe('the note that a password expires', () => {
  it.each(loginLanguages)(
    'says until when in %s, and where the date ends in a full stop the sentence goes on',
    (language) => {
      const text = render(pagesSaying('word').passwordExpiry, language).replace(/<[^>]*>/gu, '');
      expect(text).toContain(
        new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
          new Date('2026-03-01T12:00:00Z'),
        ),
      );
      expect(text).not.toMatch(/\.\./u);
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

  it('let nobody skip what is required', () => {
    const choices = (isRequired: boolean) =>
      valuesOf(elements(tagsOf(render({ ...factorOffer, isRequired })), 'button'), 'value');
    expect([choices(false), choices(true)]).toEqual([
      ['otp', 'otp_email', 'skip'],
      ['otp', 'otp_email'],
    ]);
  });
});

describe('the consent page', () => {
  const saying = (...scopes: string[]) => render({ ...pagesSaying('Payroll').consent, scopes });

  it('says what the scopes mean, each meaning once', () => {
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

  it.each(reasons)('says for %s what happened and what to do', (reason) => {
    const words: LoginTexts['error'][ErrorReason] = textsFor('en').error[reason];
    const html = render({ page: 'error', reason });
    for (const text of [words.title, words.what, words.todo]) expect(html).toContain(text);
    expect(html).not.toContain('<dl');
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

  it('leads to what the organization has to say, and has it agreed to by whoever registers', () => {
    const hrefs = valuesOf(elements(tags, 'a'), 'href');
    for (const href of [links.tos, links.privacy, links.help, 'mailto:help@acme.test']) expect(hrefs).toContain(href);
    const check = elements(tags, 'input').find(({ attributes }) => attributes.get('type') === 'checkbox');
    expect(check?.attributes.get('aria-describedby')).toBe('terms-error');
  });

  it('offers the page in every language, by a form that needs no script', () => {
    const [, chooser] = elements(tags, 'form');
    expect([chooser?.attributes.get('method'), chooser?.attributes.get('action')]).toEqual(['get', paths.hub]);
    expect(valuesOf(elements(tags, 'option'), 'value')).toEqual([...loginLanguages]);
    expect(
      elements(tags, 'option')
        .filter(({ attributes }) => attributes.has('selected'))
        .map(({ attributes }) => attributes.get('value')),
    ).toEqual(['de']);
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
