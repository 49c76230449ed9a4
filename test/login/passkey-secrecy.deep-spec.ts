import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { Authenticator } from '../support/authenticator.js';
import type { Arrival, Page } from '../support/browser.js';
import { RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { setPolicy } from './factor-turns.js';
import { answer, ORIGIN, withKey } from './passkey-turns.js';
import { begin, beginPassword, pageOf, withoutTokens } from './turns.js';

const FORGOT = 'Forgot your password?';
const LOST = 'I have lost my passkey';
const NEW = 'Another-Horse-8';

let world: World;
let web1: RelyingParty;
let orgId: string;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  // It would send a mail now during the answer, now after it.
  await world.get(MailWorker).onModuleDestroy();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  orgId = (await world.add.org()).id;
});

const scope = (): string => `openid urn:service:iam:org:id:${orgId}`;

/** A turn of a stranger who has a name: leads to a page, from which `act` goes on. */
type Turn = (client: RelyingParty, loginName: string) => Promise<() => Promise<Arrival>>;

const requested: Turn = async (client, loginName) => {
  const asking = pageOf(await client.browser.press(await beginPassword(client, loginName), FORGOT));
  return () => client.browser.submit(asking, { loginName });
};
const requestedKey: Turn = async (client, loginName) => {
  const asking = pageOf(await client.browser.press(await beginPassword(client, loginName, { scope: scope() }), LOST));
  return () => client.browser.submit(asking, { loginName });
};
/** The page on which another turn ends. */
const after = async (turn: Turn, client: RelyingParty, loginName: string): Promise<Page> =>
  pageOf(await (await turn(client, loginName))());

/** Each is made by strangers, and is the same for every account. */
const TURNS: ReadonlyArray<[what: string, turn: Turn, arePasswordsAllowed: boolean]> = [
  [
    'a name is typed',
    async (client, loginName) => {
      const page = await begin(client);
      return () => client.browser.submit(page, { loginName });
    },
    true,
  ],
  [
    'a name is typed where passwords are not allowed',
    async (client, loginName) => {
      const page = await begin(client, { scope: scope() });
      return () => client.browser.submit(page, { loginName });
    },
    false,
  ],
  [
    'a wrong password is typed',
    async (client, loginName) => {
      const page = await beginPassword(client, loginName);
      return () => client.browser.submit(page, { password: 'Wrong-Horse-1' });
    },
    true,
  ],
  [
    'a passkey is shown that is unknown',
    async (client, loginName) => {
      const page = await beginPassword(client, loginName);
      return () => answer(client, page, new Authenticator(ORIGIN));
    },
    true,
  ],
  [
    'the page for a forgotten password is opened',
    async (client, loginName) => {
      const page = await beginPassword(client, loginName);
      return () => client.browser.press(page, FORGOT);
    },
    true,
  ],
  ['the mail for a forgotten password is requested', requested, true],
  [
    'that mail is requested once more',
    async (client, loginName) => {
      const waiting = await after(requested, client, loginName);
      return () => client.browser.submit(waiting, { action: 'resend' });
    },
    true,
  ],
  [
    'a wrong code of that mail is typed',
    async (client, loginName) => {
      const waiting = await after(requested, client, loginName);
      return () => client.browser.submit(waiting, { code: 'WRONG1', password: NEW, passwordRepeat: NEW });
    },
    true,
  ],
  ['the mail for a lost passkey is requested', requestedKey, false],
  [
    'a wrong code of that mail for a lost passkey is typed',
    async (client, loginName) => {
      const waiting = await after(requestedKey, client, loginName);
      return () => client.browser.submit(waiting, { code: 'WRONGWRONG12' });
    },
    false,
  ],
];

describe('A stranger does not learn whether an account has a passkey [PKY-016]', () => {
  it.each(TURNS)('when %s: the page is the same, and so are the statements', async (_, turn, arePasswordsAllowed) => {
    if (!arePasswordsAllowed) {
      await setPolicy(world, orgId, { allowUsernamePassword: false });
      await world.changesToArrive();
    }
    const seen: Array<{ page: string; statements: readonly string[]; mails: readonly object[] }> = [];
    // The caches know the organization after the first two.
    for (const hasKey of [false, true, false, true]) {
      const person = await world.add.person({ orgId });
      if (hasKey) await withKey(world, person);
      const act = await turn(web1.elsewhere(), person.loginName);
      let arrival: Arrival | undefined;
      const statements = await statementsDuring(async () => {
        arrival = await act();
      });
      const page = withoutTokens(pageOf(arrival!).reply)
        .replaceAll('<wbr/>', '')
        .replaceAll(person.loginName, 'NAME')
        .replaceAll(encodeURIComponent(person.loginName), 'NAME')
        .replaceAll(/(challenge&quot;:&quot;|data-unknown=")[\w-]*/g, '$1');
      const mails = await world.rows(
        "SELECT kind FROM outbox WHERE user_id = $1 AND kind <> 'securityNotice' ORDER BY id",
        [person.id],
      );
      seen.push({ page, statements, mails });
    }
    expect(seen[2]!.statements).not.toEqual([]);
    expect(seen[3]).toEqual(seen[2]);
  });
});
