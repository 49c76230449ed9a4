import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld } from '../support/world.js';

const world = await startWorld();
let api: AdminApi;
let home: TestOrg;

beforeAll(async () => {
  home = await world.add.org();
  ({ api } = await callerWith(world, home, ['IAM_OWNER']));
});
afterAll(() => world.close());

interface Refused {
  readonly details: ReadonlyArray<{ readonly fieldViolations: ReadonlyArray<{ readonly description: string }> }>;
}

async function refusalOf(orgs: readonly Json[]): Promise<string> {
  const reply = await api.ask('POST', '/admin/v1/import', { data_orgs: { orgs } });
  return reply.json<Refused>().details[0]!.fieldViolations[0]!.description;
}

const person = (userId: string, userName: string): Json => ({
  userId,
  user: { userName, profile: { firstName: 'A', lastName: 'B' } },
});

it('a taken user name is reported, with its owner and the solutions', async () => {
  const other = await world.add.person({ orgId: home.id, userName: 'taken-name' });
  const refusal = await refusalOf([
    { orgId: 'taken', org: { name: 'Taken' }, humanUsers: [person('new-id', 'Taken-Name')] },
  ]);
  expect(refusal).toContain(
    `has the user name "Taken-Name", which the user ${other.id} of the organization ${home.id} (`,
  );
  expect(refusal).toContain(
    'Rename that one, or change user.userName in the document, or add "domainPolicy": {"userLoginMustBeDomain": true}',
  );
});

it('a user name that occurs twice in the document is reported, with the path of the other', async () => {
  expect(
    await refusalOf([
      { orgId: 'twice', org: { name: 'Twice' }, humanUsers: [person('one-id', 'double'), person('two-id', 'DOUBLE')] },
    ]),
  ).toBe('has the user name "DOUBLE", which orgs[0].humanUsers[0] has already');
});

it('a second organization of the same name gets a domain of its own, and the response names it', async () => {
  const { success, errors } = await api.call('POST', '/admin/v1/import', {
    data_orgs: {
      orgs: [
        { orgId: 'same-1', org: { name: 'Same' } },
        { orgId: 'same-2', org: { name: 'Same' } },
      ],
    },
  });
  const domains = success.orgs.map((org: { domains: string[] }) => org.domains);
  expect(domains).toEqual([['same.localhost'], [expect.stringMatching(/^same-[0-9a-f]{6}\.localhost$/)]]);
  expect(errors).toEqual([
    {
      type: 'given_domain',
      id: 'same-2',
      message: `domains: is ${domains[1][0]}, since another organization has same.localhost`,
    },
  ]);
  expect(await world.rows(`SELECT domain, is_primary FROM org_domain WHERE org_id = 'same-2'`)).toEqual([
    { domain: domains[1][0], is_primary: true },
  ]);
});
