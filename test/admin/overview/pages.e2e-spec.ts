import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocsLinks } from '../../../src/admin/kit/docs-link.js';
import { DayCounts } from '../../../src/foundation/day-count/day-counts.js';
import { paths } from '../../../src/org/instance/paths.js';
import { AccountHolder } from '../../account/account-turns.js';
import { setPolicy } from '../../login/factor-turns.js';
import { setState } from '../../login/turns.js';
import type { Page } from '../../support/browser.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { statementsDuring } from '../../support/statement-counter.js';
import { startWorld, type World } from '../../support/world.js';
import { Manager } from './manager.js';

let world: World;
let acme: TestOrg;
let birken: TestOrg;
let ilse: TestPerson;
let jonas: TestPerson;
let owner: Manager;
let ownerOfAcme: Manager;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.add.org(undefined, 'Acme');
  birken = await world.add.org(undefined, 'Birkenhof');
  ilse = await world.add.person({
    orgId: acme.id,
    userName: 'ilse',
    profile: { firstName: 'Ilse', lastName: 'Brandt' },
  });
  jonas = await world.add.person({
    orgId: birken.id,
    userName: 'jonas',
    profile: { firstName: 'Jonas', lastName: 'Brandt' },
  });
  owner = await Manager.of(world, await world.cast.orgA, 'IAM_OWNER');
  ownerOfAcme = await Manager.of(world, acme, 'ORG_OWNER');
});
afterAll(() => world.close());

const cardOf = ({ id }: TestPerson): string => `${paths.overviewPeople}/${id}`;
const find = (text: string): string => `${paths.overviewPeople}?${new URLSearchParams({ query: text })}`;
const linksOf = (page: Page): string[] => page.ways.map(({ to }) => to);

describe('The overview', () => {
  it('is for users with a role: others are led to their account, and its other pages do not exist for them', async () => {
    const nobody = new AccountHolder(world, await world.add.person({ orgId: acme.id }));
    expect((await nobody.open(paths.overview)).heading).toBe('Your account');
    for (const path of [find('ilse'), cardOf(ilse), paths.overviewService, `${cardOf(ilse)}/unlock`])
      expect((await nobody.open(path)).status).toBe(404);
  });

  it('leads people who are not signed in back to the page that they asked for', async () => {
    const other = await Manager.of(world, acme, 'ORG_OWNER');
    const page = await other.open(find('ilse'));
    expect(page.path).toBe(find('ilse'));
    expect(page.text).toContain('Ilse Brandt');
  });

  it('counts sign-ins and failures of the last days, of an organization or of all', async () => {
    const rp = new RelyingParty(world, await world.cast.web1);
    await rp.tokens(jonas);
    const other = rp.elsewhere();
    await other.enter(await other.authorize(), { ...jonas, password: 'Wrong-Horse-7' });
    await world.get(DayCounts).write();
    const ofBirken = await owner.open(`${paths.overview}?org=${birken.id}`);
    expect(ofBirken.text).toMatch(/Sign-ins: 1/);
    expect(ofBirken.text).toMatch(/Refused: [1-9]/);
    expect((await owner.open()).text).toMatch(/Sign-ins: [2-9]/);
    expect((await ownerOfAcme.open()).text).toMatch(/Refused: 0/);
  });

  it('says in sentences with names what was changed, of an organization to its managers', async () => {
    await setPolicy(world, acme.id, { forceMfa: false, secondFactors: ['otp'] });
    const whole = await owner.open();
    expect(whole.text).toContain('“Ilse Brandt”');
    expect(whole.text).toContain('“Jonas Brandt”');
    const own = await ownerOfAcme.open();
    expect(own.text).toContain('“Ilse Brandt”');
    expect(own.text).not.toContain('Jonas');
    expect(linksOf(own).some((href) => href.startsWith(`/docs#/Events/ListOrgEvents?aggregateId=`))).toBe(true);
  });

  it('opens no organization to managers of another [OVW-004]', async () => {
    for (const path of [paths.overview, paths.overviewPolicies, paths.overviewService, paths.overviewApplications]) {
      expect((await ownerOfAcme.open(`${path}?org=${birken.id}`)).status).toBe(404);
      expect((await ownerOfAcme.open(`${path}?org=unknown`)).status).toBe(404);
      expect((await ownerOfAcme.open(`${path}?org=${acme.id}`)).status).toBe(200);
    }
  });
});

