import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { convertKeycloak } from '../../src/migration/convert/keycloak/keycloak.js';
import { type PeopleSettings, USUAL_PEOPLE } from '../../src/migration/convert/people-settings.js';
import { Report } from '../../src/migration/convert/report.js';
import { UserDirectory } from '../../src/user/user-directory.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const PASSWORD = 'Correct-Horse-7';
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-names-'));
const world = await startWorld();
let api: AdminApi;
let client: RelyingParty;
let count = 0;

/** A realm of its own with the user `admin`, as many hold one. */
async function convert(people: Partial<PeopleSettings> = {}): Promise<{ orgId: string; document: Json }> {
  const orgId = `names-${(count += 1)}`;
  const path = join(folder, `${orgId}.json`);
  const user = { id: `${orgId}-admin`, username: 'admin', credentials: [{ type: 'password', value: PASSWORD }] };
  writeFileSync(path, JSON.stringify({ id: orgId, realm: orgId, enabled: true, users: [user] }));
  let text = '';
  for await (const piece of convertKeycloak(
    { paths: [path], realms: [], people: { ...USUAL_PEOPLE, ...people } },
    new Report('keycloak'),
  ))
    text += piece;
  return { orgId, document: JSON.parse(text) };
}

async function subjectOf(loginName: string, scope = 'openid'): Promise<string | undefined> {
  const browser = client.elsewhere();
  const arrival = await browser.enter(await browser.authorize({ scope }), { loginName, password: PASSWORD });
  if (arrival.page !== undefined) return undefined;
  const { id_token: idToken } = (await browser.redeem(browser.toAnswer(arrival).code!)).json<{ id_token: string }>();
  return (await browser.verify(idToken)).sub;
}

beforeAll(async () => {
  world.plant(PASSWORD);
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
});
beforeEach(() => world.clock.advance('1m'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

it('A realm with a user `admin` cannot be imported unchanged into an instance whose administrator has that name', async () => {
  expect(await api.verdict('POST', '/admin/v1/import', { data_orgs: (await convert()).document })).toContain('409');
});

it('It can be imported with the user renamed, who signs in with the new name', async () => {
  const { orgId, document } = await convert({ renames: new Map([['admin', 'birkenhof-admin']]) });
  await api.call('POST', '/admin/v1/import', { data_orgs: document });
  expect(await subjectOf('birkenhof-admin')).toBe(`${orgId}-admin`);
});

it('It can be imported with names that are unique in the organization: typed with its domain, or alone if the application names the organization', async () => {
  const { orgId, document } = await convert({ namesAtDomain: true });
  await api.call('POST', '/admin/v1/import', { data_orgs: document });
  const [{ domain }] = (await world.rows<{ domain: string }>(
    'SELECT domain FROM org_domain WHERE org_id = $1 AND is_primary',
    [orgId],
  )) as [{ domain: string }];
  expect(await subjectOf(`admin@${domain}`)).toBe(`${orgId}-admin`);
  expect(await subjectOf('admin', `openid urn:service:iam:org:id:${orgId}`)).toBe(`${orgId}-admin`);
});

describe('If user names are unique within their organization', () => {
  it('an import may contain such names, with and without a policy that requires this', async () => {
    const first = await world.add.org();
    const people = [
      await world.add.person({ orgId: first.id, userName: 'zilpzalp' }),
      await world.add.person({ orgId: first.id, userName: 'girlitz' }),
    ];
    await api.call('POST', `/admin/v1/orgs/${first.id}/policies/domain`, { userLoginMustBeDomain: true });
    const bring = async (orgId: string, userName: string, policy: object): Promise<string> => {
      const user = {
        userId: `${orgId}-1`,
        user: {
          userName,
          profile: { firstName: 'Z', lastName: 'Z' },
          email: { email: `${orgId}@mail.test`, isEmailVerified: true },
        },
      };
      return api.verdict('POST', '/admin/v1/import', {
        dataOrgs: { orgs: [{ orgId, org: { name: orgId }, ...policy, humanUsers: [user] }] },
      });
    };
    expect(await bring('whole-names', 'zilpzalp', {})).toBe('200');
    expect(await bring('own-names', 'girlitz', { domainPolicy: { userLoginMustBeDomain: true } })).toBe('200');
    const found = await Promise.all(
      ['zilpzalp', `zilpzalp@${first.domain}`, `girlitz@${first.domain}`].map(
        async (name) => (await world.get(UserDirectory).getByLoginName(name)).id,
      ),
    );
    expect(found).toEqual(['whole-names-1', people[0]!.id, people[1]!.id]);
    expect(await bring(first.id, 'Girlitz', {})).toContain('409');
  });
});
