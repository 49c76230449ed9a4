import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readVersion } from '../../../src/foundation/config/version.js';
import { paths } from '../../../src/org/instance/paths.js';
import { addOidc } from '../../idp/external.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { startWorld, type World } from '../../support/world.js';
import { Manager } from './manager.js';

let world: World;
let acme: TestOrg;
let owner: Manager;
let ownerOfAcme: Manager;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.add.org(undefined, 'Acme');
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

describe('Managers of a kind', () => {
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
  it('are answered as pages that do not exist', async () => {
    expect((await owner.open('/ui/admin/nothing')).status).toBe(404);
    const { browser } = owner.holder;
    expect((await browser.request('HEAD', '/ui/admin/nothing')).status).toBe(404);
    expect((await browser.request('PUT', paths.overview)).status).toBe(405);
  });
});
