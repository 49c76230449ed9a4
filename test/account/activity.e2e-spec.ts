import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Journal } from '../../src/foundation/event/journal.js';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { Impersonations } from '../../src/token/exchange/impersonations.js';
import { ORIGIN } from '../login/passkey-turns.js';
import { pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder } from './account-turns.js';

let world: World;
let person: TestPerson;
let holder: AccountHolder;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
  holder = new AccountHolder(world, person);
});

const deedsOf = (page: Page): string[] => page.all('.account-items li').map(({ text }) => text);

describe('The activity of an account', () => {
  it('says what happened, the newest first, how its user signed in, and what an administrator did', async () => {
    await holder.open();
    await world.add.profile(person.id, { nickName: 'x' });
    const deeds = deedsOf(await holder.open(paths.accountActivity));
    expect(deeds).toEqual([
      expect.stringMatching(/^Personal details changed.*By an administrator$/),
      expect.stringMatching(/^Signed in.*Password/),
      expect.stringMatching(/^Account created.*By an administrator$/),
    ]);
  });

  it('is in the time zone of the profile, or else in UTC until a script knows that of the browser', async () => {
    await holder.open();
    const timeOf = async (path: string): Promise<[string | undefined, string | undefined]> => {
      const time = (await holder.open(path)).find('time');
      return [time?.text, time?.getAttribute('data-local') ?? undefined];
    };
    const now = world.clock.now();
    const inZone = (timeZone: string): string =>
      new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(now);
    for (const path of [paths.accountActivity, paths.accountDevices])
      expect(await timeOf(path)).toEqual([`${inZone('UTC')} UTC`, 'minute']);
    await world.add.profile(person.id, { zoneinfo: 'Asia/Kolkata' });
    for (const path of [paths.accountActivity, paths.accountDevices])
      expect(await timeOf(path)).toEqual([inZone('Asia/Kolkata'), undefined]);
  });

  it('shows nothing of other users, nor what the user did to others', async () => {
    const other = await world.add.person({ orgId: person.orgId });
    await new AccountHolder(world, other).open();
    await world.transaction((tx) =>
      world.get(Journal).append(tx, {
        aggregateType: 'user',
        aggregateId: other.id,
        type: 'user.state.locked',
        orgId: person.orgId,
        editorId: person.id,
      }),
    );
    expect(deedsOf(await holder.open(paths.accountActivity))).toEqual([
      expect.stringMatching(/^Signed in/),
      expect.stringMatching(/^Account created/),
    ]);
  });

  it('names who acted for the user, and through which application [TEX-017]', async () => {
    const actor = await world.add.person({ orgId: person.orgId, profile: { firstName: 'Sue', lastName: 'Support' } });
    const client = await world.add.client({ projectId: await world.cast.projectP, name: 'Help desk' });
    const impersonation = {
      userId: person.id,
      orgId: person.orgId,
      actorId: actor.id,
      clientId: client.clientId,
      scopes: ['openid'],
      audience: [],
    };
    await world.get(Impersonations).record(impersonation);
    expect(deedsOf(await holder.open(paths.accountActivity))).toEqual([
      expect.stringMatching(/^Signed in/),
      expect.stringMatching(/^Another user acted for you.*Sue Support.*Help desk$/),
      expect.stringMatching(/^Account created/),
    ]);
  });

  it('ends after 90 days', async () => {
    world.clock.advance('91d');
    const deeds = deedsOf(await holder.open(paths.accountActivity));
    expect(deeds).toEqual([expect.stringMatching(/^Signed in/)]);
  });

  it('comes in pages, each entry on one of them, by addresses that count nothing', async () => {
    const payload = (number: number) => ({ fields: [`n${number}`] });
    for (let number = 0; number < 60; number += 1)
      await world.transaction((tx) =>
        world.get(Journal).append(tx, {
          aggregateType: 'user',
          aggregateId: person.id,
          type: number % 2 === 0 ? 'user.human.profile.changed' : 'user.human.phone.changed',
          orgId: person.orgId,
          editorId: EDITOR,
          payload: payload(number),
        }),
      );
    const first = await holder.open(paths.accountActivity);
    const href = first.find('a[href*="before="]')?.getAttribute('href') ?? '';
    expect(decodeURIComponent(href)).not.toMatch(/before=\d+$/);
    const second = pageOf(await holder.browser.get(href));
    expect([deedsOf(first).length, deedsOf(second).length]).toEqual([50, 12]);
    expect(second.find('a[href*="before="]')).toBeNull();
    const strange = pageOf(await holder.browser.get(`${paths.accountActivity}?before=1`));
    expect(deedsOf(strange)).toEqual(deedsOf(first));
  });

  it('leads to what ends a stranger’s access, as far as the organization leaves that to its users', async () => {
    const linksOf = async (): Promise<Array<string | undefined>> =>
      (await holder.open(paths.accountActivity)).all('main > .account-ways a').map((a) => a.getAttribute('href'));
    expect(await linksOf()).toEqual([paths.accountPassword, paths.accountDevices, paths.accountKeys]);
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'selfService', person.orgId, { changePassword: false }, EDITOR),
    );
    expect(await linksOf()).toEqual([paths.accountDevices, paths.accountKeys]);
  });

  it('has no form', async () => {
    expect((await holder.open(paths.accountActivity)).find('main form')).toBeNull();
  });
});
