import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/organizations';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;
const PASSWORD = 'Birkenhof-2026!';

let stage: Stage;
let admin: AdminApi;

beforeAll(async () => {
  stage = await setStage();
  admin = stage.iamOwner;
});
afterAll(() => stage.world.close());

interface Added {
  readonly organizationId: string;
  readonly createdAdmins: ReadonlyArray<{ readonly userId: string }>;
}

const add = async (over: object = {}, api = admin): Promise<Added> =>
  api.call<Added & Record<string, unknown>>('POST', PATH, { name: uniqueName('House'), ...over });

const human = (over: object = {}): object => ({
  profile: { givenName: 'Edda', familyName: 'Fuchs' },
  email: { email: `${uniqueName('edda')}@kiefernhof.example`, isVerified: true },
  ...over,
});

const idsIn = async (api: AdminApi, queries: readonly object[] = []): Promise<string[]> =>
  (
    (await api.call('POST', `${PATH}/_search`, { queries, query: { limit: 1_000 } }))['result'] as Array<{ id: string }>
  ).map(({ id }) => id);

const get = async (id: string): Promise<unknown> =>
  ((await admin.call('POST', `${PATH}/_search`, { queries: [{ idQuery: { id } }] }))['result'] as unknown[])[0];

const membersOf = async (orgId: string): Promise<unknown[]> =>
  (
    (await admin.about(orgId).call('POST', '/management/v1/orgs/me/members/_search', {}))['result'] as Array<{
      userId: string;
      roles: string[];
    }>
  ).map(({ userId, roles }) => ({ userId, roles }));

