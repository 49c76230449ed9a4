import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { setState } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestPerson } from '../support/builders.js';
import type { World } from '../support/world.js';
import { BadgeGrant, BadgeStage, forgetBadges, outcomeOf } from './badge-stage.js';

let stage: BadgeStage;
let world: World;
let alice: TestPerson;
let api: AdminApi;

beforeAll(async () => {
  stage = await BadgeStage.set();
  ({ world, alice, api } = stage);
});
beforeEach(() => world.clock.advance('16m'));
afterEach(forgetBadges);
afterAll(() => world.close());

describe('A user whom a grant names', () => {
  it.each<[string, (user: TestPerson) => Promise<unknown>]>([
    ['is inactive', (user) => setState(world, user, 'inactive')],
    ['is locked', (user) => setState(world, user, 'locked')],
    [
      'belongs to an inactive organization',
      (user) => world.rows(`UPDATE org SET state = 'inactive' WHERE id = $1`, [user.orgId]),
    ],
  ])('gets no tokens who %s', async (_, change) => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    await change(user);
    const reply = await stage.ask({ badge: user.id });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'The grant is not valid.' },
    ]);
  });

  it('gets none who does not exist, or is a service user', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    for (const id of ['nobody', service.id])
      expect(outcomeOf(await stage.ask({ badge: id }))).toBe('400 invalid_grant');
  });

  it('gets none of a project that admits neither their organization nor their roles', async () => {
    const closed = await world.add.project({ orgId: (await world.add.org()).id, hasProjectCheck: true });
    expect(outcomeOf(await stage.ask({}, await stage.partyWith({ projectId: closed })))).toBe('400 invalid_grant');
    const roled = await world.add.project({ orgId: alice.orgId, projectRoleCheck: true }, ['viewer']);
    const rp = await stage.partyWith({ projectId: roled });
    expect(outcomeOf(await stage.ask({}, rp))).toBe('400 invalid_grant');
    await world.add.grant(alice.id, roled, alice.orgId, ['viewer']);
    expect(outcomeOf(await stage.ask({}, rp))).toBe('ok');
  });

  it('gets none of another organization than the request requires', async () => {
    const other = await world.add.org();
    const scope = (id: string): string => `openid urn:service:iam:org:id:${id}`;
    expect(outcomeOf(await stage.ask({ scope: scope(other.id) }))).toBe('400 invalid_grant');
    expect(outcomeOf(await stage.ask({ scope: scope(alice.orgId) }))).toBe('ok');
  });

  it('gets none without the second factor that the login policy demands', async () => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    const { api: manager } = await callerWith(world, org, ['ORG_OWNER']);
    await manager.call('POST', '/management/v1/policies/login', { allowUsernamePassword: true, forceMfa: true });
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('400 invalid_grant');
    BadgeGrant.does = () => ({ userId: user.id, amr: ['hwk', 'pin', 'mfa'] });
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('ok');
  });

  it('gets none with a second factor that is older than the login policy accepts', async () => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    const { api: manager } = await callerWith(world, org, ['ORG_OWNER']);
    const policy = { allowUsernamePassword: true, forceMfa: true, secondFactorCheckLifetime: '3600s' };
    await manager.call('POST', '/management/v1/policies/login', policy);
    const shownBefore = (ms: number) => () => ({
      userId: user.id,
      amr: ['hwk', 'pin', 'mfa'],
      authTime: new Date(world.clock.now().getTime() - ms),
    });
    BadgeGrant.does = shownBefore(3_599_000);
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('ok');
    BadgeGrant.does = shownBefore(3_600_000);
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('400 invalid_grant');
  });

  it('gets none for the administrative API', async () => {
    const scope = 'openid urn:service:iam:org:project:id:service:aud';
    const tokens = await stage.granted({ scope });
    expect(tokens.scope).toBe('openid');
    expect(
      await new (api.constructor as typeof AdminApi)(world.origin, tokens.access_token).verdict(
        'GET',
        '/auth/v1/users/me',
      ),
    ).toMatch(/^401/);
  });

  it('gets none through an application of the system project, whose tokens are for the administrative API', async () => {
    const { systemProjectId } = await world.get(InstanceService).get();
    const rp = await stage.partyWith({ projectId: systemProjectId });
    for (const scope of ['openid', undefined])
      expect(outcomeOf(await stage.ask({ scope }, rp))).toBe('400 unauthorized_client');
    expect(BadgeGrant.asked).toEqual([]);
  });
});
