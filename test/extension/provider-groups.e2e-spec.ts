import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Texts } from '../../src/admin/kit/wire/fields.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Users } from '../../src/extension/facade/users.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { IDP_KIND, type IdpIdentity, type IdpKind, type IdpLeaving } from '../../src/idp/idp-kind.js';
import { leave, link, OUTBOUND } from '../idp/external.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { base, statusOf } from './code-host-world.js';

class GuildSettings {
  @Texts(1, { maxItems: 9 })
  readonly groups!: readonly string[];
}

/** A provider that says whatever a test wants of whoever comes back. */
@Injectable()
class GuildKind implements IdpKind<GuildSettings> {
  static says: Partial<IdpIdentity> = {};
  static fails = false;
  readonly kind = 'ext:guild';
  readonly settings = GuildSettings;

  authorizationUrl({ state }: IdpLeaving): string {
    return `https://guild.example/?state=${state}`;
  }

  async redeem(): Promise<IdpIdentity> {
    return { subject: 'nobody', ...GuildKind.says };
  }

  groupsIn({ groups }: GuildSettings): readonly string[] {
    if (GuildKind.fails) throw new Error('no groups today');
    return groups;
  }
}

@Module({ imports: [GatehouseServices], providers: [GuildKind] })
class GuildModule {}
const guild = defineExtension({ ...base, id: 'guild', module: GuildModule, provides: [provide(IDP_KIND, GuildKind)] });
@Module({})
class HalvesModule {}
/** Whoever may do everything with providers and groups, but not with grants; and the other way round. */
const halves = defineExtension({
  ...base,
  id: 'halves',
  module: HalvesModule,
  roles: [
    { name: 'EXT_HALVES_GROUPS', level: 'org', permissions: ['group.read', 'group.write', 'group.delete'] },
    { name: 'EXT_HALVES_GRANTS', level: 'org', permissions: ['user.grant.write', 'user.grant.delete'] },
  ],
});

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let iam: AdminApi;
let ownerOfA: AdminApi;
let ownerOfB: AdminApi;
let web: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ extensions: [guild, halves], env: OUTBOUND });
  [orgA, orgB] = [await world.add.org(), await world.add.org()];
  iam = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  ownerOfA = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  ownerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
});
beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  GuildKind.says = {};
  GuildKind.fails = false;
});
afterAll(() => world.close());

async function addGroup(api: AdminApi): Promise<string> {
  return (await api.call<{ groupId: string }>('POST', '/management/v1/groups', { name: uniqueName('Group') })).groupId;
}

const bodyOf = (groups: readonly string[], over: object = {}) => ({
  name: uniqueName('Guild'),
  kind: 'ext:guild',
  clientId: 'guild',
  settings: { groups },
  providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
  ...over,
});

async function add(
  groups: readonly string[],
  api = iam,
  path = '/admin/v1/idps/extension',
  over: object = {},
): Promise<string> {
  const { id } = await api.call<{ id: string }>('POST', path, bodyOf(groups, over));
  await world.changesToArrive();
  return id;
}

async function membersOf(groupId: string): Promise<string[]> {
  const rows = await world.rows<{ id: string }>('SELECT user_id AS id FROM user_group_member WHERE group_id = $1', [
    groupId,
  ]);
  return rows.map(({ id }) => id);
}

async function eventsOf(groupId: string): Promise<string[]> {
  const rows = await world.rows<{ type: string }>(
    "SELECT type FROM event WHERE aggregate_id = $1 AND type LIKE 'group.member.%' ORDER BY position",
    [groupId],
  );
  return rows.map(({ type }) => type);
}

async function linked(idpId: string, org: TestOrg): Promise<TestPerson> {
  const person = await world.add.person({ orgId: org.id });
  await link(world, idpId, person.id, org.id, person.id);
  return person;
}

/** The user comes back from the provider, which says this. */
async function signIn(idpId: string, subject: string, says: Partial<IdpIdentity> = {}): Promise<number> {
  GuildKind.says = { subject, ...says };
  const party = web.elsewhere();
  const state = new URL(await leave(party, idpId)).searchParams.get('state') ?? '';
  return statusOf(party, idpId, { state, code: 'a-code' });
}