describe('Organizations of the second generation', () => {
  it('are those of the first', async () => {
    const name = uniqueName('Both');
    const { organizationId } = await add({ name });
    const { org } = await admin
      .about(organizationId)
      .call<{ org: Record<string, unknown> }>('GET', '/management/v1/orgs/me');
    expect(org).toMatchObject({ id: organizationId, name, state: 'ORG_STATE_ACTIVE' });
    expect(await get(organizationId)).toEqual({
      id: organizationId,
      details: { sequence: expect.any(String), changeDate: DATE, creationDate: DATE, resourceOwner: organizationId },
      state: 'ORGANIZATION_STATE_ACTIVE',
      name,
      primaryDomain: org['primaryDomain'],
    });
  });

  it('belong to the caller if no admins are named', async () => {
    const { organizationId, createdAdmins } = await add();
    const { id } = (await admin.call<{ user: { id: string } }>('GET', '/auth/v1/users/me')).user;
    expect(createdAdmins).toEqual([]);
    expect(await membersOf(organizationId)).toEqual([{ userId: id, roles: ['ORG_OWNER'] }]);
  });

  it('may have an id of the caller’s choice, once, and neither a word of a path nor the id of the instance', async () => {
    const organizationId = uniqueName('own-id');
    expect(await add({ organizationId })).toMatchObject({ organizationId });
    const verdict = (over: object): Promise<string> => admin.verdict('POST', PATH, { name: uniqueName('x'), ...over });
    expect(await verdict({ organizationId })).toBe('409 org.id_taken');
    expect(await verdict({ organizationId: '_search' })).toBe('400 organizationId');
    const [instance] = await stage.world.rows<{ id: string }>('SELECT id FROM instance', []);
    expect(await verdict({ organizationId: instance!.id })).toBe('409 org.id_taken');
    const orgId = uniqueName('older');
    expect(await add({ orgId })).toMatchObject({ organizationId: orgId });
    expect(await add({ orgId, organizationId: `${orgId}-2` })).toMatchObject({ organizationId: `${orgId}-2` });
  });

  it('have the managers of the request: users that there are, and new ones who can sign in', async () => {
    const person = await stage.world.add.person({ orgId: stage.orgB.id });
    const userId = uniqueName('edda-id');
    const username = uniqueName('edda');
    const { organizationId, createdAdmins } = await add({
      admins: [
        { userId: person.id, roles: ['ORG_OWNER_VIEWER'] },
        {
          human: human({
            userId,
            username,
            password: { password: PASSWORD, changeRequired: true },
            metadata: [{ key: 'site', value: 'YmVybGlu' }],
            phone: { phone: '+49 30 1234567', isVerified: true },
          }),
        },
        { human: human() },
      ],
    });
    expect(createdAdmins).toEqual([{ userId }, { userId: expect.any(String) }]);
    expect(await membersOf(organizationId)).toEqual(
      expect.arrayContaining([
        { userId: person.id, roles: ['ORG_OWNER_VIEWER'] },
        { userId, roles: ['ORG_OWNER'] },
        { userId: createdAdmins[1]!.userId, roles: ['ORG_OWNER'] },
      ]),
    );
    const there = admin.about(organizationId);
    expect((await there.call('GET', `/management/v1/users/${userId}`))['user']).toMatchObject({
      userName: username,
      state: 'USER_STATE_ACTIVE',
      human: { profile: { firstName: 'Edda', lastName: 'Fuchs' }, phone: { isPhoneVerified: true } },
    });
    expect((await there.call('GET', `/management/v1/users/${userId}/metadata/site`))['metadata']).toMatchObject({
      value: 'YmVybGlu',
    });
  });

  it('are created with all managers or not at all', async () => {
    const name = uniqueName('Nothing');
    const verdict = (...admins: object[]): Promise<string> => admin.verdict('POST', PATH, { name, admins });
    expect(await verdict({ human: human() }, { userId: '1' })).toBe('404 user.not_found');
    expect(await verdict({ human: human() }, { human: human({ password: { password: 'short' } }) })).toBe(
      '400 admins[1].human.password.password',
    );
    expect(await verdict({ human: human(), roles: ['PROJECT_OWNER'] })).toBe('400 admins[0].roles');
    expect(await verdict({ human: human(), roles: ['IAM_OWNER'] })).toBe('400 admins[0].roles');
    expect(await verdict({ human: human({ userId: '_search' }) })).toBe('400 userId');
    expect(await verdict({})).toBe('400 admins[0]');
    expect(await idsIn(admin, [{ nameQuery: { name } }])).toEqual([]);
  });

  it('refuse by name what is not supported of a new user', async () => {
    const verdict = (over: object): Promise<string> =>
      admin.verdict('POST', PATH, { name: uniqueName('x'), admins: [{ human: human(over) }] });
    const email = 'edda@kiefernhof.example';
    expect(await verdict({ email: { email, returnCode: {} } })).toBe('400 admins[0].human.email.returnCode');
    expect(await verdict({ email: { email, sendCode: { urlTemplate: 'https://a.example' } } })).toBe(
      '400 admins[0].human.email.sendCode.urlTemplate',
    );
    expect(await verdict({ phone: { phone: '+49301', returnCode: {} } })).toBe('400 admins[0].human.phone.returnCode');
    expect(await verdict({ organization: { orgId: stage.orgA.id } })).toBe('400 admins[0].human.organization');
  });

  it('are renamed, deactivated, activated and removed', async () => {
    const { organizationId } = await add();
    const name = uniqueName('Renamed');
    expect(await admin.call('POST', `${PATH}/${organizationId}`, { name })).toEqual({ changeDate: DATE });
    expect(await admin.call('POST', `${PATH}/${organizationId}/deactivate`)).toEqual({ changeDate: DATE });
    expect(await get(organizationId)).toMatchObject({ name, state: 'ORGANIZATION_STATE_INACTIVE' });
    expect(await admin.verdict('POST', `${PATH}/${organizationId}/deactivate`)).toBe('400 org.state_unchanged');
    expect(await admin.call('POST', `${PATH}/${organizationId}/activate`)).toEqual({ changeDate: DATE });
    expect(await admin.call('DELETE', `${PATH}/${organizationId}`)).toEqual({ deletionDate: DATE });
    expect(await admin.verdict('DELETE', `${PATH}/${organizationId}`)).toBe('404 org.not_found');
  });

  it('are found by name, domain, state, id, and as the default', async () => {
    const name = uniqueName('Found');
    const { organizationId } = await add({ name });
    const { primaryDomain } = (await get(organizationId)) as { primaryDomain: string };
    const method = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE';
    expect(await idsIn(admin, [{ nameQuery: { name: name.toUpperCase(), method } }])).toEqual([organizationId]);
    expect(await idsIn(admin, [{ domainQuery: { domain: primaryDomain } }])).toEqual([organizationId]);
    expect(
      await idsIn(admin, [
        { idQuery: { id: organizationId } },
        { stateQuery: { state: 'ORGANIZATION_STATE_INACTIVE' } },
      ]),
    ).toEqual([]);
    const { org } = await admin.call<{ org: { id: string } }>('GET', '/admin/v1/orgs/default');
    expect(await idsIn(admin, [{ defaultQuery: {} }])).toEqual([org.id]);
  });

  it('have domains, which are validated', async () => {
    const { organizationId } = await add();
    const domains = `${PATH}/${organizationId}/domains`;
    const domain = `${uniqueName('d').toLowerCase()}.example`;
    expect(await admin.call('POST', domains, { domain })).toEqual({ creationDate: DATE });
    const filters = [{ domainFilter: { domain } }];
    const list = { filters, sortingColumn: 'DOMAIN_FIELD_NAME_CREATION_DATE' };
    expect((await admin.call('POST', `${domains}/search`, list))['domains']).toEqual([
      {
        organizationId,
        domain,
        isVerified: true,
        isPrimary: false,
        validationType: 'DOMAIN_VALIDATION_TYPE_UNSPECIFIED',
        isProved: false,
      },
    ]);
    expect(
      await admin.call('POST', `${domains}/validation/generate`, { domain, type: 'DOMAIN_VALIDATION_TYPE_DNS' }),
    ).toEqual({ token: expect.stringMatching(/^\w{32}$/), url: expect.stringContaining(domain) });
    expect(await admin.verdict('POST', `${domains}/validation/verify`, { domain })).toBe(
      '400 org.domain_validation_failed',
    );
    expect(await admin.call('DELETE', `${domains}?domain=${domain}`)).toEqual({ deletionDate: DATE });
    expect(await admin.verdict('DELETE', `${domains}?domain=${domain}`)).toBe('404 org.domain_not_found');
  });
});

