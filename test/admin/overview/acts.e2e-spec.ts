import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../../src/org/instance/paths.js';
import { tokenOf } from '../../account/account-stage.js';
import { AccountHolder } from '../../account/account-turns.js';
import { addOidc, OUTBOUND } from '../../idp/external.js';
import { pageOf, setState } from '../../login/turns.js';
import type { Page } from '../../support/browser.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { mailsTo } from '../../support/mails.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';
import { startWorld, type World } from '../../support/world.js';
import { Manager } from './manager.js';

let world: World;
let upstream: Upstream;
let acme: TestOrg;
let owner: Manager;
let ownerOfAcme: Manager;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  acme = await world.add.org(undefined, 'Acme');
  owner = await Manager.of(world, await world.cast.orgA, 'IAM_OWNER');
  ownerOfAcme = await Manager.of(world, acme, 'ORG_OWNER');
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

const newPerson = async (): Promise<TestPerson> => world.add.person({ orgId: acme.id });
const actOn = ({ id }: TestPerson, word: string): string => `${paths.overviewPeople}/${id}/${word}`;
const stateOf = async ({ id }: TestPerson): Promise<string | undefined> =>
  (await world.rows<{ state: string }>('SELECT state FROM user_account WHERE id = $1', [id]))[0]?.state;
const noticeOf = (page: Page): string | undefined => page.find('.notice-done')?.text;

describe('The actions of the overview', () => {
  it('unlock, deactivate and reactivate an account, as their operations do, with the manager as the author', async () => {
    const person = await newPerson();
    await setState(world, person, 'locked');
    expect(noticeOf(await ownerOfAcme.act(actOn(person, 'unlock')))).toBe('The account is unlocked.');
    expect(await stateOf(person)).toBe('active');
    expect(noticeOf(await ownerOfAcme.act(actOn(person, 'deactivate')))).toBe('The account is deactivated.');
    expect(await stateOf(person)).toBe('inactive');
    expect(noticeOf(await ownerOfAcme.act(actOn(person, 'reactivate')))).toBe('The account is active again.');
    const events = await world.rows<{ type: string; editor_id: string }>(
      `SELECT type, editor_id FROM event WHERE aggregate_id = $1 AND type LIKE 'user.state%' AND editor_id = $2`,
      [person.id, ownerOfAcme.id],
    );
    expect(events).toHaveLength(3);
  });

  it('send the mail for a new password', async () => {
    const person = await newPerson();
    await ownerOfAcme.act(actOn(person, 'reset-mail'));
    expect(await mailsTo(world, person.email)).toHaveLength(1);
  });

  it('send the invitation again to somebody whose account is not set up', async () => {
    const person = await world.add.person({ orgId: acme.id, password: '' });
    await world.rows(`UPDATE user_account SET state = 'initial', awaits_set_up = true WHERE id = $1`, [person.id]);
    const card = await ownerOfAcme.open(`${paths.overviewPeople}/${person.id}`);
    expect(card.ways.map(({ to }) => to)).toContain(actOn(person, 'resend-invitation'));
    await ownerOfAcme.act(actOn(person, 'resend-invitation'));
    expect(await mailsTo(world, person.email)).toHaveLength(1);
  });

  it('end all sessions of a person', async () => {
    const person = await newPerson();
    const rp = new RelyingParty(world, await world.cast.web1);
    const tokens = await rp.tokens(person);
    await ownerOfAcme.act(actOn(person, 'end-sessions'));
    expect((await rp.introspect(tokens.access_token)).json()).toEqual({ active: false });
  });

  it('send a mail again that was given up', async () => {
    const person = await newPerson();
    await ownerOfAcme.act(actOn(person, 'reset-mail'));
    await mailsTo(world, person.email);
    await world.rows(`UPDATE outbox SET state = 'dead', reason = 'refused' WHERE user_id = $1`, [person.id]);
    const card = await owner.open(`${paths.overviewPeople}/${person.id}`);
    const resend = card.ways.map(({ to }) => to).find((to) => to.endsWith('/resend'));
    expect(noticeOf(await owner.act(resend ?? ''))).toBe('The e-mail is on its way again.');
    await mailsTo(world, person.email);
    expect(await world.rows('SELECT state FROM outbox WHERE user_id = $1', [person.id])).toEqual([{ state: 'sent' }]);
    expect((await ownerOfAcme.open(`${paths.overviewPeople}/${person.id}`)).ways.map(({ to }) => to)).not.toContain(
      resend,
    );
    expect((await ownerOfAcme.open(resend ?? '')).status).toBe(404);
  });

  it('test a provider, and remember how that went', async () => {
    const idpId = await addOidc(world, upstream.issuer, { name: 'Corp' });
    const path = `/ui/admin/providers/${idpId}/test`;
    expect((await owner.act(path)).heading).toBe('Corp works');
    expect((await owner.open(paths.overviewApplications)).text).toContain('It works');
    upstream.lies = { discovery: { issuer: 'https://elsewhere.test' } };
    expect((await owner.act(path)).heading).toBe('Corp does not work');
    expect((await owner.open(paths.overviewApplications)).text).toContain('It does not work');
    upstream.lies = {};
    expect((await ownerOfAcme.open(path)).status).toBe(404);
  });
});

