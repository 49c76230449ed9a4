import { describe, expect, it } from '@jest/globals';
import { parse } from 'node-html-parser';
import { contrast } from '../foundation/color/contrast.js';
import { textsIn } from '../text/message-catalogue/catalogue.js';
import { toMailColors } from './mail-colors.js';
import type { MailLabel } from './mail-label.js';
import { type MailContent, renderMail, renderShortMessage } from './mail-template.js';

const NONE = { background: '', font: '', primary: '' };
const LABEL: MailLabel = {
  name: 'Acme',
  light: toMailColors(NONE, 'light'),
  dark: toMailColors(NONE, 'dark'),
  mode: 'auto',
  logo: undefined,
};
const VALUES = { FirstName: 'Ada', LastName: 'L', PreferredLoginName: 'ada@acme.test', Code: 'K7QX2M' };

function render(changed: Partial<MailContent> = {}): ReturnType<typeof renderMail> {
  return renderMail({
    text: textsIn('en').init,
    language: 'en',
    values: VALUES,
    url: 'https://id.test/ui/login/user/init?code=K7QX2M&userID=1',
    label: LABEL,
    logoSrc: undefined,
    ...changed,
  });
}

/** Every address that a mail program would fetch or follow. */
function addressesIn(html: string): string[] {
  return parse(html)
    .querySelectorAll('[src], [href], [background]')
    .map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? one.getAttribute('background')!);
}

