import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { CLAIMS, type ClaimsContributor, type JsonValue } from '../../../src/token/claims/claims-contributor.js';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import type { TestClient, TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';
import { ilseOf, type Mend, managerNamed, type Rule, WhyStage } from './why-stage.js';

const COST = 'https://acme.example/cost_centre';

/** An extension with a claim about users, if it has something to say. */
@Injectable()
class CostCentres implements ClaimsContributor {
  static value: string | undefined;
  readonly scopes = ['cost'];
  readonly claims = [COST];

  async contribute(): Promise<Readonly<Record<string, JsonValue>>> {
    return CostCentres.value === undefined ? {} : { [COST]: CostCentres.value };
  }
}

@Module({ providers: [CostCentres] })
class CostModule {}

const cost = defineExtension({
  id: 'cost',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: CostModule,
  provides: [provide(CLAIMS, CostCentres)],
});

interface TokenLink {
  readonly code: string;
  readonly isPresent: boolean;
  readonly claim: string;
  readonly role: string;
  readonly tokens: readonly string[];
  readonly sentence: string;
  readonly rule?: Rule;
  readonly mends: readonly Mend[];
}

interface Explained {
  readonly summary: string;
  readonly links: readonly TokenLink[];
}

let world: World;
let stage: WhyStage;
let org: TestOrg;
let projectId: string;
let ada: AdminApi;
let client: TestClient;
let ilse: TestPerson;

beforeAll(async () => {
  world = await startWorld({ extensions: [cost] });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
});
let count = 0;
beforeEach(async () => {
  world.clock.advance('20m');
  count += 1;
  org = await world.add.org(`acme-${count}.test`, `Acme ${count}`);
  projectId = await world.add.project({ orgId: org.id, name: 'Retail' }, ['buyer', 'seller']);
  client = await world.add.client({ projectId, name: 'Shop' });
  ilse = await ilseOf(world, org.id);
});
afterAll(() => world.close());

const explain = async (asked: Json, as = ada): Promise<Explained> =>
  as.about(org.id).call('POST', `/management/v1/projects/${projectId}/apps/${client.id}/_explain_token`, {
    userId: ilse.id,
    scopes: ['openid', 'email'],
    ...asked,
  });
const buyer = { role: 'buyer' };
/** What the tokens of a real sign-in say. */
const realTokens = async (scope: string): Promise<{ idToken: object; userinfo: object }> => {
  const shop = new RelyingParty(world, client);
  const { code } = await shop.signIn(ilse, { scope });
  const tokens = (await shop.redeem(code!)).json<{ id_token: string; access_token: string }>();
  const userinfo = (await shop.userinfo(tokens.access_token)).json<object>();
  return { idToken: await shop.verify(tokens.id_token), userinfo };
};

describe('Everything that would be in the tokens', () => {
  it('has a rule that put it there', async () => {
    await world.add.grant(ilse.id, projectId, org.id, ['buyer']);
    const { summary, links } = await explain({ scopes: ['openid', 'email', 'urn:service:iam:org:project:role:buyer'] });
    expect(summary).toMatch(/^The tokens have \d+ claims and 1 role\.$/);
    const by = (claim: string): TokenLink => links.find((link) => link.claim === claim)!;
    expect([by('sub').code, by('email').code, by('urn:service:iam:org:project:roles').code]).toEqual([
      'TOKEN_LINK_CODE_PROTOCOL',
      'TOKEN_LINK_CODE_SCOPE',
      'TOKEN_LINK_CODE_ROLE_SCOPE',
    ]);
    expect(by('email').sentence).toBe('email is in userinfo and introspection: the scope email gives it.');
    const role = links.find((link) => link.role === 'buyer')!;
    expect([role.code, role.sentence]).toEqual([
      'TOKEN_LINK_CODE_GRANT',
      expect.stringMatching(
        new RegExp(`^The role buyer is in .*: organization Acme ${count} has granted it to Ilse \\(.*\\)\\.$`),
      ),
    ]);
  });

  it('is told by the group that gives a role', async () => {
    const { groupId } = await ada
      .about(org.id)
      .call<{ groupId: string }>('POST', '/management/v1/groups', { name: 'Staff' });
    await ada.about(org.id).call('POST', `/management/v1/groups/${groupId}/members`, { userIds: [ilse.id] });
    await ada.about(org.id).call('POST', `/management/v1/groups/${groupId}/grants`, { projectId, roleKeys: ['buyer'] });
    const { links } = await explain({ ...buyer, scopes: ['openid', 'urn:service:iam:org:project:role:buyer'] });
    expect([links[0]!.code, links[0]!.sentence]).toEqual([
      'TOKEN_LINK_CODE_GROUP_GRANT',
      expect.stringContaining('has granted it to the group Staff, of which Ilse is a member'),
    ]);
  });
});

describe('A claim that is missing', () => {
  it.each([
    ['phone_number', 'SCOPE_NOT_ASKED', 'The request does not ask for the scope phone, which gives phone_number.'],
    ['nonce', 'ONLY_IN_REAL_TOKENS', 'nonce is in tokens that are issued; a preview leaves it out.'],
    [
      'cost_centre',
      'CLAIM_UNKNOWN',
      'Nothing here makes a claim cost_centre: neither a scope nor an extension that is loaded.',
    ],
    [
      'entitlements',
      'RESERVED',
      'The meaning of entitlements is fixed by a standard or by the service, and nothing gives it here.',
    ],
  ])('has the first reason in a sentence: %s', async (claim, code, sentence) => {
    const { links, summary } = await explain({ claim });
    expect(links).toEqual([
      { code: `TOKEN_LINK_CODE_${code}`, isPresent: false, claim, role: '', tokens: [], sentence, mends: [] },
    ]);
    expect(summary).toBe(`${claim} is in no token. ${sentence}`);
  });

  it('has no value', async () => {
    const { links } = await explain({ claim: 'phone_number', scopes: ['openid', 'phone'] });
    expect([links[0]!.code, links[0]!.sentence]).toEqual([
      'TOKEN_LINK_CODE_NO_VALUE',
      'The scope phone was granted, but Ilse has nothing to say as phone_number.',
    ]);
  });

  it('is that of an extension, which is not asked, has nothing to say, or says it', async () => {
    const codeOf = async (scopes: string[]): Promise<string> => (await explain({ claim: COST, scopes })).links[0]!.code;
    expect(await codeOf(['openid'])).toBe('TOKEN_LINK_CODE_SCOPE_NOT_ASKED');
    expect(await codeOf(['openid', 'cost'])).toBe('TOKEN_LINK_CODE_EXTENSION_SILENT');
    CostCentres.value = '4711';
    const { links } = await explain({ claim: COST, scopes: ['openid', 'cost'] });
    expect(links[0]!.sentence).toBe(`${COST} is in the ID token and userinfo: the extension cost puts it there.`);
    CostCentres.value = undefined;
  });

  it('is not in the ID token: one setting of the application puts it there', async () => {
    const { links, summary } = await explain({ claim: 'email' });
    expect(summary).toBe(
      'email is in userinfo and introspection. email is not in the ID token. The application Shop reads the claims of its scopes from userinfo (the default, which nobody has changed).',
    );
    const before = await realTokens('openid email');
    expect([before.idToken, before.userinfo]).toEqual([
      expect.not.objectContaining({ email: ilse.email }),
      expect.objectContaining({ email: ilse.email }),
    ]);
    await stage.mend(links[1]!.mends[0]!);
    expect((await realTokens('openid email')).idToken).toMatchObject({ email: ilse.email });
    expect((await explain({ claim: 'email' })).links.map(({ code }) => code)).toEqual(['TOKEN_LINK_CODE_SCOPE']);
  });
});

describe('A role that is missing', () => {
  it('does not exist, is not granted, is not asked for: each answer leads one step further, until the token has it', async () => {
    const wanted = { role: 'manager' };
    const codes: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const link = (await explain(wanted)).links.find(({ isPresent }) => !isPresent)!;
      codes.push(link.code.replace('TOKEN_LINK_CODE_', ''));
      await stage.mend(link.mends[0]!);
    }
    expect(codes).toEqual(['ROLE_UNKNOWN', 'ROLE_NOT_GRANTED', 'ROLES_NOT_ASSERTED']);
    expect((await explain(wanted)).summary).toBe(
      'The role manager is in the ID token, the access token, userinfo and introspection.',
    );
    const { idToken } = await realTokens('openid');
    expect(idToken).toHaveProperty(['urn:service:iam:org:project:roles', 'manager']);
  });

  it('is granted by a grant that is inactive', async () => {
    const grantId = await world.add.grant(ilse.id, projectId, org.id, ['buyer']);
    await ada.about(org.id).call('POST', `/management/v1/users/${ilse.id}/grants/${grantId}/_deactivate`);
    const { links } = await explain(buyer);
    expect([links[0]!.code, links[0]!.sentence]).toEqual([
      'TOKEN_LINK_CODE_GRANT_INACTIVE',
      `The grant by which organization Acme ${count} gives Ilse the role buyer is inactive.`,
    ]);
    await stage.mend(links[0]!.mends[0]!);
    expect((await explain(buyer)).links.at(-1)!.code).toBe('TOKEN_LINK_CODE_ROLES_NOT_ASSERTED');
  });

  it('is not among those that the request names', async () => {
    await world.add.grant(ilse.id, projectId, org.id, ['buyer', 'seller']);
    const { links } = await explain({ ...buyer, scopes: ['openid', 'urn:service:iam:org:project:role:seller'] });
    expect(links.at(-1)).toMatchObject({
      code: 'TOKEN_LINK_CODE_ROLE_NOT_ASKED',
      sentence: 'The request names other roles by their scopes, and not buyer.',
    });
  });

  it('is in userinfo alone: the project has it told, and the tokens do not want it', async () => {
    await world.add.grant(ilse.id, projectId, org.id, ['buyer']);
    await ada.about(org.id).call('POST', `/v2/projects/${projectId}`, { projectRoleAssertion: true });
    await world.changesToArrive();
    const { summary, links } = await explain(buyer);
    expect(summary).toContain('The role buyer is in userinfo and introspection.');
    expect(links.at(-1)).toMatchObject({ code: 'TOKEN_LINK_CODE_NOT_IN_THIS_TOKEN' });
    await stage.mend(links.at(-1)!.mends[0]!);
    expect((await explain(buyer)).links).toHaveLength(1);
  });
});

describe('Who may ask about tokens', () => {
  it('is who may preview them, and no other organization [ADM-064]', async () => {
    const place = `/management/v1/projects/${projectId}/apps/${client.id}/_explain_token`;
    const asked = { userId: ilse.id, scopes: ['openid'] };
    const stranger = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api;
    expect(await stranger.verdict('POST', place, asked)).toBe('404 project.not_found');
    const helper = (await callerWith(world, org, ['ORG_USER_MANAGER'])).api;
    expect(await helper.verdict('POST', place, asked)).toBe('403 permission.missing');
    const viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
    expect(await viewer.verdict('POST', place, asked)).toBe('200');
  });
});
