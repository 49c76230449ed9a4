import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let ownerOfA: AdminApi;
let ownerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  owner = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  viewer = (await callerWith(world, orgA, ['IAM_OWNER_VIEWER'])).api;
  ownerOfA = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  ownerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const human = (userName = uniqueName('owner')): Record<string, unknown> => ({
  userName,
  profile: { firstName: 'Ilse', lastName: 'Brandt' },
  email: { email: `${userName}@mail.test`, isEmailVerified: true },
  password: 'Correct-Horse-7',
});

describe('SetUpOrg', () => {
  it('makes an organization, its domain, a person who can sign in, and their role', async () => {
    const name = uniqueName('House');
    const { details, orgId, userId } = await owner.call('POST', '/admin/v1/orgs/_setup', {
      org: { name },
      human: human(),
    });
    expect(details).toEqual({
      sequence: expect.stringMatching(/^[1-9]\d*$/),
      creationDate: expect.any(String),
      changeDate: expect.any(String),
      resourceOwner: orgId,
    });
    const { org } = await owner.call('GET', `/admin/v1/orgs/${orgId}`);
    expect(org).toMatchObject({
      id: orgId,
      name,
      state: 'ORG_STATE_ACTIVE',
      primaryDomain: `${name.toLowerCase()}.localhost`,
    });
    expect(await world.rows('SELECT state, org_id FROM user_account WHERE id = $1', [userId])).toEqual([
      { state: 'active', org_id: orgId },
    ]);
    expect(await world.rows('SELECT level, object_id, roles FROM member WHERE user_id = $1', [userId])).toEqual([
      { level: 'org', object_id: orgId, roles: ['ORG_OWNER'] },
    ]);
  });

  it("takes snake_case and a domain of the caller's choice", async () => {
    const domain = `${uniqueName('house')}.example`;
    const { userName, ...rest } = human();
    const body = {
      org: { name: uniqueName('House'), domain: domain.toUpperCase() },
      human: { ...rest, user_name: userName, profile: { first_name: 'A', last_name: 'B' } },
    };
    const { orgId } = await owner.call('POST', '/admin/v1/orgs/_setup', body);
    expect((await owner.call('GET', `/admin/v1/orgs/${orgId}`))['org']).toMatchObject({ primaryDomain: domain });
  });

  it.each<[string, () => Record<string, unknown>, string]>([
    ['nothing', () => ({}), '400 org, human'],
    ['no name', () => ({ org: { name: '' }, human: human() }), '400 org.name'],
    ['201 characters', () => ({ org: { name: '😀'.repeat(201) }, human: human() }), '400 org.name'],
    ['no domain name', () => ({ org: { name: 'x', domain: 'not a domain' }, human: human() }), '400 org.domain'],
    [
      'a broken profile',
      () => ({ org: { name: 'x' }, human: { ...human(), profile: { firstName: 5 } } }),
      '400 human.profile.firstName, human.profile.lastName',
    ],
    [
      'a role of another level',
      () => ({ org: { name: uniqueName('x') }, human: human(), roles: ['IAM_OWNER'] }),
      '400 roles',
    ],
    ['an unknown role', () => ({ org: { name: uniqueName('x') }, human: human(), roles: ['ORG_KING'] }), '400 roles'],
  ])('refuses %s and makes nothing', async (_, body, verdict) => {
    const before = await world.contents();
    expect(await owner.verdict('POST', '/admin/v1/orgs/_setup', body())).toBe(verdict);
    expect(await world.contents()).toBe(before);
  });

  it('refuses a name whose domain is taken, and two at once make one', async () => {
    const name = uniqueName('Twice');
    const verdicts = await Promise.all(
      [1, 2].map(() => owner.verdict('POST', '/admin/v1/orgs/_setup', { org: { name }, human: human() })),
    );
    expect(verdicts.sort()).toEqual(['200', '409 org.domain_taken']);
    expect(await owner.verdict('POST', '/admin/v1/orgs/_setup', { org: { name }, human: human() })).toBe(
      '409 org.domain_taken',
    );
  });

  it('is for managers who may write the instance', async () => {
    for (const api of [viewer, ownerOfA])
      expect(await api.verdict('POST', '/admin/v1/orgs/_setup', {})).toBe('403 permission.missing');
  });
});

