import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chosen, open } from '../../login/init-turns.js';
import { invite, linkTo } from '../../login/invited.js';
import { setEmail, setState } from '../../login/turns.js';
import type { AdminApi } from '../../support/admin-api.js';
import { PASSWORD, type TestOrg, type TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';
import { dayOf, ilseOf, managerNamed, NEW_PASSWORD, stepsOf, WhyStage } from './why-stage.js';

let world: World;
let stage: WhyStage;
let org: TestOrg;
let ada: AdminApi;
let shop: RelyingParty;
let ilse: TestPerson;
let today: string;

beforeAll(async () => {
  world = await startWorld();
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
});
beforeEach(async () => {
  world.clock.advance('20m');
  org = await world.add.org();
  shop = new RelyingParty(world, await world.cast.web1);
  ilse = await ilseOf(world, org.id);
  today = dayOf(world.clock.now());
});
afterAll(() => world.close());

const users = (path: string): string => `/management/v1/users/${ilse.id}${path}`;
const application = 'web1';

describe('A person with nothing in the way', () => {
  it('can sign in: the answer names the pages in order, and what the person has', async () => {
    const explained = await stage.explain(ilse, { application });
    expect(explained).toEqual({
      canSignIn: 'CAN_SIGN_IN_YES',
      summary: 'Ilse can sign in to web1 with the password.',
      chain: [
        {
          code: 'SIGN_IN_LINK_CODE_LOGIN_NAME',
          effect: 'SIGN_IN_LINK_EFFECT_ASKS',
          sentence: `Ilse is asked for the login name, which is ${ilse.loginName}.`,
          step: 'login-name',
          mends: [],
        },
        {
          code: 'SIGN_IN_LINK_CODE_PASSWORD',
          effect: 'SIGN_IN_LINK_EFFECT_ASKS',
          sentence: 'Ilse is asked for the password.',
          step: 'password',
          mends: [],
        },
      ],
      limits: [],
      failures: [],
      factors: [{ kind: 'password', count: 1 }],
    });
    await stage.signIn(shop, ilse);
  });
});

describe('An account that is shut', () => {
  it('was locked by a manager: since when and by whom, and unlocking lets the person in', async () => {
    await ada.about(org.id).call('POST', users('/_lock'));
    const link = await stage.refusal(ilse);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_USER_LOCKED',
      `Ilse has been locked since ${today} (by ada.admin).`,
    ]);
    expect(link.rule).toMatchObject({ ownerType: 'EXPLAINED_OWNER_TYPE_USER', changedByName: 'ada.admin' });
    expect(link.mends).toEqual([
      {
        operationId: 'UnlockUser',
        parameters: { id: ilse.id },
        orgId: org.id,
        isAllowed: true,
        permission: 'user.write',
      },
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('was deactivated', async () => {
    await ada.about(org.id).call('POST', users('/_deactivate'));
    const link = await stage.refusal(ilse);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_USER_INACTIVE',
      `Ilse has been deactivated since ${today} (by ada.admin).`,
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('was never set up: the invitation goes out again, and its link lets the person in', async () => {
    const invited = await invite(world, org.id);
    const person = { ...ilse, ...invited, orgId: org.id, password: PASSWORD };
    const link = await stage.refusal(person);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_USER_NOT_SET_UP',
      'The account of Ilse Brandt has not been set up yet: Ilse Brandt must open the link of the invitation and choose a password first.',
    ]);
    await stage.mend(link.mends[0]!);
    await shop.browser.submit(await open(shop, await linkTo(world, invited.email)), chosen);
    await stage.signIn(shop, { ...person, loginName: `${invited.userName}@${org.domain}` });
  });

  it('belongs to an organization that is inactive', async () => {
    await ada.about(org.id).call('POST', '/management/v1/orgs/me/_deactivate');
    const link = await stage.refusal(ilse);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_ORGANIZATION_INACTIVE',
      `Organization ${org.domain} has been inactive since ${today} (by ada.admin): none of its users can sign in.`,
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('is shut in two ways: both are named, so that nobody has to ask twice', async () => {
    await ada.about(org.id).call('POST', users('/_lock'));
    await ada.about(org.id).call('POST', '/management/v1/orgs/me/_deactivate');
    const { chain } = await stage.explain(ilse);
    expect(chain.map(({ code }) => code)).toEqual([
      'SIGN_IN_LINK_CODE_ORGANIZATION_INACTIVE',
      'SIGN_IN_LINK_CODE_USER_LOCKED',
    ]);
    for (const { mends } of chain) await stage.mend(mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('was removed: there is nobody to explain anything about', async () => {
    await ada.about(org.id).call('DELETE', users(''));
    expect(await ada.about(org.id).verdict('POST', users('/_explain'), {})).toBe('404 user.not_found');
    expect(await ada.verdict('POST', `/admin/v1/users/${ilse.id}/_explain`, {})).toBe('404 user.not_found');
  });

  it('is that of a program, which never signs in on a page', async () => {
    const { id } = await world.add.service({ orgId: org.id, userName: 'reports' });
    const { chain, summary, factors } = await stage.explain({ id, orgId: org.id });
    expect([chain[0]!.code, factors]).toEqual(['SIGN_IN_LINK_CODE_NOT_PERSON', []]);
    expect(summary).toContain('reports is a service user, not a person');
  });
});

describe('A login name', () => {
  const DOMAIN = 'userLoginMustBeDomain';

  it('needs its domain by the domain policy of the organization', async () => {
    await ada.call('POST', `/admin/v1/orgs/${org.id}/policies/domain`, { orgId: org.id, [DOMAIN]: true });
    const asked = { loginName: ilse.userName };
    const link = await stage.refusal(ilse, asked);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_LOGIN_NAME_UNKNOWN',
      `The domain policy of organization ${org.domain} demands login names with the domain of the organization (since ${today}, changed by ada.admin). Ilse signs in with ${ilse.loginName}.`,
    ]);
    expect(link.rule).toMatchObject({ setting: DOMAIN, ownerName: org.domain, ruleOwnerId: org.id });
    await stage.signIn(shop, ilse);
    await stage.mend(link.mends[0]!);
    expect((await stage.explain(ilse, asked)).canSignIn).toBe('CAN_SIGN_IN_YES');
    await stage.signIn(shop, { ...ilse, loginName: ilse.userName });
  });

  it('is no e-mail address while that is not verified', async () => {
    await setEmail(world, ilse, 'ilse@elsewhere.test');
    const link = await stage.refusal(ilse, { loginName: 'ilse@elsewhere.test' });
    expect(link.sentence).toBe(
      `Nobody signs in with an e-mail address that is not verified. Ilse signs in with ${ilse.loginName}.`,
    );
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, { ...ilse, loginName: 'ilse@elsewhere.test' });
  });

  it('that leads elsewhere or nowhere has one answer, which says nothing of other accounts [ADM-064]', async () => {
    const otto = await world.add.person({ orgId: (await world.cast.orgB).id });
    for (const loginName of [otto.loginName, 'nobody@nowhere.test']) {
      const link = await stage.refusal(ilse, { loginName });
      expect(link.sentence).toBe(
        `The login name ${loginName} does not lead to Ilse. Ilse signs in with ${ilse.loginName}.`,
      );
      expect([link.rule, link.mends]).toEqual([undefined, []]);
    }
  });
});

describe('A step that is still to be taken', () => {
  it('is the e-mail address: a code is typed, or a manager says that the address is right', async () => {
    await setEmail(world, ilse, ilse.email);
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [ilse.id]);
    const explained = await stage.explain(ilse);
    expect([explained.canSignIn, explained.summary]).toEqual([
      'CAN_SIGN_IN_YES_AFTER_STEPS',
      'Ilse can sign in with the password, after 1 more step: verify the e-mail address.',
    ]);
    const link = explained.chain.at(-1)!;
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_EMAIL_UNVERIFIED',
      'The e-mail address of Ilse has not been verified. Ilse gets a code there and must type it before going on.',
    ]);
    await stage.mend(link.mends[0]!);
    expect((await stage.walk(shop, ilse)).steps).toEqual(['login-name', 'password']);
  });

  it('is a new password, because a manager has set the present one', async () => {
    await ada.about(org.id).call('POST', users('/password'), { password: PASSWORD });
    const explained = await stage.explain(ilse);
    expect(explained.summary).toBe('Ilse can sign in with the password, after 1 more step: choose a new password.');
    expect(explained.chain.at(-1)).toMatchObject({
      code: 'SIGN_IN_LINK_CODE_PASSWORD_CHANGE_REQUIRED',
      sentence: `Ilse must choose a new password, because the present one was set by somebody else (since ${today}, changed by ada.admin).`,
    });
    const walked = await stage.walk(shop, ilse);
    expect([walked.steps, walked.answer?.code]).toEqual([stepsOf(explained), expect.any(String)]);
    await stage.signIn(shop, { ...ilse, password: NEW_PASSWORD });
  });

  it('is a new password, because the present one has expired by a policy of the organization', async () => {
    await ada.about(org.id).call('POST', '/management/v1/policies/password/age', { maxAgeDays: 30, expireWarnDays: 0 });
    expect((await stage.explain(ilse)).canSignIn).toBe('CAN_SIGN_IN_YES');
    world.clock.advance('31d');
    const explained = await stage.explain(ilse);
    expect(explained.chain.at(-1)).toMatchObject({
      code: 'SIGN_IN_LINK_CODE_PASSWORD_EXPIRED',
      sentence: `The password age policy of organization ${org.domain} lets passwords expire after 30 days (since ${today}, changed by ada.admin). The password of Ilse has expired, and Ilse must choose a new one.`,
    });
    const walked = await stage.walk(shop, ilse);
    expect([walked.steps, walked.answer?.code]).toEqual([stepsOf(explained), expect.any(String)]);
  });
});

describe('A password that is not there', () => {
  it('is chosen by the link of a mail', async () => {
    const otto = await ilseOf(world, org.id, { password: '' });
    await setState(world, otto, 'active');
    const link = await stage.refusal(otto, { method: 'SIGN_IN_METHOD_PASSWORD' });
    expect([link.code, link.sentence]).toEqual(['SIGN_IN_LINK_CODE_PASSWORD_NOT_SET', 'Ilse has no password.']);
    await stage.mend(link.mends[0]!);
    await shop.browser.submit(await open(shop, await linkTo(world, otto.email)), chosen);
    await stage.signIn(shop, { ...otto, password: PASSWORD });
  });
});
