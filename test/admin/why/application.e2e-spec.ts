import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OtherStep, other } from '../../extension/login-steps.js';
import type { AdminApi, Json } from '../../support/admin-api.js';
import type { TestClient, TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';
import { dayOf, ilseOf, managerNamed, stepDecides, stepsOf, WhyStage } from './why-stage.js';

let world: World;
let stage: WhyStage;
let org: TestOrg;
let shopOrg: TestOrg;
let projectId: string;
let ada: AdminApi;
let shop: RelyingParty;
let client: TestClient;
let ilse: TestPerson;
let today: string;
let asked: Json;

beforeAll(async () => {
  world = await startWorld({ extensions: [other] });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
});
let count = 0;
beforeEach(async () => {
  world.clock.advance('20m');
  count += 1;
  org = await world.add.org(`acme-${count}.test`, `Acme ${count}`);
  shopOrg = await world.add.org(`shops-${count}.test`, `Shops ${count}`);
  projectId = await world.add.project({ orgId: shopOrg.id, name: 'Retail' }, ['buyer']);
  client = await world.add.client({ projectId, name: `Shop ${count}` });
  shop = new RelyingParty(world, client);
  ilse = await ilseOf(world, org.id);
  today = dayOf(world.clock.now());
  asked = { application: client.clientId };
});
afterEach(() => {
  OtherStep.does = {};
});
afterAll(() => world.close());

/** Changes settings of the project, as its owner does. */
const setProject = async (change: Json): Promise<void> => {
  const place = `/management/v1/projects/${projectId}`;
  await ada.about(shopOrg.id).call('PUT', place, { name: 'Retail', ...change });
  await world.changesToArrive();
};

describe('An application', () => {
  it('was deactivated: since when and by whom, and it takes sign-ins again once it is reactivated', async () => {
    const place = `/management/v1/projects/${projectId}/apps/${client.id}`;
    await ada.about(shopOrg.id).call('POST', `${place}/_deactivate`);
    await world.changesToArrive();
    const link = await stage.refusal(ilse, asked);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_APPLICATION_INACTIVE',
      `The application Shop ${count} has been deactivated since ${today} (by ada.admin): nobody can sign in to it.`,
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('is named by its id or its name as well, for those who may read it', async () => {
    const ids = [client.id, client.clientId];
    for (const application of ids)
      expect((await stage.explain(ilse, { application })).summary).toContain(`sign in to Shop ${count} with`);
    const atHome = await world.add.person({ orgId: shopOrg.id });
    expect((await stage.explain(atHome, { application: `Shop ${count}` })).summary).toContain(`to Shop ${count} with`);
    expect(
      await ada.about(org.id).verdict('POST', `/management/v1/users/${ilse.id}/_explain`, { application: 'Nowhere' }),
    ).toBe('404 client.not_found');
  });

  it('belongs to a project that was deactivated', async () => {
    await ada.about(shopOrg.id).call('POST', `/management/v1/projects/${projectId}/_deactivate`);
    await world.changesToArrive();
    const link = await stage.refusal(ilse, asked);
    expect(link.sentence).toBe(
      `The project Retail has been deactivated since ${today} (by ada.admin): nobody can sign in to its applications.`,
    );
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('asks people to agree, by its own setting', async () => {
    await world.rows('UPDATE client SET consent_page = true WHERE id = $1', [client.id]);
    await ada
      .about(shopOrg.id)
      .call('PUT', `/management/v1/projects/${projectId}/apps/${client.id}`, { name: 'Asking' });
    await world.changesToArrive();
    const explained = await stage.explain(ilse, asked);
    const link = explained.chain.at(-1)!;
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_CONSENT',
      'The application Asking asks people before it gets anything (the default, which nobody has changed). Ilse is asked to agree.',
    ]);
    expect(explained.canSignIn).toBe('CAN_SIGN_IN_YES_AFTER_STEPS');
    const walked = await stage.walk(shop, ilse);
    expect([walked.steps, walked.answer?.code]).toEqual([stepsOf(explained), expect.any(String)]);
    // Who has agreed once is not asked again.
    expect((await stage.explain(ilse, asked)).canSignIn).toBe('CAN_SIGN_IN_YES');
  });

  it('would not get all scopes that it asks for', async () => {
    const { chain } = await stage.explain(ilse, { ...asked, scopes: ['profil', 'email'] });
    expect(chain[0]).toMatchObject({
      code: 'SIGN_IN_LINK_CODE_SCOPES_DROPPED',
      sentence: 'The application would not get profil: unknown here, or not for this application.',
    });
  });

  it('wants an answer without any page', async () => {
    const link = await stage.refusal(ilse, { ...asked, prompts: ['none'] });
    expect(link.sentence).toBe(
      `Shop ${count} wants an answer without any page (prompt=none), and Ilse would have to see one.`,
    );
    expect(shop.toAnswer(await shop.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('asks for users of another organization', async () => {
    const scope = `urn:service:iam:org:id:${shopOrg.id}`;
    const link = await stage.refusal(ilse, { ...asked, scopes: [scope] });
    expect(link.sentence).toBe('The application asks by a scope for users of another organization than that of Ilse.');
    const atHome = await world.add.person({ orgId: shopOrg.id });
    expect((await stage.explain(atHome, { ...asked, scopes: [scope] })).canSignIn).toBe('CAN_SIGN_IN_YES');
    await stage.signIn(shop, atHome, { scope: `openid ${scope}` });
  });
});

describe('A project', () => {
  it('admits only users with a role: one is granted', async () => {
    await setProject({ projectRoleCheck: true });
    const atHome = await ilseOf(world, shopOrg.id);
    const link = await stage.refusal(atHome, asked);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_ROLE_MISSING',
      `Project Retail admits only users who have one of its roles (since ${today}, changed by ada.admin). Ilse has none.`,
    ]);
    expect((await stage.walk(shop.elsewhere(), atHome)).answer?.error).toBe('access_denied');
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, atHome);
  });

  it('admits a user again whose grant was deactivated', async () => {
    await setProject({ projectRoleCheck: true });
    const atHome = await world.add.person({ orgId: shopOrg.id });
    const grantId = await world.add.grant(atHome.id, projectId, shopOrg.id, ['buyer']);
    await ada.about(shopOrg.id).call('POST', `/management/v1/users/${atHome.id}/grants/${grantId}/_deactivate`);
    const link = await stage.refusal(atHome, asked);
    expect(link.mends.map(({ operationId }) => operationId)).toEqual(['ReactivateUserGrant', 'UpdateProjectV2']);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, atHome);
  });

  it('admits only organizations that it is granted to: it is granted', async () => {
    await setProject({ hasProjectCheck: true });
    const link = await stage.refusal(ilse, asked);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PROJECT_NOT_GRANTED',
      `Project Retail admits only users of its own organization and of those that it is granted to (since ${today}, changed by ada.admin). It is not granted to organization Acme ${count}.`,
    ]);
    expect((await stage.walk(shop.elsewhere(), ilse)).answer?.error).toBe('access_denied');
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });
});

describe('A project that is granted to the organization', () => {
  let otto: AdminApi;
  let grantId: string;

  beforeEach(async () => {
    otto = await managerNamed(world, org, `otto.of.${org.domain}`, ['ORG_OWNER']);
    const grant = { grantedOrgId: org.id, roleKeys: ['buyer'] };
    const place = `/management/v1/projects/${projectId}/grants`;
    ({ grantId } = await ada.about(shopOrg.id).call<{ grantId: string }>('POST', place, grant));
    await setProject({ projectRoleCheck: true, hasProjectCheck: true });
  });

  it('is named to its managers, who grant the role that is missing', async () => {
    const link = await stage.refusal(ilse, asked, otto);
    expect(link.sentence).toBe(
      `Project Retail, which is granted to organization Acme ${count}, admits only users who have one of its roles. Ilse has none.`,
    );
    expect(link.mends.map(({ operationId, isAllowed }) => [operationId, isAllowed])).toEqual([
      ['AddUserGrant', true],
      ['UpdateProjectV2', false],
    ]);
    await stage.mend(link.mends[0]!, otto);
    await stage.signIn(shop, ilse);
  });

  it('admits nobody by a grant that is inactive: its owner reactivates it', async () => {
    await stage.mend((await stage.refusal(ilse, asked, otto)).mends[0]!, otto);
    await ada.about(shopOrg.id).call('POST', `/management/v1/projects/${projectId}/grants/${grantId}/_deactivate`);
    await world.changesToArrive();
    const link = await stage.refusal(ilse, asked);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PROJECT_NOT_GRANTED',
      expect.stringMatching(/The grant to organization Acme \d+ is inactive\.$/),
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });
});

describe('A step of an extension', () => {
  it('refuses the user: the answer names the extension, and says so as long as it does', async () => {
    stepDecides(ilse, 'refuse');
    const link = await stage.refusal(ilse, asked);
    expect([link.code, link.step, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_EXTENSION_REFUSES',
      'ext/other/other',
      'The extension other refuses Ilse with its step other, from a network that it does not know. Ask whoever operates it.',
    ]);
    expect(link.rule).toMatchObject({ ownerType: 'EXPLAINED_OWNER_TYPE_EXTENSION', ruleOwnerId: 'other' });
    expect((await stage.walk(shop.elsewhere(), ilse)).answer?.error).toBe('access_denied');
    stepDecides(ilse, false);
    await stage.signIn(shop, ilse);
  });

  it('is asked with the network from which the user would come', async () => {
    const seen: string[] = [];
    OtherStep.does = {
      isDue: (turn: { browser: { address: string } }) => {
        seen.push(turn.browser.address);
        return turn.browser.address === '203.0.113.7' ? 'refuse' : false;
      },
    };
    expect((await stage.explain(ilse, asked)).canSignIn).toBe('CAN_SIGN_IN_YES');
    expect((await stage.refusal(ilse, { ...asked, network: '203.0.113.7' })).code).toBe(
      'SIGN_IN_LINK_CODE_EXTENSION_REFUSES',
    );
    expect(seen).toEqual(['0.0.0.0', '203.0.113.7']);
  });

  it('demands a second factor', async () => {
    stepDecides(ilse, 'second-factor');
    const explained = await stage.explain(ilse, asked);
    const link = explained.chain.find(({ code }) => code === 'SIGN_IN_LINK_CODE_SECOND_FACTOR_MISSING')!;
    expect(link.sentence).toMatch(/^An extension requires a second factor. Ilse has none and will be asked/);
    const walked = await stage.walk(shop, ilse);
    expect([walked.steps, walked.answer?.code]).toEqual([stepsOf(explained), expect.any(String)]);
  });

  it('does not answer: nobody gets past it', async () => {
    OtherStep.does = {
      isDue: () => {
        throw new Error('broken');
      },
    };
    const link = await stage.refusal(ilse, asked);
    expect(link.code).toBe('SIGN_IN_LINK_CODE_EXTENSION_UNAVAILABLE');
  });
});
