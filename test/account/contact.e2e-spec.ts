import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { errorsOf, pageOf } from '../login/turns.js';
import { Browser, type Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, statusOf } from './account-turns.js';

let world: World;
let holder: AccountHolder;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

let addresses = 0;
const newAddress = (): string => `new-${(addresses += 1)}@mail.test`;

beforeEach(async () => {
  world.clock.advance('2h');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
  holder = new AccountHolder(world, person);
});

const ask = async (page: Page, email: string): Promise<Page> =>
  pageOf(await holder.browser.submit(page, { email, decision: 'email' }));
const type = async (page: Page, code: string): Promise<Page> =>
  pageOf(await holder.browser.submit(page, { code, decision: 'code' }));
const codeTo = async (email: string): Promise<string> => codeIn(world, await lastMailTo(world, email));
const emailOf = async (): Promise<string | undefined> => {
  const [row] = await world.rows<{ email: string }>('SELECT email FROM user_account WHERE id = $1', [person.id]);
  return row?.email;
};
const subjectsTo = async (address: string): Promise<string[]> =>
  (await mailsTo(world, address)).map(({ subject }) => subject);

describe('A change of the e-mail address', () => {
  it('takes effect with the code that the new address receives; the old one is told twice [ACC-004]', async () => {
    const email = newAddress();
    const asked = await ask(await holder.open(paths.accountContact), email);
    expect(asked.text).toContain(`Until you enter it here, ${person.email} stays your address.`);
    expect(await emailOf()).toBe(person.email);
    expect(await subjectsTo(person.email)).toEqual(['Your account was changed']);
    expect((await lastMailTo(world, person.email)).text).toContain(email);
    const done = await type(asked, await codeTo(email));
    expect(statusOf(done)).toBe('Your new e-mail address is confirmed.');
    expect(await emailOf()).toBe(email);
    expect(await subjectsTo(person.email)).toHaveLength(2);
    expect(await subjectsTo(email)).toHaveLength(1);
  });

  it('fills in the code of the link, in another browser after the sign-in only [ACC-005]', async () => {
    const email = newAddress();
    await ask(await holder.open(paths.accountContact), email);
    const { pathname, search } = linkIn(await lastMailTo(world, email));
    const elsewhere = new AccountHolder(world, person, new Browser(world));
    const first = pageOf(await elsewhere.browser.get(`${pathname}${search}`));
    expect([first.heading, await emailOf()]).toEqual(['Sign in', person.email]);
    const page = await elsewhere.prove(first);
    expect(page.find('input[name="code"]')?.getAttribute('value')).toBe(await codeTo(email));
    expect(await emailOf()).toBe(person.email);
  });

  it('accepts the newest code only, once, also of two at once [ACC-005]', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const page = await ask(await ask(await holder.open(paths.accountContact), first), second);
    expect(errorsOf(await type(page, await codeTo(first)))).toHaveLength(1);
    const code = await codeTo(second);
    const answers = await Promise.all([type(page, code), type(page, code)]);
    expect(answers.map((answer) => statusOf(answer) === 'Your new e-mail address is confirmed.').sort()).toEqual([
      false,
      true,
    ]);
    expect(await emailOf()).toBe(second);
  });

  it('ends with the tenth wrong code, after an hour, and when it is cancelled [ACC-005]', async () => {
    const email = newAddress();
    const page = await ask(await holder.open(paths.accountContact), email);
    const code = await codeTo(email);
    for (let n = 0; n < 10; n += 1) await type(page, 'WRONG2');
    expect(errorsOf(await type(page, code))).toHaveLength(1);

    const again = await ask(page, email);
    world.clock.advance('61m');
    await world.get(HousekeepingService).run();
    const late = await holder.prove(await type(again, await codeTo(email)));
    expect([late.find('input[name="code"]'), await emailOf()]).toEqual([null, person.email]);

    const third = await ask(late, email);
    const cancelled = pageOf(await holder.browser.submit(third, { code: '', decision: 'cancel' }));
    expect(statusOf(cancelled)).toBe('The change is cancelled. Your address stays as it is.');
  });

  it('answers the same, no matter who has the address, and refuses what is none [ACC-004]', async () => {
    const other = await world.add.person({ orgId: (await world.cast.orgA).id });
    const page = await holder.open(paths.accountContact);
    const free = newAddress();
    const [taken, unknown] = [await ask(page, other.email), await ask(page, free)];
    expect(taken.text.replaceAll(other.email, '')).toBe(unknown.text.replaceAll(free, ''));
    expect(errorsOf(await ask(page, person.email))).toEqual(['This is your e-mail address already.']);
    for (const wrong of ['nobody', 'a@b\nBcc: c@d.test', `${'x'.repeat(300)}@mail.test`, 'a b@mail.test'])
      expect([wrong, errorsOf(await ask(page, wrong))]).toEqual([
        wrong,
        ['Enter an e-mail address in the form name@example.com.'],
      ]);
  });

  it('shows a look-alike domain in ASCII [ACC-004]', async () => {
    await ask(await holder.open(paths.accountContact), 'somebody@m\u0430il.test');
    expect((await lastMailTo(world, person.email)).text).toContain('somebody@xn--mil-6cd.test');
  });
});

describe('The phone number', () => {
  it('is stored as not proven, with its country, and removed when it is emptied', async () => {
    const page = await holder.open(paths.accountContact);
    const set = async (phone: string): Promise<Page> =>
      pageOf(await holder.browser.submit(page, { phone, decision: 'phone' }));
    expect(errorsOf(await set('030 1234567'))).toEqual([
      'Enter a number with its country, such as +49\u00A030\u00A01234567.',
    ]);
    expect(statusOf(await set('+49 30 1234567'))).toBe('Your phone number is saved.');
    const stored = 'SELECT phone, phone_verified AS "isProven" FROM user_account WHERE id = $1';
    expect(await world.rows(stored, [person.id])).toEqual([{ phone: '+49301234567', isProven: false }]);
    await set('');
    expect(await world.rows(stored, [person.id])).toEqual([{ phone: '', isProven: false }]);
    expect(await subjectsTo(person.email)).toHaveLength(2);
  });
});
