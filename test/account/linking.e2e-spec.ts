import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { addOidc, comeBack, link, linksOf, OUTBOUND } from '../idp/external.js';
import { pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, statusOf } from './account-turns.js';

let world: World;
let upstream: Upstream;
/** Registers everyone who is unknown. */
let idpId: string;
let person: TestPerson;
let holder: AccountHolder;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  idpId = await addOidc(world, upstream.issuer, { autoRegister: true, name: 'Elsewhere' });
});

afterAll(async () => {
  await upstream.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1h');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
  holder = new AccountHolder(world, person);
});

/** As far as the provider: the address to which the browser goes. */
async function leave(of = holder): Promise<string> {
  const page = await of.open(paths.accountLinks);
  const { csrf } = page.formWith('provider').fields;
  const arrival = await of.browser.post(paths.accountLinks, { csrf, provider: idpId, decision: 'add' });
  if (arrival.redirect === undefined) throw new Error(`Not sent to the provider: ${arrival.page.text.slice(0, 200)}`);
  return arrival.redirect;
}

const back = async (url: string, sub: string, of = holder): Promise<Page> =>
  pageOf(await comeBack(of.browser, upstream.answerTo(url, { sub })));
const isLinked = async (sub: string): Promise<string | undefined> =>
  (await linksOf(world, idpId)).find(({ externalUserId }) => externalUserId === sub)?.userId;

describe('An account at a provider', () => {
  it('is linked from the account page, after a question, and its owner is told', async () => {
    const question = await back(await leave(), 'mine');
    expect([question.heading, await isLinked('mine')]).toEqual(['Link this account?', undefined]);
    const done = pageOf(await holder.browser.submit(question, { decision: 'link' }));
    expect([statusOf(done), await isLinked('mine')]).toEqual(['The account is linked.', person.id]);
    expect(await mailsTo(world, person.email)).toHaveLength(1);
    expect(statusOf(await back(await leave(), 'mine'))).toBe('The account is linked.');
  });

  it('is not linked if its owner declines', async () => {
    const question = await back(await leave(), 'declined');
    const done = pageOf(await holder.browser.submit(question, { decision: 'skip' }));
    expect([done.path, await isLinked('declined')]).toEqual([paths.accountLinks, undefined]);
  });

  it('that another user has is refused, and signs nobody in [ACC-007]', async () => {
    const other = await world.add.person({ orgId: person.orgId });
    await link(world, idpId, other.id, other.orgId, 'theirs');
    const refused = await back(await leave(), 'theirs');
    expect([refused.status, await isLinked('theirs')]).toEqual([403, other.id]);
    expect((await holder.open()).text).toContain(person.loginName);
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [other.id])).toEqual([]);
  });

  it('is linked only by the browser that left for it [ACC-007]', async () => {
    const stranger = new AccountHolder(world, await world.add.person({ orgId: person.orgId }));
    const url = await leave(stranger);
    await holder.open();
    const refused = await back(url, 'planted');
    expect([refused.status, await isLinked('planted')]).toEqual([400, undefined]);
  });

  it('needs a proof that is not older than ten minutes [ACC-007]', async () => {
    const page = await holder.open(paths.accountLinks);
    world.clock.advance('11m');
    const { csrf } = page.formWith('provider').fields;
    const asked = pageOf(await holder.browser.post(paths.accountLinks, { csrf, provider: idpId, decision: 'add' }));
    expect(asked.heading).toBe('Enter your password');
  });
});

it('Of many providers, the account page offers the first twenty and a search by name', async () => {
  const { id: orgId } = await world.add.org();
  for (let n = 100; n < 122; n += 1) await addOidc(world, upstream.issuer, { name: `School ${n}` }, orgId);
  await world.changesToArrive();
  const there = new AccountHolder(world, await world.add.person({ orgId }));
  const offered = (page: Page): string[] => page.all('button[value=add]').map(({ text }) => text);
  const page = await there.open(paths.accountLinks);
  expect(offered(page)).toHaveLength(20);
  const found = pageOf(await there.browser.submit(page, { providerName: 'SCHOOL 12' }));
  expect(offered(found)).toEqual(['Link School 120', 'Link School 121']);
});