describe('People', () => {
  it.each([
    ['a part of the name', () => 'brand'],
    ['both names in any order', () => 'brandt ils'],
    ['the beginning of a short name', () => 'il'],
    ['the beginning of any name', () => 'i br'],
    ['names with a dash between them', () => 'Brandt – Ilse'],
    ['the address', () => ilse.email],
    ['the login name', () => ilse.loginName],
    ['the id', () => ilse.id],
  ])('are found by %s', async (_, text) => {
    expect(linksOf(await owner.open(find(text())))).toContain(cardOf(ilse));
  });

  it('are those of the organizations whose users the reader may read [OVW-004]', async () => {
    expect(linksOf(await owner.open(find('brandt')))).toEqual(expect.arrayContaining([cardOf(ilse), cardOf(jonas)]));
    const links = linksOf(await ownerOfAcme.open(find('brandt')));
    expect(links).toContain(cardOf(ilse));
    expect(links).not.toContain(cardOf(jonas));
    expect((await ownerOfAcme.open(find(jonas.id))).text).toContain('Nobody was found');
    expect((await ownerOfAcme.open(cardOf(jonas))).status).toBe(404);
  });

  it('are found by what contains signs of patterns as it stands', async () => {
    for (const text of ['%%%', '%', 'ilse_', 'i%'])
      expect((await owner.open(find(text))).text).toContain('Nobody was found');
    expect((await owner.open(find("il'; DROP TABLE org; --"))).text).toContain('Nobody was found');
  });
});

