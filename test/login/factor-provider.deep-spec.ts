import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addOidc, comeBack, leave, link, OUTBOUND, setPolicy, visit } from '../idp/external.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, proofOf, withApp } from './factor-turns.js';
import { pageOf } from './turns.js';

let world: World;
let upstream: Upstream;
let web1: RelyingParty;
let person: TestPerson;
let idpId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  idpId = await addOidc(world, upstream.issuer, {});
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.add.org()).id });
  await link(world, idpId, person.id, person.orgId, person.userName);
});

const come = async (): ReturnType<typeof visit> =>
  visit(web1, upstream, idpId, { sub: person.userName }, { acr_values: '1' });

describe('A user who signs in with a provider', () => {
  it('is asked for their second factor, which is reported in addition to what the provider does not report', async () => {
    const app = await withApp(world, person);
    const asked = pageOf(await come());
    expect(asked.find('#code')).not.toBeNull();
    expect(await proofOf(web1, await web1.browser.submit(asked, { code: app.code() }))).toEqual({
      amr: ['otp', 'mfa'],
      acr: '2',
      authTime: world.now(),
    });
  });

  it('is asked for one that was added while they were there', async () => {
    const there = await leave(web1, idpId);
    const app = await withApp(world, person);
    const asked = pageOf(await comeBack(web1.browser, upstream.answerTo(there, { sub: person.userName })));
    expect(asked.find('#code')).not.toBeNull();
    expect((await web1.browser.submit(asked, { code: app.code() })).redirect).toMatch(/code=/);
  });

  it('sets one up where the policy forces it for everybody', async () => {
    await setPolicy(world, person.orgId, { forceMfa: true });
    expect(pageOf(await come()).find('button[name="factor"]')).not.toBeNull();
  });

  it('proves it there once more when the time of the policy is over', async () => {
    await setPolicy(world, person.orgId, { externalLoginCheckLifetimeSeconds: 3600, passwordCheckLifetimeSeconds: 60 });
    await come();
    world.clock.advance('59m');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    world.clock.advance('1m');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('can sign in if the policy only forces it for those who sign in here', async () => {
    await withApp(world, person);
    await setPolicy(world, person.orgId, { forceMfaLocalOnly: true });
    expect(await proofOf(web1, await come())).toMatchObject({ acr: '1' });
    const here = web1.elsewhere();
    expect((await afterPassword(here, person)).find('#code')).not.toBeNull();
  });
});