describe('Groups about which a provider decides', () => {
  it('have the user at each sign-in whom the provider says to be in them, and nobody else changes', async () => {
    const [one, two, other] = [await addGroup(ownerOfA), await addGroup(ownerOfA), await addGroup(ownerOfA)];
    const id = await add([one, two]);
    const [ann, bob] = [await linked(id, orgA), await linked(id, orgA)];
    await ownerOfA.call('POST', `/management/v1/groups/${two}/members`, { userIds: [ann.id, bob.id] });
    await ownerOfA.call('POST', `/management/v1/groups/${other}/members`, { userIds: [ann.id] });
    expect(await signIn(id, ann.id, { groups: [one] })).toBe(302);
    expect([await membersOf(one), await membersOf(two), await membersOf(other)]).toEqual([
      [ann.id],
      [bob.id],
      [ann.id],
    ]);
    expect(await signIn(id, ann.id, { groups: [one] })).toBe(302);
    expect(await eventsOf(one)).toEqual(['group.member.added']);
    expect(await signIn(id, ann.id)).toBe(302);
    expect([await membersOf(one), await eventsOf(one)]).toEqual([[], ['group.member.added', 'group.member.removed']]);
  });

  it('are those that the settings name alone, and of the organization of the user [IDP-050]', async () => {
    const [mine, unnamed, elsewhere] = [await addGroup(ownerOfA), await addGroup(ownerOfA), await addGroup(ownerOfB)];
    const id = await add([mine, elsewhere]);
    const [ann, ben] = [await linked(id, orgA), await linked(id, orgB)];
    const groups = [mine, unnamed, elsewhere, 'no-group'];
    await signIn(id, ann.id, { groups });
    await signIn(id, ben.id, { groups });
    expect([await membersOf(mine), await membersOf(unnamed), await membersOf(elsewhere)]).toEqual([
      [ann.id],
      [],
      [ben.id],
    ]);
  });

  it('follow for nobody who is not signed in: a deactivated user stays as they are [IDP-050]', async () => {
    const group = await addGroup(ownerOfA);
    const id = await add([group]);
    const ann = await linked(id, orgA);
    await ownerOfA.call('POST', `/management/v1/users/${ann.id}/_deactivate`, {});
    expect(await signIn(id, ann.id, { groups: [group] })).toBe(403);
    expect(await membersOf(group)).toEqual([]);
  });

  it('let nobody in if the extension fails to say which they are', async () => {
    const group = await addGroup(ownerOfA);
    const id = await add([group]);
    const ann = await linked(id, orgA);
    GuildKind.fails = true;
    expect(await signIn(id, ann.id, { groups: [group] })).toBe(502);
  });

  it('have a user who links the account later, from then on, with what the provider said', async () => {
    const group = await addGroup(ownerOfA);
    const id = await add([group]);
    const ann = await world.add.person({ orgId: orgA.id });
    const subject = uniqueName('later');
    GuildKind.says = { subject, groups: [group], attributes: { unit: ['Night'] } };
    const state = new URL(await leave(web, id)).searchParams.get('state') ?? '';
    const unknown = pageOf(await web.browser.get(`/ui/login/login/externalidp/callback/${id}?state=${state}&code=c`));
    const name = pageOf(await web.browser.submit(unknown, { decision: 'link' }));
    const asked = pageOf(await web.enter({ page: name }, ann));
    expect(await membersOf(group)).toEqual([]);
    expect(web.toAnswer(await web.browser.submit(asked, { decision: 'link' })).code).toBeDefined();
    expect(await membersOf(group)).toEqual([ann.id]);
    expect(await world.get(Users).providerAccounts(ann.id)).toMatchObject([
      { subject, attributes: { unit: ['Night'] } },
    ]);
  });

  it('have a user who gets an account at once', async () => {
    const orgId = (await world.rows<{ id: string }>('SELECT default_org_id AS id FROM instance'))[0]!.id;
    const { groupId } = await iam.about(orgId).call<{ groupId: string }>('POST', '/management/v1/groups', {
      name: uniqueName('Group'),
    });
    const id = await add([groupId], iam, '/admin/v1/idps/extension', {
      providerOptions: { isCreationAllowed: true, isAutoCreation: true },
    });
    const subject = uniqueName('newcomer');
    await signIn(id, subject, { email: `${subject}@mail.test`, emailVerified: true, groups: [groupId] });
    const [member] = await membersOf(groupId);
    expect(await world.get(Users).providerAccounts(member!)).toMatchObject([{ providerId: id, subject }]);
  });
});