describe('Before an action', () => {
  it('is a question, which changes nothing, and offers the operation instead', async () => {
    const person = await newPerson();
    const question = await ownerOfAcme.open(actOn(person, 'deactivate'));
    expect(question.heading).toMatch(/Deactivate/);
    expect(question.ways.map(({ to }) => to)).toContain(`/docs#/Users/DeactivateUser?id=${person.id}&x-org=${acme.id}`);
    expect(await stateOf(person)).toBe('active');
  });

  it('is a fresh proof, as the account page asks for one [OVW-006]', async () => {
    const person = await newPerson();
    const manager = await Manager.of(world, acme, 'ORG_OWNER');
    const question = await manager.open(actOn(person, 'deactivate'));
    world.clock.advance('1h');
    const late = pageOf(await manager.holder.browser.submit(question, {}));
    expect(late.find('input[name="password"]')).not.toBeNull();
    expect(await stateOf(person)).toBe('active');
    expect((await manager.holder.prove(late)).heading).toBe(question.heading);
    expect((await manager.open(`${paths.overviewPeople}/${person.id}`)).status).toBe(200);
  });

  it('comes the token of this form: of no other page, user or origin [OVW-001]', async () => {
    const person = await newPerson();
    const path = actOn(person, 'deactivate');
    const { browser } = ownerOfAcme.holder;
    const other = tokenOf(await ownerOfAcme.open(actOn(await newPerson(), 'deactivate')));
    const foreign = tokenOf(await owner.open(path));
    const own = tokenOf(await ownerOfAcme.open(path));
    for (const fields of [{}, other, foreign]) expect((await browser.request('POST', path, fields)).status).toBe(403);
    const elsewhere = { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.request('POST', path, own, elsewhere)).status).toBe(403);
    expect(await stateOf(person)).toBe('active');
  });

  it('is for the account that it was shown to, if the browser has several [OVW-001]', async () => {
    const person = await newPerson();
    const path = actOn(person, 'deactivate');
    const first = await Manager.of(world, acme, 'ORG_OWNER');
    const token = tokenOf(await first.open(path));
    const { browser } = first.holder;
    const second = new AccountHolder(world, ownerOfAcme.holder.person, browser);
    const chooser = pageOf(await browser.get(paths.accountSwitch));
    await second.prove(pageOf(await browser.press(chooser, 'Use another account')));
    expect(pageOf(await browser.get(paths.overview)).text).toContain(ownerOfAcme.holder.person.loginName);
    expect((await browser.request('POST', path, token)).status).toBe(403);
    expect(await stateOf(person)).toBe('active');
  });

  it('is a form as it was made: not too long, without repetitions, and of the type of forms', async () => {
    const person = await newPerson();
    const path = actOn(person, 'deactivate');
    const token = tokenOf(await ownerOfAcme.open(path));
    const { browser } = ownerOfAcme.holder;
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`field${index}`, 'x']));
    const long = { ...token, more: 'x'.repeat(70_000) };
    for (const fields of [{ ...many, ...token }, long])
      expect([400, 413]).toContain((await browser.request('POST', path, fields)).status);
    expect((await browser.request('POST', path)).status).toBe(400);
    expect(await stateOf(person)).toBe('active');
  });
});

describe('An action that is refused', () => {
  it('says why, on its question', async () => {
    const person = await newPerson();
    const page = await ownerOfAcme.act(actOn(person, 'unlock'));
    expect(page.status).toBe(409);
    expect(page.text).toContain('not locked');
  });

  it('is one on somebody with more rights than the manager [OVW-002]', async () => {
    const chief = await Manager.of(world, acme, 'IAM_OWNER');
    const page = await ownerOfAcme.act(actOn(chief.holder.person, 'deactivate'));
    expect(page.status).toBe(409);
    expect(await stateOf(chief.holder.person)).toBe('active');
  });

  it('is one of a manager whose role has ended since the question [OVW-003]', async () => {
    const person = await newPerson();
    const manager = await Manager.of(world, acme, 'ORG_OWNER');
    const question = await manager.open(actOn(person, 'deactivate'));
    await world.rows('DELETE FROM member WHERE user_id = $1', [manager.id]);
    const reply = await manager.holder.browser.request('POST', question.path, tokenOf(question));
    expect(reply.status).toBe(404);
    expect(await stateOf(person)).toBe('active');
  });
});