describe('ListOrgs', () => {
  it('filters, sorts and pages', async () => {
    const names = ['list-a', 'list-b', 'List-C'];
    for (const name of names) await world.add.org(`${uniqueName(name)}.test`, name);
    const found = await owner.call('POST', '/admin/v1/orgs/_search', {
      query: { asc: false, limit: 2 },
      sortingColumn: 'ORG_FIELD_NAME_NAME',
      queries: [{ nameQuery: { name: 'LIST-', method: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE' } }],
    });
    expect(found['details']).toMatchObject({
      totalResult: '3',
      processedSequence: expect.stringMatching(/^\d+$/),
      viewTimestamp: expect.any(String),
    });
    expect(found['sortingColumn']).toBe('ORG_FIELD_NAME_NAME');
    expect(found['result'].map(({ name }: { name: string }) => name)).toEqual(['list-b', 'list-a'].sort().reverse());
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['domain', { domainQuery: { domain: 'orga.test' } }, ['orga.test']],
    ['domain, any case', { domainQuery: { domain: 'ORGA.TEST', method: 1 } }, ['orga.test']],
    ['domain at its end', { domainQuery: { domain: 'a.test', method: 'TEXT_QUERY_METHOD_ENDS_WITH' } }, ['orga.test']],
    ['wildcards as plain text [ADM-022]', { nameQuery: { name: 'org%', method: 'TEXT_QUERY_METHOD_CONTAINS' } }, []],
    ['an underscore as plain text', { nameQuery: { name: 'org_.test', method: 'TEXT_QUERY_METHOD_CONTAINS' } }, []],
    ['a quote as plain text', { nameQuery: { name: "' OR 1=1--" } }, []],
    ['an inactive state', { stateQuery: { state: 'ORG_STATE_INACTIVE' } }, []],
  ])('finds by %s', async (_, query, names) => {
    const { result } = await owner.call('POST', '/admin/v1/orgs/_search', { queries: [query] });
    expect(result.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it.each([
    [{ query: { limit: -1 } }, '400 query.limit'],
    [{ query: { offset: '-1' } }, '400 query.offset'],
    [{ query: { limit: 1e9 } }, '200'],
    [{ sortingColumn: ';select pg_sleep(5)' }, '400 sortingColumn'],
    [{ queries: [{ stateQuery: {} }] }, '400 queries[0].stateQuery.state'],
    [{ queries: Array(21).fill({ idQuery: { id: 'x' } }) }, '400 queries'],
  ])('answers %j with %s [ADM-023]', async (body, verdict) => {
    expect(await owner.verdict('POST', '/admin/v1/orgs/_search', body)).toBe(verdict);
  });

  it('needs no body', async () => {
    expect((await viewer.ask('POST', '/admin/v1/orgs/_search')).status).toBe(200);
  });
});

describe('IsOrgUnique', () => {
  it.each([
    ['?name=nobody', true],
    ['?domain=orga.test', false],
    ['?domain=ORGA.test&name=nobody', false],
    ['?name=orga.test', false],
    ['', true],
  ])('%s: %s', async (query, isUnique) => {
    expect(await owner.call('GET', `/admin/v1/orgs/_is_unique${query}`)).toEqual({ isUnique });
  });

  it('refuses a repeated parameter', async () => {
    expect(await owner.verdict('GET', '/admin/v1/orgs/_is_unique?name=a&name=b')).toBe('400 name');
  });
});

describe('The default organization', () => {
  it('can be read and changed, and an unknown one is refused', async () => {
    const { org } = await owner.call('GET', '/admin/v1/orgs/default');
    expect(await owner.verdict('PUT', '/admin/v1/orgs/default/nobody')).toBe('404 org.not_found');
    await owner.call('PUT', `/admin/v1/orgs/default/${orgB.id}`);
    expect((await owner.call('GET', '/admin/v1/orgs/default'))['org'].id).toBe(orgB.id);
    expect((await ownerOfA.call('GET', '/management/v1/iam'))['defaultOrgId']).toBe(orgB.id);
    await owner.call('PUT', `/admin/v1/orgs/default/${org.id}`);
    const once = await owner.call('PUT', `/admin/v1/orgs/default/${org.id}`);
    expect(await owner.call('PUT', `/admin/v1/orgs/default/${org.id}`)).toEqual(once); // nothing changed: nothing written
  });
});

describe("One's own organization", () => {
  it('is that of the caller, or the one of the header', async () => {
    expect((await ownerOfA.call('GET', '/management/v1/orgs/me'))['org'].id).toBe(orgA.id);
    expect((await owner.about(orgB.id).call('GET', '/management/v1/orgs/me'))['org'].id).toBe(orgB.id);
    expect((await ownerOfB.call('GET', '/management/v1/global/orgs/_by_domain?domain=orga.test'))['org'].id).toBe(
      orgA.id,
    );
  });

  it('of another owner looks like one that does not exist [ADM-004]', async () => {
    const [foreign, missing] = await Promise.all(
      [orgB.id, 'nobody'].map((id) => ownerOfA.about(id).ask('GET', '/management/v1/orgs/me')),
    );
    expect([foreign!.status, foreign!.text]).toEqual([403, missing!.text]);
    expect(await owner.about('nobody').verdict('GET', '/management/v1/orgs/me')).toBe('404 org.not_found');
  });

  it('refuses the header twice', async () => {
    expect(
      (await owner.ask('GET', '/management/v1/orgs/me', undefined, { 'x-service-orgid': [orgA.id, orgB.id] })).status,
    ).toBe(400);
  });

  it('does not take the name of another organization, by adding or renaming, in other letters or another case, or at the same moment', async () => {
    const name = uniqueName('Sunflower Bank');
    await owner.call('POST', '/admin/v1/orgs/_setup', {
      org: { name, domain: `${uniqueName('own')}.test` },
      human: human(),
    });
    const mine = await Promise.all(
      [1, 2].map(async () =>
        owner.about((await owner.call('POST', '/management/v1/orgs', { name: uniqueName('Mine') }))['id'] as string),
      ),
    );
    const rename = (index: number, to: string): Promise<string> =>
      mine[index]!.verdict('PUT', '/management/v1/orgs/me', { name: to });
    for (const taken of [name, name.toUpperCase(), name.replace('S', '\uFF33')]) {
      expect([taken, await rename(0, taken)]).toEqual([taken, '409 org.name_taken']);
      expect(
        await owner.verdict('POST', '/admin/v1/orgs/_setup', {
          org: { name: taken, domain: `${uniqueName('other')}.test` },
          human: human(),
        }),
      ).toBe('409 org.name_taken');
      expect(await owner.call('GET', `/admin/v1/orgs/_is_unique?name=${encodeURIComponent(taken)}`)).toEqual({
        isUnique: false,
      });
    }
    const wanted = uniqueName('Moonflower');
    expect((await Promise.all([rename(0, wanted), rename(1, wanted)])).sort()).toEqual(['200', '409 org.name_taken']);
  });

  it('may write its own name in another case, and the same once more', async () => {
    const name = uniqueName('Cornflower');
    const { id } = await owner.call('POST', '/management/v1/orgs', { name });
    const mine = owner.about(id as string);
    for (const own of [name.toUpperCase(), name.toUpperCase(), name])
      expect(await mine.verdict('PUT', '/management/v1/orgs/me', { name: own })).toBe('200');
  });

  it('is made, renamed, stopped, resumed and removed, each with its event', async () => {
    const { id } = await owner.call('POST', '/management/v1/orgs', { name: uniqueName('Mine') });
    const mine = owner.about(id);
    await mine.call('PUT', '/management/v1/orgs/me', { name: 'Renamed' });
    expect((await mine.call('GET', '/management/v1/orgs/me'))['org'].name).toBe('Renamed');
    await mine.call('POST', '/management/v1/orgs/me/_deactivate');
    expect(await mine.verdict('POST', '/management/v1/orgs/me/_deactivate')).toBe('400 org.state_unchanged');
    await mine.call('POST', '/management/v1/orgs/me/_reactivate');
    const { details } = await mine.call('DELETE', '/management/v1/orgs/me');
    expect(details).toMatchObject({ resourceOwner: id, changeDate: expect.any(String) });
    expect(await mine.verdict('GET', '/management/v1/orgs/me')).toBe('404 org.not_found');
    const { events } = await owner.call('POST', '/admin/v1/events/_search', { aggregateId: id, asc: true });
    expect(events.map(({ type }: { type: { type: string } }) => type.type)).toEqual([
      'org.added',
      'org.domain.primary.set',
      'org.member.added',
      'org.changed',
      'org.deactivated',
      'org.reactivated',
      'org.member.cascade.removed',
      'org.removed',
    ]);
  });

  it('cannot be made by an owner of one organization', async () => {
    expect(await ownerOfA.verdict('POST', '/management/v1/orgs', { name: 'x' })).toBe('403 permission.missing');
  });
});

describe('RemoveOrg', () => {
  it('removes all that the organization owns, with an event for each object, and nothing else', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    const service = await world.add.service({ orgId: org.id });
    const projectId = await world.add.project({ orgId: org.id }, ['reader']);
    const client = await world.add.client({ projectId });
    const alice = await world.cast.alice;
    const grantId = await world.add.grant(alice.id, projectId, org.id, ['reader']);
    await world.add.member(alice.id, ['ORG_OWNER'], { level: 'org', objectId: org.id, orgId: org.id });
    await world.add.member(alice.id, ['PROJECT_OWNER'], { level: 'project', objectId: projectId, orgId: org.id });
    await owner.call('DELETE', `/admin/v1/orgs/${org.id}`);
    for (const table of [
      'user_account WHERE org_id',
      'project WHERE org_id',
      'client WHERE project_id',
      'user_grant WHERE project_id',
      'member WHERE object_id',
      'org_domain WHERE org_id',
    ]) {
      expect([table, await world.rows(`SELECT 1 FROM ${table} IN ($1, $2)`, [org.id, projectId])]).toEqual([table, []]);
    }
    const ids = [person.id, service.id, projectId, projectId, client.id, grantId]; // of the project its manager, too
    const events = await world.rows<{ aggregate_id: string; type: string }>(
      "SELECT aggregate_id, type FROM event WHERE aggregate_id = ANY ($1) AND type LIKE '%cascade.removed'",
      [ids],
    );
    expect(events.map((event) => event.aggregate_id).sort()).toEqual([...ids].sort());
    expect(await world.rows('SELECT 1 AS found FROM user_account WHERE id = $1', [alice.id])).toEqual([{ found: 1 }]);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['unknown', async () => 'nobody', '404 org.not_found'],
    ['the default', async () => world.firstStart.orgId, '400 org.is_default'],
  ])('refuses an organization that is %s', async (_, id, verdict) => {
    expect(await owner.verdict('DELETE', `/admin/v1/orgs/${await id()}`)).toBe(verdict);
  });

  it("refuses the one that owns the service's project, although another is the default", async () => {
    await owner.call('PUT', `/admin/v1/orgs/default/${orgB.id}`);
    expect(await owner.verdict('DELETE', `/admin/v1/orgs/${world.firstStart.orgId}`)).toBe('400 org.owns_system');
    expect(await owner.about(world.firstStart.orgId).verdict('POST', '/management/v1/orgs/me/_deactivate')).toBe(
      '400 org.owns_system',
    );
    await owner.call('PUT', `/admin/v1/orgs/default/${world.firstStart.orgId}`);
  });

  it('removes an organization once if it is called twice at once', async () => {
    const { id } = await world.add.org();
    const verdicts = await Promise.all([1, 2].map(() => owner.verdict('DELETE', `/admin/v1/orgs/${id}`)));
    expect(verdicts.sort()).toEqual(['200', '404 org.not_found']);
  });
});

describe('Domains', () => {
  const path = '/management/v1/orgs/me/domains';

  it('are added, made primary, listed and removed', async () => {
    const domain = `${uniqueName('dom')}.example`;
    const primary = (await ownerOfA.call('GET', '/management/v1/orgs/me'))['org'].primaryDomain as string;
    await ownerOfA.call('POST', path, { domain: domain.toUpperCase() });
    expect(await ownerOfA.verdict('POST', path, { domain })).toBe('409 org.domain_exists');
    await ownerOfA.call('POST', `${path}/${domain}/_set_primary`);
    expect(await ownerOfA.verdict('DELETE', `${path}/${domain}`)).toBe('400 org.domain_primary');
    const { result } = await ownerOfA.call('POST', `${path}/_search`, {
      queries: [{ domainNameQuery: { name: domain } }],
    });
    expect(result).toEqual([
      expect.objectContaining({
        orgId: orgA.id,
        domainName: domain,
        isVerified: true,
        isPrimary: true,
        validationType: 'DOMAIN_VALIDATION_TYPE_UNSPECIFIED',
      }),
    ]);
    await ownerOfA.call('POST', `${path}/${primary}/_set_primary`);
    await ownerOfA.call('DELETE', `${path}/${domain}`);
    expect(await ownerOfA.verdict('DELETE', `${path}/${domain}`)).toBe('404 org.domain_not_found');
  });

  it('of another organization are neither seen nor taken', async () => {
    expect(await ownerOfA.verdict('POST', path, { domain: orgB.domain })).toBe('409 org.domain_taken');
    expect(await ownerOfA.verdict('DELETE', `${path}/${orgB.domain}`)).toBe('404 org.domain_not_found');
    expect(await ownerOfA.verdict('POST', `${path}/${orgB.domain}/_set_primary`)).toBe('404 org.domain_not_found');
  });

  it('at which others have their user names are not taken without a proof', async () => {
    const domain = `${uniqueName('mine')}.example`;
    await world.add.person({ orgId: orgB.id, userName: `zoe@${domain}`, email: 'zoe@mail.test' });
    expect(await ownerOfA.verdict('POST', path, { domain })).toBe('400 org.domain_in_use');
    expect(await ownerOfB.verdict('POST', path, { domain })).toBe('200');
  });

  it.each(['', 'localhost', 'a b.example', '127.0.0.1', '*.example', 'x'.repeat(201), 'a\u0000b.example'])(
    '"%s" is refused',
    async (domain) => {
      expect(await ownerOfA.verdict('POST', path, { domain })).toBe('400 domain');
    },
  );

  it('must be verified if the policy demands it: the refusal says what was looked up', async () => {
    const org = await world.add.org();
    const { api } = await callerWith(world, org, ['ORG_OWNER']);
    await owner.call('POST', `/admin/v1/orgs/${org.id}/policies/domain`, { validateOrgDomains: true });
    const domain = `${uniqueName('proof')}.invalid`;
    await api.call('POST', path, { domain });
    expect(await api.verdict('POST', `${path}/${domain}/_set_primary`)).toBe('400 org.domain_not_verified');
    expect(await api.verdict('POST', `${path}/${domain}/validation/_validate`)).toBe(
      '400 org.domain_validation_missing',
    );
    expect(await api.verdict('POST', `${path}/${domain}/validation/_generate`, {})).toBe('400 type');
    const { token, url } = await api.call('POST', `${path}/${domain}/validation/_generate`, {
      type: 'DOMAIN_VALIDATION_TYPE_HTTP',
    });
    expect(url).toBe(`https://${domain}/.well-known/service-challenge/${token}.txt`);
    const reply = await api.ask('POST', `${path}/${domain}/validation/_validate`);
    expect([reply.status, reply.json()['message']]).toEqual([400, expect.stringContaining(url as string)]);
  });
});