describe('a mail', () => {
  it('has the same content in both forms', () => {
    const { subject, html, text } = render();
    const { body } = { body: parse(html).querySelector('body')!.textContent };
    expect(subject).toBe('Set up your account');
    for (const part of [
      'Hello Ada L,',
      'Your login name is ada@acme.test.',
      'enter K7QX2M',
      'The link and the code',
      'Acme',
    ]) {
      const name = part.replaceAll('.', '.');
      expect(text).toContain(name);
      expect(body).toContain(name);
    }
    expect(text).toContain('Set up my account: https://id.test/ui/login/user/init?code=K7QX2M&userID=1');
  });

  it.each([
    ['zh', '小明', '王', '王小明，您好：'],
    ['zh-TW', 'Ada', 'Lovelace', 'Lovelace Ada，您好：'],
    ['ko', '민준', '김', '김민준 님, 안녕하세요.'],
    ['ko', 'Ada', 'Lovelace', 'Lovelace Ada 님, 안녕하세요.'],
  ] as const)(
    'separates the parts of a name in %s where its letters do: %s, %s',
    (language, FirstName, LastName, greeting) => {
      const { html, text } = render({
        language,
        text: textsIn(language).init,
        values: { ...VALUES, FirstName, LastName },
      });
      expect(text).toContain(greeting);
      expect(parse(html).querySelector('body')!.textContent).toContain(greeting);
      expect(html).toContain(`<bdi>${greeting.split(/[，님]/u)[0]!.trim()}</bdi>`);
    },
  );

  it('shows a code large and by itself, in both forms, if its text speaks of one', () => {
    const { html, text } = render();
    expect(parse(html).querySelector('.code')?.textContent).toBe('K7QX2M');
    expect(text).toMatch(/^K7QX2M$/m);
    const without = render({ text: { ...textsIn('en').init, text: 'Welcome.' } });
    expect(parse(without.html).querySelector('.code')).toBeNull();
    expect(without.text).not.toMatch(/^K7QX2M$/m);
  });

  it('holds no address but that of its button, and fetches nothing', () => {
    const { html } = render();
    expect(new Set(addressesIn(html))).toEqual(new Set(['https://id.test/ui/login/user/init?code=K7QX2M&userID=1']));
    expect(html).not.toMatch(/<(script|link|iframe|form|object|svg|base)|url\(|@import|javascript:/i);
  });

  it('shows a logo that travels with it', () => {
    expect(addressesIn(render({ logoSrc: 'cid:logo' }).html)).toContain('cid:logo');
    expect(
      parse(render({ logoSrc: 'cid:logo' }).html)
        .querySelector('img')!
        .getAttribute('alt'),
    ).toBe('Acme');
  });

  it('has neither button nor address without somewhere to lead to', () => {
    const { html, text } = render({ url: undefined });
    expect(addressesIn(html)).toEqual([]);
    expect(text).not.toContain('Set up my account');
  });

  it('lets each text find its direction, and isolates each value, a whole name as one', () => {
    const root = parse(render({ values: { ...VALUES, FirstName: 'عمر' } }).html);
    // The name of the organization stands where the layout begins, whatever its letters are.
    const texts = root.querySelectorAll('h1, p').filter((element) => element.textContent !== 'Acme');
    for (const element of texts) expect(element.getAttribute('dir')).toBe('auto');
    expect(root.querySelectorAll('bdi').map((bdi) => bdi.textContent)).toEqual(
      expect.arrayContaining(['عمر L', 'ada@acme.test', 'K7QX2M']),
    );
  });

  it.each([
    ['ar', 'rtl'],
    ['he', 'rtl'],
    ['tr', 'ltr'],
  ] as const)('is laid out in %s from the side where its readers begin: %s', (language, direction) => {
    const root = parse(render({ language }).html);
    // Some mail programs drop `html` and `body`.
    for (const selector of ['html', 'body > table'])
      expect(root.querySelector(selector)!.getAttribute('dir')).toBe(direction);
  });

  it.each([
    ['auto', true, '#f2f4f7'],
    ['light', false, '#f2f4f7'],
    ['dark', false, '#0d1015'],
  ] as const)('with the mode %s follows the device: %s', (mode, follows, ground) => {
    const { html } = render({ label: { ...LABEL, mode } });
    expect(html.includes('prefers-color-scheme: dark')).toBe(follows);
    expect(parse(html).querySelector('body')!.getAttribute('style')).toContain(ground);
  });
});

describe('what people write stays text [LOG-015, LOG-016, LOG-018, LOG-019]', () => {
  it.each([
    '{{.LastName}}',
    "{{constructor.constructor('return process')()}}",
    '${7*7}',
    '<%= 7*7 %>',
    '#{7*7}',
    '{{#each this}}',
    '$& $1',
  ])('a first name %j is printed as it is', (name) => {
    const { html, text } = render({ values: { ...VALUES, FirstName: name } });
    const visible = (whole: string): string => whole.replaceAll('\u200b', '');
    expect(visible(text)).toContain(`Hello ${name} L,`);
    expect(visible(parse(html).querySelector('body')!.textContent)).toContain(`Hello ${name} L,`);
  });

  it.each([
    '<a href="https://evil.test">Click</a><img src=//evil.test/p>',
    '"><script>alert(1)</script>',
    "' onmouseover='x",
    'https://evil.test/ evil.test',
  ])('a first name %j makes no element and no address', (name) => {
    const { html, text, subject } = render({
      values: { ...VALUES, FirstName: name },
      text: { ...textsIn('en').init, subject: 'For {{.FirstName}}' },
    });
    expect(parse(html).querySelectorAll('script, img')).toEqual([]);
    expect(addressesIn(html).filter((address) => address.includes('evil'))).toEqual([]);
    for (const form of [html, text, subject]) expect(form).not.toMatch(/evil\.test|:\/\/evil|\/\/evil/);
  });

  it.each(['\r\nBcc: x@evil.test', '\nSubject: x', '\u0085x', '\u2028x', '\0x', '\u001b[31m'])(
    'a value with %j stays in its line',
    (value) => {
      const { subject, text } = render({
        values: { ...VALUES, Code: `a${value}` },
        text: { ...textsIn('en').init, subject: 'Code {{.Code}}\r\nX: y' },
      });
      expect(subject).toMatch(/^Code a [^\p{Cc}\p{Zl}\p{Zp}]+$/u);
      expect(text).not.toMatch(/^(Bcc|Subject):/m);
    },
  );

  it('a short message keeps its lines, and values make none', () => {
    const text = renderShortMessage(
      { text: textsIn('en').verifySmsOtp },
      { OTP: '1234\n5', Domain: 'id.test', Expiry: '5 minutes' },
    );
    expect(text).toBe(
      '1234 5 is your one-time code for id.test. Valid for: 5 minutes. Do not share it with anyone.\n@id.test #1234 5',
    );
  });
});

describe('the colours of a mail: WCAG 2.2 §1.4.3', () => {
  it.each([
    ['ours', NONE],
    ['white on black', { background: '#000', font: '#fff', primary: '#ff0' }],
    ['white on white', { background: '#ffffff', font: '#ffffff', primary: '#ffffff' }],
    ['grey on grey', { background: '#777777', font: '#808080', primary: '#808080' }],
    ['black text on a dark ground', { background: '#111111', font: '#000000', primary: '#000000' }],
  ])('%s can be read by light and by dark', (_, chosen) => {
    for (const mode of ['light', 'dark'] as const) {
      const colors = toMailColors(chosen, mode);
      expect(contrast(colors.text, colors.surface)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colors.onAccent, colors.accent)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('takes the chosen colours where they can be read', () => {
    expect(toMailColors({ background: '#eeeeee', font: '#222222', primary: '#006400' }, 'light')).toMatchObject({
      ground: '#eeeeee',
      text: '#222222',
      accent: '#006400',
    });
  });
});