describe('The card of a person', () => {
  it('says what the account is, where it is signed in, and answers why it cannot sign in, with what mends it', async () => {
    const locked = await world.add.person({ orgId: acme.id, profile: { firstName: 'Lea', lastName: 'Lock' } });
    await new RelyingParty(world, await world.cast.web1).tokens(locked);
    await setState(world, locked, 'locked');
    const page = await ownerOfAcme.open(cardOf(locked));
    expect(page.heading).toContain('Lea Lock');
    expect(page.text).toContain('Account is locked');
    expect(page.text).toContain('Lea Lock has been locked');
    expect(linksOf(page)).toContain(`${cardOf(locked)}/unlock`);
    expect(linksOf(page)).toContain(`/docs#/Users/UnlockUser?id=${locked.id}&x-org=${acme.id}`);
  });

  it('answers for an application whose role is missing, with the operations that mend it', async () => {
    const projectId = await world.add.project({ orgId: acme.id, name: 'Shop', projectRoleCheck: true }, ['buyer']);
    const client = await world.add.client({ projectId, name: 'Shop' });
    const page = await owner.open(`${cardOf(ilse)}?application=${client.clientId}`);
    expect(page.text).toContain('Role is missing');
    expect(linksOf(page).some((href) => href.includes('/AddUserGrant?'))).toBe(true);
  });

  it('has a link for every operation that an answer can name', () => {
    const named = globSync('src/management/why/*.ts').flatMap((path) =>
      (readFileSync(path, 'utf8').match(/operationId: .*/g) ?? []).flatMap(
        (line) => line.match(/(?<=')[A-Z]\w+(?=')/g) ?? [],
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    for (const id of named) expect(world.get(DocsLinks).filling(id, {}, acme.id)).toContain(`/${id}`);
  });

  it('answers for an application, and says so if there is none of that name', async () => {
    const { clientId } = await world.cast.web1;
    const known = await owner.open(`${cardOf(ilse)}?application=${clientId}`);
    expect(known.text).not.toContain('There is no such application');
    const unknown = await owner.open(`${cardOf(ilse)}?application=nothing`);
    expect(unknown.text).toContain('There is no such application');
    expect(unknown.text).not.toContain('can sign in');
  });

  it('asks nothing about the sign-in of a service user', async () => {
    const { id } = await world.add.service({ orgId: acme.id });
    const page = await ownerOfAcme.open(`${paths.overviewPeople}/${id}`);
    expect(page.text).toContain('Service user');
    expect(page.text).not.toMatch(/Can this person sign in|Ways to sign in/);
  });

  it('shows failed sign-ins with their reason', async () => {
    const rp = new RelyingParty(world, await world.cast.web1);
    await rp.enter(await rp.authorize(), { ...ilse, password: 'Wrong-Horse-7' });
    expect((await ownerOfAcme.open(cardOf(ilse))).text).toContain('Wrong password');
  });

  it('offers only what the role allows', async () => {
    const viewer = await Manager.of(world, acme, 'ORG_OWNER_VIEWER');
    const links = linksOf(await viewer.open(cardOf(ilse)));
    expect(links.filter((href) => href.startsWith(`${cardOf(ilse)}/`))).toEqual([]);
    expect((await viewer.open(`${cardOf(ilse)}/deactivate`)).status).toBe(404);
  });
});

describe('Organizations', () => {
  it('are found by parts of names and domains, with the pages about each', async () => {
    const links = linksOf(await owner.open(`${paths.overviewOrgs}?query=irkenh`));
    expect(links).toContain(`${paths.overviewPolicies}?org=${birken.id}`);
    expect(links).not.toContain(`${paths.overviewPolicies}?org=${acme.id}`);
    expect(linksOf(await owner.open(`${paths.overviewOrgs}?query=${acme.domain}`))).toContain(
      `${paths.overview}?org=${acme.id}`,
    );
  });

  it('are no page for managers of one', async () => {
    expect(linksOf(await ownerOfAcme.open())).not.toContain(paths.overviewOrgs);
  });
});

describe('Applications and policies', () => {
  it('show issuer, client id and last use', async () => {
    const client = await world.cast.web1;
    await world.get(DayCounts).write();
    const page = await owner.open(`${paths.overviewApplications}?${new URLSearchParams({ query: client.clientId })}`);
    expect(page.text).toContain(world.issuer);
    expect(page.text).toContain(client.clientId);
    expect(page.text).not.toContain('Not in the last three months');
  });

  it('mark what an organization has of its own', async () => {
    await setPolicy(world, acme.id, { hidePasswordReset: true });
    const page = await ownerOfAcme.open(paths.overviewPolicies);
    expect(page.text).toMatch(/hidePasswordReset\s*Yes/);
    expect(page.text).toContain('Instance: No');
    expect(linksOf(page)).toContain(`/docs#/Login%20policy/GetLoginPolicyOfOrg?x-org=${acme.id}`);
  });
});

describe('What others have chosen', () => {
  it('is text: a name with markup, and an address that says what was done [OVW-005]', async () => {
    const person = await world.add.person({
      orgId: acme.id,
      profile: { firstName: '<img src=x onerror=alert(1)>', lastName: '</title><script>' },
    });
    for (const path of [cardOf(person), find('onerror'), paths.overview]) {
      const page = await owner.open(path);
      expect(page.find('img, script:not([src])')).toBeNull();
      expect(page.text).toContain('<img src=x onerror=alert(1)>');
    }
    const page = await owner.open(`${paths.overview}?done=${encodeURIComponent('Call this number')}`);
    expect(page.text).not.toContain('Call this number');
  });
});

describe('Each page', () => {
  it.each([
    ['the first one', () => paths.overview, 10],
    ['a search of people', () => find('brandt'), 10],
    ['organizations', () => paths.overviewOrgs, 10],
    ['applications', () => paths.overviewApplications, 10],
    ['policies', () => `${paths.overviewPolicies}?org=${acme.id}`, 10],
    ['operation', () => paths.overviewService, 10],
    ['the card of a person, with the answer to why', () => cardOf(ilse), 16],
  ])('takes few statements: %s', async (_, path, most) => {
    await owner.open(path()); // what is cached is read once
    const taken = await statementsDuring(() => owner.holder.browser.get(path()));
    expect(taken.length <= most ? [] : taken.map((text) => text.slice(0, 60))).toEqual([]);
  });
});
