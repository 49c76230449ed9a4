import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setPolicy } from '../login/factor-turns.js';
import { answer, ORIGIN, withKey } from '../login/passkey-turns.js';
import { begin, beginPassword, pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

interface Session {
  readonly id: string;
  readonly creationDate: string;
  readonly passwordCheckDate: string;
}

let world: World;
let orgA: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  orgA = await world.cast.orgA;
  manager = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  viewer = (await callerWith(world, orgA, ['ORG_OWNER_VIEWER'])).api;
  managerOfB = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const sessionsAt = (userId: string): string => `/management/v1/users/${userId}/sessions`;
const list = async (userId: string): Promise<Session[]> =>
  (await viewer.call<{ result: Session[] }>('POST', `${sessionsAt(userId)}/_search`, { query: { asc: true } })).result;

/** Somebody who is signed in in two browsers: their access tokens. */
async function signedInTwice(): Promise<{ person: TestPerson; parties: RelyingParty[]; tokens: string[] }> {
  const person = await world.add.person({ orgId: orgA.id });
  const parties = [new RelyingParty(world, await world.cast.web1), new RelyingParty(world, await world.cast.web1)];
  const tokens: string[] = [];
  for (const party of parties) tokens.push((await party.tokens(person)).access_token);
  return { person, parties, tokens };
}

describe('The sessions of a user', () => {
  it('are listed, with when the user proved who they are', async () => {
    const { person } = await signedInTwice();
    const sessions = await list(person.id);
    expect(sessions).toHaveLength(2);
    for (const session of sessions) expect(session.passwordCheckDate).toBe(session.creationDate);
  });

  it('are listed with each proof: password, security key, passkey', async () => {
    const rooted = await startWorld({ publicUrl: ORIGIN });
    try {
      const org = await rooted.add.org();
      await setPolicy(rooted, org.id, { forceMfa: true, secondFactors: ['u2f'] });
      const person = await rooted.add.person({ orgId: org.id });
      const device = await withKey(rooted, person);
      const web1 = new RelyingParty(rooted, await rooted.cast.web1);
      const asked = pageOf(await web1.enter(await web1.authorize(), person));
      const proved = rooted.clock.now();
      expect(web1.toAnswer(await answer(web1, asked, device)).code).toBeDefined();
      rooted.clock.advance('1m');
      const later = await begin(web1, { prompt: 'login' });
      expect(web1.toAnswer(await answer(web1, later, device)).code).toBeDefined();
      const { api } = await callerWith(rooted, org, ['ORG_OWNER_VIEWER']);
      expect(await api.call('POST', `${sessionsAt(person.id)}/_search`, {})).toMatchObject({
        result: [
          {
            passwordCheckDate: expect.any(String),
            secondFactorCheckDate: proved.toISOString(),
            isSecondFactorKey: true,
            passkeyCheckDate: rooted.clock.now().toISOString(),
          },
        ],
      });
    } finally {
      await rooted.close();
    }
  });

  it('are ended one by one; its tokens become invalid at once, those of others stay', async () => {
    const { person, parties, tokens } = await signedInTwice();
    const [first] = await list(person.id);
    expect(await manager.call('DELETE', `${sessionsAt(person.id)}/${first!.id}`)).toEqual({ ended: 1 });
    const statuses = await Promise.all(
      parties.map(async (party, index) => (await party.userinfo(tokens[index]!)).status),
    );
    expect(statuses).toEqual([401, 200]);
    expect(await list(person.id)).toHaveLength(1);
    expect(await manager.verdict('DELETE', `${sessionsAt(person.id)}/${first!.id}`)).toBe('404 session.not_found');
  });

  it('are ended all at once, which the journal says of the manager', async () => {
    const { person, parties, tokens } = await signedInTwice();
    expect(await manager.call('DELETE', sessionsAt(person.id))).toEqual({ ended: 2 });
    expect((await parties[1]!.userinfo(tokens[1]!)).status).toBe(401);
    expect(await manager.call('DELETE', sessionsAt(person.id))).toEqual({ ended: 0 });
    const editors = await world.rows<{ editorId: string }>(
      `SELECT DISTINCT e.editor_id AS "editorId"
       FROM event e
       JOIN session s ON s.id = e.aggregate_id
       WHERE e.type = 'session.ended' AND s.user_id = $1`,
      [person.id],
    );
    expect(editors.map(({ editorId }) => editorId)).not.toContain(person.id);
  });

  it('belong to managers of that organization, and viewers end none', async () => {
    const { person } = await signedInTwice();
    const other = await world.add.person({ orgId: orgA.id });
    const [session] = await list(person.id);
    expect(await viewer.verdict('DELETE', sessionsAt(person.id))).toBe('403 permission.missing');
    expect(await managerOfB.verdict('POST', `${sessionsAt(person.id)}/_search`, {})).toBe('404 user.not_found');
    expect(await managerOfB.verdict('DELETE', sessionsAt(person.id))).toBe('404 user.not_found');
    expect(await manager.verdict('DELETE', `${sessionsAt(other.id)}/${session!.id}`)).toBe('404 session.not_found');
    expect(await list(person.id)).toHaveLength(2);
  });

  it('of an administrator are not ended by somebody with fewer rights', async () => {
    const owner = await world.add.person({ orgId: orgA.id });
    await (await callerWith(world, orgA, ['IAM_OWNER'])).api.call('POST', '/admin/v1/members', {
      userId: owner.id,
      roles: ['IAM_OWNER'],
    });
    expect(await manager.verdict('DELETE', sessionsAt(owner.id))).toBe('403 permission.user_too_strong');
  });
});

describe('The users of all organizations', () => {
  const search = '/management/v1/global/users/_search';

  it('are found by a part of a name or address, in any case, with the login names of their organization', async () => {
    const orgB = await world.cast.orgB;
    const inA = await world.add.person({ orgId: orgA.id, userName: 'quokka.one' });
    const inB = await world.add.person({ orgId: orgB.id, userName: 'quokka.two' });
    const { api } = await callerWith(world, orgA, ['IAM_OWNER_VIEWER']);
    const { result } = await api.call<{
      result: Array<{ id: string; details: { resourceOwner: string }; preferredLoginName: string }>;
    }>('POST', search, { text: 'QUOKKA' });
    expect(result.map(({ id, details }) => [id, details.resourceOwner]).sort()).toEqual(
      [
        [inA.id, orgA.id],
        [inB.id, orgB.id],
      ].sort(),
    );
    expect(result.find(({ id }) => id === inB.id)!.preferredLoginName).toBe(inB.loginName);
  });

  it('are not for managers of one organization, and not without a text to look for', async () => {
    expect(await manager.verdict('POST', search, { text: 'quokka' })).toBe('403 permission.missing');
    const { api } = await callerWith(world, orgA, ['IAM_OWNER']);
    expect(await api.verdict('POST', search, { text: 'qu' })).toBe('400 text');
    expect(await api.verdict('POST', search, {})).toBe('400 text');
    expect((await api.call<{ result: unknown[] }>('POST', search, { text: '%_%' })).result).toEqual([]);
  });
});

describe('The journal', () => {
  it('reads in sentences, newest first, with the names of who and what', async () => {
    const person = await world.add.person({ orgId: orgA.id });
    const { api, id } = await ownerOf();
    await api.call('POST', `/management/v1/users/${person.id}/_lock`);
    await api.call('POST', `/management/v1/users/${person.id}/_unlock`);
    const { events } = await api.call<{
      events: Array<{ sentence: string; editor: { userId: string; displayName: string }; type: { localized: object } }>;
    }>('POST', '/admin/v1/events/_search', { aggregateId: person.id, limit: 2 });
    const [{ displayName } = { displayName: '' }] = await world.rows<{ displayName: string }>(
      'SELECT display_name AS "displayName" FROM user_account WHERE id = $1',
      [person.id],
    );
    expect(events.map(({ sentence, editor }) => [editor.userId, sentence])).toEqual([
      [id, `${events[0]!.editor.displayName}: Activated the user “${displayName}”`],
      [id, `${events[0]!.editor.displayName}: Locked the user “${displayName}”`],
    ]);
    expect(events[0]!.type.localized).toEqual({ key: 'user.state.active', localizedMessage: 'Activated a user' });
  });

  it('finds the failed sign-ins of a user, and keeps nothing of what was typed for nobody [LOG-125]', async () => {
    const person = await world.add.person({ orgId: orgA.id });
    const { api } = await ownerOf();
    const rp = new RelyingParty(world, await world.cast.web1);
    for (const name of [person.loginName, 'a-password-in-the-wrong-field'])
      await rp.browser.submit(await beginPassword(rp, name), { password: 'wrong password, quite long' });
    const search = async (filter: Json) =>
      (await api.call<{ events: Array<Record<string, Json>> }>('POST', '/admin/v1/events/_search', filter)).events;
    const found = await search({ aggregateId: person.id, asc: true });
    expect(found.map(({ type }) => type?.['type'])).toEqual(['user.human.added', 'sign_in.password.check.failed']);
    expect(found[1]).toMatchObject({
      payload: { reason: 'password_wrong', userId: person.id, userName: person.userName },
      sentence: expect.stringMatching(/^Gatehouse: Typed a wrong password in the sign-in of “.+” \(/),
    });
    expect(await search({ aggregateId: person.id, aggregateTypes: ['sign_in'] })).toHaveLength(1);
    expect(await search({ aggregateId: person.id, limit: 1 })).toEqual([found[1]]);
    const [unknown] = await search({ aggregateTypes: ['sign_in'], limit: 1 });
    expect(unknown!['payload']).toEqual({ reason: 'unknown', userId: null, userName: null });
    expect(JSON.stringify(await world.rows('SELECT * FROM event'))).not.toContain('a-password-in-the-wrong-field');
  });

  it('refuses types that cannot occur, by name and with the nearest, in both searches', async () => {
    const { api } = await ownerOf();
    const strange = { eventTypes: ['user.human.aded', 'user.human.added'], aggregateTypes: ['usr'] };
    for (const level of ['admin', 'management']) {
      const { code, details } = (await api.ask('POST', `/${level}/v1/events/_search`, strange)).json<{
        code: number;
        details: ReadonlyArray<{ fieldViolations: unknown }>;
      }>();
      expect([code, details[0]!.fieldViolations]).toEqual([
        3,
        [
          {
            field: 'eventTypes',
            description: '"user.human.aded" is not an event type; the nearest is user.human.added',
          },
          { field: 'aggregateTypes', description: '"usr" is not an aggregate type; the nearest is user' },
        ],
      ]);
    }
    // Internal ones are no part of the catalogue, and may not have happened yet.
    const filter = { eventTypes: ['sign_in.mfa.check.failed', 'policy.login.factor.second.added'] };
    expect(await api.verdict('POST', '/admin/v1/events/_search', filter)).toBe('200');
  });

  const ownerOf = async (): Promise<{ api: AdminApi; id: string }> => {
    const { api } = await callerWith(world, orgA, ['IAM_OWNER']);
    const { user } = await api.call('GET', '/auth/v1/users/me');
    return { api, id: user.id as string };
  };
});
