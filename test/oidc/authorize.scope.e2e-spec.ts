import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../support/effort.js';
import { send, sendUnchecked, toQuery } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectAuthorizeRefusal, expectRefusal } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

describe('scope', () => {
  it.each([
    undefined,
    '',
    'email profile',
    'openid\nemail',
    'openid\temail',
    'openid "x"',
    'openid \\',
    'OPENID',
    'openid é',
  ])('without openid or with characters that no scope has is refused: %p [AUT-030]', async (scope) => {
    await expectAuthorizeRefusal(web1, { scope }, 'invalid_scope');
  });

  it('of 10,000 words is refused in 200 ms of processor time and without a query for each [AUT-029]', async () => {
    const scope = `openid ${Array.from({ length: 10_000 }, (_, i) => `urn:service:iam:org:id:${i}`).join(' ')}`;
    const body = toQuery(web1.parameters({ scope }));
    let statements: string[] = [];
    const cpuMs = await cpuMsOf(async () => {
      statements = await statementsDuring(async () => {
        const reply = await send(world.origin, {
          method: 'POST',
          path: paths.authorize,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body,
        });
        expect([400, 413]).toContain(reply.status);
      });
    });
    expect(cpuMs).toBeLessThan(200);
    expect(statements.length).toBeLessThanOrEqual(1);
    expect([400, 414, 431]).toContain(
      (await sendUnchecked(world.origin, { path: `${paths.authorize}?${body}` })).status,
    );
  });

  it('of 1,000 words that fits into a form is refused as well', async () => {
    const arrival = await web1.browser.post(paths.authorize, web1.parameters({ scope: `openid ${'x '.repeat(1000)}` }));
    expectRefusal(web1, arrival, 'invalid_scope');
  });

  it('that names an organization admits no user of another one, on any page [AUT-032]', async () => {
    const [orgA, orgB, alice, carol] = await Promise.all([
      world.cast.orgA,
      world.cast.orgB,
      world.cast.alice,
      world.cast.carol,
    ]);
    const scope = (orgId: string): string => `openid urn:service:iam:org:id:${orgId}`;
    const rp = web1.elsewhere();
    const entered = await rp.enter(await rp.authorize({ scope: scope(orgB.id) }), alice);
    expect(entered.redirect).toBeUndefined();
    // Signed in by another request in the same browser, and back to the first one.
    await rp.signIn(alice);
    const again = await rp.authorize({ scope: scope(orgB.id) });
    expect(again.redirect).toBeUndefined();
    const chosen = await rp.browser.post('/ui/login/userselection', {
      ...again.page!.formWith('loginName').fields,
      userID: alice.id,
    });
    expect(chosen.redirect).toBeUndefined();
    await expectAuthorizeRefusal(rp, { scope: scope(orgB.id), prompt: 'none' }, 'login_required');
    // The other way round, and both where they belong.
    expect(
      (await web1.elsewhere().enter(await web1.elsewhere().authorize({ scope: scope(orgA.id) }), carol)).redirect,
    ).toBeUndefined();
    const payload = await rp.verify((await rp.tokens(alice, { scope: scope(orgA.id) })).id_token);
    expect(payload['urn:service:iam:org:id']).toBe(orgA.id);
    expect(
      (await web1.elsewhere().signIn(carol, { scope: `openid urn:service:iam:org:domain:primary:${orgB.domain}` }))[
        'code'
      ],
    ).toBeDefined();
  });

  it('that names an organization which does not exist is refused, not dropped', async () => {
    await expectAuthorizeRefusal(web1, { scope: 'openid urn:service:iam:org:id:0' }, 'invalid_scope');
  });
});
