import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdpAnswerRefused, type IdpHttp } from '../../src/idp/idp-kind.js';
import { leave, linksOf } from '../idp/external.js';
import type { CodeHost } from '../support/code-host.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { CodeHostWorld, HostileKind, statusOf } from './code-host-world.js';

let kinds: CodeHostWorld;
let code: CodeHost;
let world: World;
let web: RelyingParty;

beforeAll(async () => {
  kinds = await CodeHostWorld.start();
  ({ code, world } = kinds);
});
beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  HostileKind.does = {};
});
afterAll(() => kinds.close());

const logged = (from: number): Array<Record<string, unknown>> =>
  world
    .logText()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('an extension failed'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Back from a provider with a code: the status of the page. */
async function comeHome(id: string, party = web): Promise<number> {
  const state = new URL(await leave(party, id)).searchParams.get('state') ?? '';
  return statusOf(party, id, { state, code: 'a-code' });
}

describe('A hostile kind', () => {
  const forever = () => new Promise(() => undefined);
  const defect = () => {
    throw new Error('the library is gone');
  };

  it.each<[string, (...given: never[]) => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers nothing', () => undefined],
    ['answers an object', () => ({ href: 'https://a.example' })],
    ['answers two megabytes', () => `https://a.example/${'x'.repeat(2_000_000)}`],
    ['answers a script', () => 'javascript:alert(1)'],
    ['sends browsers to a private address', () => 'https://10.0.0.1/login'],
    ['sends browsers away without encryption', () => 'http://a.example/login'],
    ['calls a private address', (_: unknown, http: IdpHttp) => http.send({ url: 'https://10.0.0.1/x' }).then(defect)],
  ])('that %s when a browser leaves: a page with 502, and the log names it', async (what, broken) => {
    const id = await kinds.hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { authorizationUrl: broken };
    await expect(leave(web, id)).rejects.toThrow('answered 502');
    if (what !== 'calls a private address')
      expect(logged(from)[0]).toMatchObject({ extension: 'hostile', seam: 'IDP_KIND', part: 'HostileKind' });
    expect(world.logText().slice(from)).toMatch(
      what === 'calls a private address' ? /outbound\.address_refused/ : /HostileKind/,
    );
  });

  it.each<[string, (...given: never[]) => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers a text', () => 'somebody'],
    ['answers null', () => null],
    ['answers a number as the subject', () => ({ subject: 7 })],
    ['answers an empty subject', () => ({ subject: '' })],
    ['answers a subject with a control character', () => ({ subject: 'a\u0000b' })],
    ['answers a subject of 256 characters', () => ({ subject: 'x'.repeat(256) })],
    ['answers a subject of two megabytes', () => ({ subject: 'x'.repeat(2_000_000) })],
    [
      'answers a subject that throws',
      () => ({
        get subject() {
          return defect();
        },
      }),
    ],
  ])('that %s when a browser returns: a page with 502, nobody signed in, and the log names it', async (_, broken) => {
    const id = await kinds.hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { redeem: broken };
    expect(await comeHome(id)).toBe(502);
    expect(await linksOf(world, id)).toEqual([]);
    expect(web.toAnswer(await web.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect(logged(from)[0]).toMatchObject({ extension: 'hostile', seam: 'IDP_KIND', part: 'HostileKind' });
  });

  it('that signs in nobody is a refusal of the provider, not a failure of the extension', async () => {
    const id = await kinds.hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { redeem: () => undefined };
    expect(await comeHome(id)).toBe(400);
    HostileKind.does = {
      redeem: () => {
        throw new IdpAnswerRefused('bad_verification_code');
      },
    };
    expect(await comeHome(id, web.elsewhere())).toBe(400);
    expect(logged(from)).toEqual([]);
    expect(world.logText().slice(from)).toContain('bad_verification_code');
  });

  it("that answers another user's data gets none of their account: provider and subject alone decide", async () => {
    const alice = await world.cast.alice;
    const id = await kinds.hostileProvider();
    HostileKind.does = {
      redeem: () => ({
        subject: 'mallory',
        userId: alice.id,
        orgId: alice.orgId,
        idpId: 'another',
        session: { userId: alice.id },
        email: alice.email,
        emailVerified: true,
        preferredUserName: alice.userName,
      }),
    };
    await comeHome(id);
    const links = await linksOf(world, id);
    expect(links.map(({ userId }) => userId)).not.toContain(alice.id);
    expect(links.map(({ externalUserId }) => externalUserId)).toEqual(['mallory']);
  });

  it('that changes what it is given changes nothing', async () => {
    const id = await kinds.hostileProvider();
    const from = world.logText().length;
    HostileKind.does = {
      authorizationUrl: (leaving: { state: string }) => {
        leaving.state = 'mine';
        return 'https://a.example';
      },
    };
    await expect(leave(web, id)).rejects.toThrow('answered 502');
    expect(logged(from)).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['was too slow', forever, 502],
    ['has answered', async () => ({ subject: 'kept' }), 200],
  ])(
    'that keeps its connection cannot use it after its call %s; the log names the extension',
    async (_, answer, status) => {
      const id = await kinds.hostileProvider();
      let kept: { http: IdpHttp; signal: AbortSignal } | undefined;
      HostileKind.does = {
        redeem: (_: unknown, http: IdpHttp, signal: AbortSignal) => {
          kept = { http, signal };
          return answer();
        },
      };
      expect(await comeHome(id)).toBe(status);
      expect(kept!.signal.aborted).toBe(status === 502);
      const from = world.logText().length;
      for (let use = 0; use < 2; use += 1)
        await expect(kept!.http.send({ url: code.base })).rejects.toThrow('This connection to the provider has ended.');
      const said = world
        .logText()
        .slice(from)
        .match(/"reason":"extension\.handle_kept","extension":"hostile","seam":"IDP_KIND"/g);
      expect(said).toHaveLength(1);
    },
  );
});