describe('Whoever configures a provider that decides about groups', () => {
  const ORG = '/management/v1/idps/extension';
  const rolesOf = async (roles: readonly string[]): Promise<AdminApi> => (await callerWith(world, orgA, roles)).api;

  it.each([
    [['ORG_SETTINGS_MANAGER']],
    [['ORG_SETTINGS_MANAGER', 'EXT_HALVES_GROUPS']],
    [['ORG_SETTINGS_MANAGER', 'EXT_HALVES_GRANTS']],
    [['ORG_SETTINGS_MANAGER', 'ORG_USER_PERMISSION_EDITOR']],
  ])('needs the right to fill them and to grant: not %j, by any change [IDP-049]', async (roles) => {
    const group = await addGroup(ownerOfA);
    const weak = await rolesOf(roles);
    const id = await add([group], ownerOfA, ORG);
    const change = (groups: readonly string[]) => ({ clientId: 'other', settings: { groups } });
    const verdicts = [
      await weak.verdict('POST', ORG, bodyOf([group])),
      await weak.verdict('PUT', `/management/v1/idps/${id}/extension_config`, change([group])),
      await weak.verdict('PUT', `/management/v1/idps/${id}/extension_config`, change([])),
      await weak.verdict('PUT', `/management/v1/idps/${id}`, {
        name: uniqueName('N'),
        providerOptions: { isAutoCreation: true },
      }),
    ];
    expect(verdicts).toEqual(Array<string>(4).fill('403 permission.missing'));
    await weak.call('POST', `/management/v1/idps/${id}/_deactivate`, {});
    expect(await weak.verdict('POST', `/management/v1/idps/${id}/_reactivate`, {})).toBe('403 permission.missing');
    const none = await add([], weak, ORG);
    expect(await weak.verdict('PUT', `/management/v1/idps/${none}/extension_config`, change([group]))).toBe(
      '403 permission.missing',
    );
  });

  it('may do it with both, and names groups that exist in the organization alone [IDP-049]', async () => {
    const [group, elsewhere] = [await addGroup(ownerOfA), await addGroup(ownerOfB)];
    const strong = await rolesOf(['ORG_SETTINGS_MANAGER', 'EXT_HALVES_GROUPS', 'EXT_HALVES_GRANTS']);
    const id = await add([group], strong, ORG);
    await strong.call('PUT', `/management/v1/idps/${id}/extension_config`, {
      clientId: 'x',
      settings: { groups: [group] },
    });
    const refused = [elsewhere, 'to-come'].map(async (other) => ownerOfA.verdict('POST', ORG, bodyOf([group, other])));
    expect(await Promise.all(refused)).toEqual(['400 settings', '400 settings']);
    expect(await iam.verdict('POST', '/admin/v1/idps/extension', bodyOf(['to-come']))).toBe('400 settings');
  });

  it('gets nothing for a group that comes to be in another organization under the id of one that is gone [IDP-050]', async () => {
    const group = await addGroup(ownerOfA);
    const id = await add([group], ownerOfA, ORG);
    await ownerOfA.call('DELETE', `/management/v1/groups/${group}`);
    await world.rows(
      "INSERT INTO user_group (id, org_id, name, name_key, sequence) VALUES ($1, $2, 'Again', 'again', 1)",
      [group, orgB.id],
    );
    const ann = await linked(id, orgA);
    GuildKind.says = { subject: ann.id, groups: [group] };
    const state = new URL(await leave(web, id, { scope: `openid urn:service:iam:org:id:${orgA.id}` })).searchParams.get(
      'state',
    );
    expect(await statusOf(web, id, { state: state ?? '', code: 'c' })).toBe(302);
    expect(await membersOf(group)).toEqual([]);
  });
});

describe('Attributes of an account', () => {
  const events = async (userId: string): Promise<number> =>
    (
      await world.rows("SELECT 1 FROM event WHERE aggregate_id = $1 AND type = 'user.human.externalidp.described'", [
        userId,
      ])
    ).length;

  it('are kept with the link, follow at each sign-in, and can be read by extensions', async () => {
    const id = await add([]);
    const ann = await linked(id, orgA);
    const accounts = () => world.get(Users).providerAccounts(ann.id);
    expect(await accounts()).toMatchObject([{ providerId: id, providerKind: 'ext:guild', attributes: {} }]);
    await signIn(id, ann.id, { attributes: { unit: ['Night', 'Day'] } });
    await signIn(id, ann.id, { attributes: { unit: ['Night', 'Day'] } });
    await signIn(id, ann.id);
    expect([(await accounts())[0]!.attributes, await events(ann.id)]).toEqual([{ unit: ['Night', 'Day'] }, 1]);
    await signIn(id, ann.id, { attributes: {} });
    expect([(await accounts())[0]!.attributes, await events(ann.id)]).toEqual([{}, 2]);
  });

  it('travel with an export and an import', async () => {
    const from = await world.add.org();
    const owner = (await callerWith(world, from, ['ORG_OWNER'])).api;
    const id = await add([], owner, '/management/v1/idps/extension');
    const ann = await world.add.person({ orgId: from.id });
    await link(world, id, ann.id, from.id, ann.id);
    await world.rows('UPDATE idp_link SET attributes = \'{"unit": ["Night"]}\' WHERE user_id = $1', [ann.id]);
    const document = await iam.call<{ orgs: [{ userLinks: object[] }] }>('POST', '/admin/v1/export', {
      orgIds: [from.id],
      withPasswords: true,
    });
    expect(document.orgs[0].userLinks).toMatchObject([{ userId: ann.id, attributes: { unit: ['Night'] } }]);
    const target = await startWorld({ extensions: [guild, halves], env: OUTBOUND });
    try {
      const { api } = await callerWith(target, await target.add.org(), ['IAM_OWNER']);
      const dataOrgs = { orgs: document.orgs };
      await api.call('POST', '/admin/v1/import', { dataOrgs, timeout: '50s' });
      expect(await target.get(Users).providerAccounts(ann.id)).toMatchObject([{ attributes: { unit: ['Night'] } }]);
      Object.assign(document.orgs[0].userLinks[0]!, { attributes: { unit: 'Night' } });
      const again = await api.ask('POST', '/admin/v1/import', { dataOrgs, timeout: '50s' });
      expect(again.text).toContain('must be lists of texts');
    } finally {
      await target.close();
    }
  });
});
