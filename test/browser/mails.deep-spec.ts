import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { ClaimedNames } from '../../src/user/claimed-names.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, PASSWORD, type PersonInput, type TestPerson, uniqueName } from '../support/builders.js';
import type { TakenMail } from '../support/mail-server.js';
import { LOCALES, type Locale, photograph, SCHEMES } from './inspection.js';
import { NAMES, newAddress, Stage } from './stage.js';

/** Mail programs show mails in narrow columns, and beside others in wide ones. */
const WIDTHS = [390, 800];

/** Landmarks are those of the mail program, whose page a mail is a part of. */
const OF_PAGES = /^(landmark-one-main|region):/;

let stage: Stage;
let language: string;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Somebody with a name that is read from right to left, who wants the language that is looked at. */
const reader = (over: Partial<PersonInput> = {}): Promise<TestPerson> =>
  stage.person({ profile: { ...NAMES, preferredLanguage: language }, ...over });

/** Somebody whose account is made for them; in an organization with a logo and colours. */
async function newcomer(): Promise<{ id: string; email: string }> {
  const { id: orgId } = await stage.brandedOrg();
  const email = newAddress();
  const person = { orgId, userName: email, email, profile: { ...NAMES, preferredLanguage: language } };
  const { id } = await stage.world.transaction((tx) => stage.world.get(PersonService).add(tx, person, EDITOR));
  return { id, email };
}

/** What causes each kind of mail; answers to whom it goes. */
const causes: ReadonlyArray<readonly [string, () => Promise<string>]> = [
  ['init', async () => (await newcomer()).email],
  [
    'invite',
    async () => {
      const { id, email } = await newcomer();
      await stage.world.transaction(async (tx) =>
        stage.world.get(PersonService).invite(tx, await stage.world.get(UserService).get(tx, id), 'Wiki', EDITOR),
      );
      return email;
    },
  ],
  [
    'verify-email',
    async () => {
      const person = await reader({ emailVerified: false });
      await stage.signIn(person);
      await stage.shows('input[name="code"]');
      return person.email;
    },
  ],
  [
    'password-reset',
    async () => {
      const person = await reader();
      await stage.goto(pagePaths.passwordReset);
      await stage.window.submit({ loginName: person.loginName });
      await stage.shows('input[name="code"]');
      return person.email;
    },
  ],
  [
    'password-changed',
    async () => {
      const person = await reader();
      await stage.world.add.newPassword(person.id, 'Another-Horse-8');
      return person.email;
    },
  ],
  [
    'domain-claimed',
    async () => {
      const domain = `${uniqueName('claimed')}.test`;
      const person = await reader({ userName: `lior@${domain}`, email: newAddress() });
      await stage.world.transaction(async (tx) =>
        stage.world.get(ClaimedNames).giveUp(tx, (await stage.world.cast.orgB).id, domain, EDITOR),
      );
      return person.email;
    },
  ],
  [
    'one-time-code',
    async () => {
      const { id: orgId } = await stage.orgWith('login', { forceMfa: true, secondFactors: ['otp_email'] });
      const person = await reader({ orgId });
      await stage.signIn(person);
      await stage.window.follow('button[name="factor"][value="otp_email"]');
      await stage.shows('input[name="code"]');
      return person.email;
    },
  ],
  [
    'registration-tried',
    async () => {
      const person = await reader({ orgId: stage.world.firstStart.orgId });
      await stage.begin({ prompt: 'create' });
      await stage.window.submit({ email: person.email, ...NAMES, password: PASSWORD });
      await stage.shows('input[name="code"]');
      return person.email;
    },
  ],
];

/** As a mail program shows it: with the pictures that came along, and nothing from elsewhere. */
async function show({ html = '', attachments }: TakenMail): Promise<void> {
  const whole = attachments.reduce(
    (text, { contentId, mimeType, content }) =>
      text.replaceAll(
        `cid:${contentId?.replaceAll(/[<>]/g, '')}`,
        `data:${mimeType};base64,${Buffer.from(content as ArrayBuffer).toString('base64')}`,
      ),
    html,
  );
  await stage.window.page.setContent(whole, { waitUntil: 'load' });
}

describe.each(LOCALES)('Mails as a mail server took them, in %s', (locale: Locale) => {
  beforeEach(async () => {
    language = locale.slice(0, 2);
    await stage.renew({ locale });
  });

  it.each(causes)(
    '%s is accessible, on a phone and a desktop, in light and dark mode, and fetches nothing',
    async (name, cause) => {
      const address = await cause();
      const mail = await stage.mailTo(address);
      await stage.renew({ locale });
      const { page } = stage.window;
      await page.goto('about:blank');
      const fetched: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith('data:')) fetched.push(request.url());
      });
      await show(mail);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          expect(await stage.window.isTooWide()).toBe(false);
          expect((await stage.window.accessibilityFindings()).filter((finding) => !OF_PAGES.test(finding))).toEqual([]);
          await photograph(stage.window, `mail-${name}.${locale}.${width}.${colorScheme}`);
        }
      }
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(
        await page
          .locator('img')
          .evaluateAll(
            (images) => (images as HTMLImageElement[]).filter(({ naturalWidth }) => naturalWidth === 0).length,
          ),
      ).toBe(0);
      expect(await page.locator('body').innerText()).toContain(NAMES.lastName);
      expect([fetched, stage.window.complaints]).toEqual([[], []]);
    },
  );
});
