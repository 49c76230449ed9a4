import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readVersion } from '../../../src/foundation/config/version.js';
import { paths } from '../../../src/org/instance/paths.js';
import { ROLES } from '../../../src/user/permission/role.js';
import { addOidc } from '../../idp/external.js';
import { Browser } from '../../support/browser.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { startWorld, type World } from '../../support/world.js';
import { Manager } from './manager.js';

let world: World;
let acme: TestOrg;
let ilse: TestPerson;
let owner: Manager;
let ownerOfAcme: Manager;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.add.org(undefined, 'Acme');
  ilse = await world.add.person({ orgId: acme.id });
  owner = await Manager.of(world, await world.cast.orgA, 'IAM_OWNER');
  ownerOfAcme = await Manager.of(world, acme, 'ORG_OWNER');
});
afterAll(() => world.close());

const cardOf = ({ id }: TestPerson): string => `${paths.overviewPeople}/${id}`;

describe('What no operation answers', () => {
  it('is on no page: with which devices people are signed in [OVW-007]', async () => {
    await ownerOfAcme.open();
    await world.rows(`UPDATE browser SET agent = 'Firefox', system = 'Android'`);
    const card = await owner.open(cardOf(ownerOfAcme.holder.person));
    expect(card.text).toMatch(/Signed in here.*Password/s);
    expect(card.text).not.toMatch(/Firefox|Android/);
  });

  it('is on no page: the version, to managers who may not read the instance [OVW-007]', async () => {
    const version = `Version: ${readVersion()}`;
    expect((await owner.open(paths.overviewService)).text).toContain(version);
    expect((await ownerOfAcme.open(paths.overviewService)).text).not.toContain(version);
  });
});