describe('An organization that a request names [ADM-101]', () => {
  it('is out of reach for managers of others, and answered as if it did not exist', async () => {
    const there = stage.ownerOfB;
    const at = { domain: 'a.example', type: 'DOMAIN_VALIDATION_TYPE_DNS' };
    for (const id of [stage.orgA.id, '1'])
      expect([
        await there.verdict('POST', `${PATH}/${id}`, { name: 'Mine' }),
        await there.verdict('POST', `${PATH}/${id}/deactivate`),
        await there.verdict('POST', `${PATH}/${id}/activate`),
        await there.verdict('DELETE', `${PATH}/${id}`),
        await there.verdict('POST', `${PATH}/${id}/domains`, at),
        await there.verdict('POST', `${PATH}/${id}/domains/search`, {}),
        await there.verdict('POST', `${PATH}/${id}/domains/validation/generate`, at),
        await there.verdict('POST', `${PATH}/${id}/domains/validation/verify`, at),
        await there.verdict('DELETE', `${PATH}/${id}/domains?domain=a.example`),
      ]).toEqual(Array.from({ length: 9 }, () => '404 org.not_found'));
  });

  it('is listed for those alone who may read it', async () => {
    expect(await idsIn(stage.ownerOfB)).toEqual([stage.orgB.id]);
    expect(await idsIn(stage.viewerOfA, [{ idQuery: { id: stage.orgB.id } }])).toEqual([]);
    expect(await idsIn(admin)).toEqual(expect.arrayContaining([stage.orgA.id, stage.orgB.id]));
    expect(await stage.nobodyOfA.verdict('POST', `${PATH}/_search`, {})).toBe('403 permission.missing');
  });

  it('is created by managers of the instance alone, of users whom they may read', async () => {
    const name = uniqueName('Theirs');
    expect(await stage.ownerOfA.verdict('POST', PATH, { name })).toBe('403 permission.missing');
    const { api } = await callerWith(stage.world, stage.orgA, ['IAM_ORG_MANAGER']);
    expect(await api.verdict('POST', PATH, { name })).toBe('200');
  });

  it('is changed with the weakest role that may write it, and not with one that reads it', async () => {
    const { api } = await callerWith(stage.world, stage.orgA, ['ORG_SETTINGS_MANAGER']);
    const domain = `${uniqueName('weak').toLowerCase()}.example`;
    expect(await api.verdict('POST', `${PATH}/${stage.orgA.id}/domains`, { domain })).toBe('200');
    expect(await api.verdict('DELETE', `${PATH}/${stage.orgA.id}`)).toBe('403 permission.missing');
    expect(await stage.viewerOfA.verdict('POST', `${PATH}/${stage.orgA.id}/domains`, { domain })).toBe(
      '403 permission.missing',
    );
  });
});