describe('The last changes of a person', () => {
  it('are those in the organization of the reader: not of an account with this id elsewhere [OVW-004]', async () => {
    const elsewhere = await world.add.org();
    const profile = { firstName: 'Edda', lastName: 'Elsewhere' };
    const editor = await world.add.person({ orgId: elsewhere.id, profile });
    await world.rows(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, org_id, editor_id, payload, created_at)
       VALUES ('user', $1, 1000, 'user.human.email.changed', $2, $3, '{}', now())`,
      [ilse.id, elsewhere.id, editor.id],
    );
    const card = await ownerOfAcme.open(cardOf(ilse));
    expect(card.text).toContain('Latest changes to this account');
    expect(card.text).not.toContain('Edda Elsewhere');
  });
});

describe('Managers of a kind', () => {
  const PAGES = {
    home: paths.overview,
    people: `${paths.overviewPeople}?query=a`,
    organizations: paths.overviewOrgs,
    applications: paths.overviewApplications,
    policies: paths.overviewPolicies,
    service: paths.overviewService,
  } as const;
  const levels: ReadonlyArray<string> = ['instance', 'org'];
  const roles = Object.entries(ROLES).filter(([, { level }]) => levels.includes(level));

  it.each(roles)(
    'open the pages that their permissions read, and no others: %s [OVW-004]',
    async (role, { permissions }) => {
      const held: readonly string[] = permissions;
      const has = (...some: readonly string[]): boolean => some.some((one) => held.includes(one));
      const readers = {
        people: has('user.read'),
        applications: has('project.app.read', 'org.idp.read', 'iam.idp.read'),
        policies: has('policy.read', 'iam.policy.read'),
        service: has('iam.read', 'org.webhook.read'),
      };
      const isAdmitted = Object.values(readers).some((reads) => reads);
      const manager = await Manager.of(world, acme, role);
      const first = await manager.open();
      expect(first.heading).toBe(isAdmitted ? 'Overview' : 'Your account');
      const wanted = { home: true, organizations: has('org.read'), ...readers };
      for (const [name, path] of Object.entries(PAGES).slice(1)) {
        const { status } = await manager.open(path);
        expect([name, status]).toEqual([name, isAdmitted && wanted[name as keyof typeof wanted] ? 200 : 404]);
      }
    },
  );

  it('see the providers of their organization without its applications', async () => {
    await addOidc(world, 'https://corp.test', { name: 'Corp of Acme' }, acme.id);
    const manager = await Manager.of(world, acme, 'ORG_SETTINGS_MANAGER');
    const page = await manager.open(paths.overviewApplications);
    expect(page.text).toContain('Corp of Acme');
    expect(page.find('form[role="search"]')).toBeNull();
    expect(page.all('h2').map(({ text }) => text)).toEqual(['Identity providers']);
  });
});

describe('Organizations', () => {
  it('of the reader are found among thousands of others with such a name', async () => {
    await world.rows(`INSERT INTO org (id, name) SELECT 'crowd-' || n, 'Crowd ' || n FROM generate_series(1, 1000) n`);
    const [one, other] = [await world.add.org(undefined, 'Crowd of two'), await world.add.org(undefined, 'Crowd too')];
    const manager = await Manager.of(world, one, 'ORG_OWNER');
    await world.add.member(manager.id, ['ORG_OWNER'], { level: 'org', objectId: other.id, orgId: other.id });
    const links = (await manager.open(`${paths.overviewOrgs}?query=crowd`)).ways.map(({ to }) => to);
    expect(links).toEqual(expect.arrayContaining([one, other].map(({ id }) => `${paths.overview}?org=${id}`)));
  });
});

describe('Webhooks of organizations', () => {
  it('that fail are counted where they are listed: on the page of their organization', async () => {
    await world.rows(
      `INSERT INTO webhook (id, level, owner_id, url, types, secret, since, failing_since)
       VALUES ('failing', 'org', $1, 'https://hooks.test/', '{}', '', now(), now())`,
      [acme.id],
    );
    expect((await ownerOfAcme.open()).text).toMatch(/Webhooks that fail: 1/);
    expect((await owner.open()).text).not.toMatch(/Webhooks that fail/);
  });
});

describe('Addresses that nobody links to', () => {
  const values = [
    '%00',
    '%ff',
    '%ED%A0%80',
    '%F0%9F%98%80',
    'x'.repeat(9_000),
    '%25',
    '%5C',
    "'",
    '%E2%80%AE',
    '__proto__',
  ];

  it('are answered as pages: any value of any parameter', async () => {
    const own = [...Object.values(paths).filter((path) => path.startsWith(paths.overview)), cardOf(ilse)];
    const { browser } = owner.holder;
    await owner.open();
    for (const path of own)
      for (const value of values)
        for (const query of [`org=${value}`, `query=${value}&application=${value}&done=${value}`])
          expect([200, 404]).toContain((await browser.request('GET', `${path}?${query}`)).status);
  });

  it('are answered as pages that do not exist: any id, and any other path', async () => {
    const { browser } = owner.holder;
    const ids = [...values, '%2e%2e', '..%2f..', 'a%2Fb', '%0d%0a', 'constructor'];
    const of = (id: string): string[] => [
      `${paths.overviewPeople}/${id}`,
      `${paths.overviewPeople}/${id}/unlock`,
      `${cardOf(ilse)}/${id}`,
      `${cardOf(ilse)}/mails/${id}/resend`,
      `/ui/admin/mails/${id}/resend`,
      `/ui/admin/providers/${id}/test`,
      `/ui/admin/${id}`,
    ];
    for (const path of ids.flatMap(of)) expect([400, 404]).toContain((await browser.request('GET', path)).status);
    expect((await owner.open('/ui/admin/nothing')).status).toBe(404);
    expect((await browser.request('HEAD', '/ui/admin/nothing')).status).toBe(404);
    expect((await browser.request('PUT', paths.overview)).status).toBe(405);
  });

  it('lead strangers to the sign-in, and to no other place', async () => {
    for (const path of [
      `${paths.overviewPeople}/%2e%2e`,
      `${paths.overviewPeople}/%5C%5Cevil.test`,
      `${paths.overview}?org=//evil.test`,
    ]) {
      const person = await Manager.of(world, acme, 'ORG_OWNER');
      expect((await person.open(path)).path).toMatch(/^\/ui\/admin/);
    }
    expect((await new Browser(world).request('GET', `${paths.overviewPeople}/${'x'.repeat(9_000)}`)).status).toBe(200);
  });
});
