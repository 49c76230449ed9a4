import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Idp } from '../../src/extension/test-idp/idp.js';
import { Application, complaintOf, startStage } from './stage.js';

let idp: Idp;

beforeAll(async () => {
  idp = await startStage();
});
afterAll(() => idp.stop());

async function admin(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${idp.admin.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${idp.admin.token}`,
      'Content-Type': 'application/json',
      'x-service-orgid': 'acme',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

describe('A reset', () => {
  it('ends sessions and tokens of every kind', async () => {
    const web = await Application.of(idp, 'web');
    const { access_token: opaque, refresh_token: refresh } = await web.signIn('alice');
    const { accessToken: ofService } = await idp.clientCredentials('worker');
    const { accessToken: signed } = await idp.signIn('alice', { application: 'jwt' });
    await idp.reset();
    for (const token of [opaque, ofService, signed])
      expect(await complaintOf(web.userinfo(token))).toContain('invalid_token');
    expect(await complaintOf(web.refresh(refresh))).toContain('invalid_grant');
    expect((await web.signIn('alice')).claims()?.sub).toBe('alice'); // with the password, since the browser is new
  });

  it('ends them again after a second one', async () => {
    const web = await Application.of(idp, 'web');
    const tokens: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      tokens.push((await web.signIn('alice')).access_token, (await idp.clientCredentials('worker')).accessToken);
      await idp.reset();
    }
    for (const token of tokens) expect(await complaintOf(web.userinfo(token))).toContain('invalid_token');
  });

  it('takes back what was made and changed, whoever did it', async () => {
    await idp.add({ users: { greta: {} }, applications: { extra: {} } });
    await admin('PUT', '/management/v1/users/alice/profile', { firstName: 'Changed', lastName: 'Changed' });
    await idp.lock('bob');
    expect(idp.users).toHaveProperty('greta');
    await idp.reset();
    expect(idp.users).not.toHaveProperty('greta');
    expect(await complaintOf(idp.signIn('greta'))).toContain('no user "greta"');
    expect(await admin('GET', '/management/v1/users/alice')).toMatchObject({
      user: { human: { profile: { firstName: 'Alice' } } },
    });
    expect((await idp.signIn('bob')).accessToken).not.toBe('');
    await idp.add({ users: { greta: {} } });
    expect((await idp.signIn('greta')).accessToken).not.toBe('');
    await idp.reset();
  });

  it('takes back mails, faults and the time', async () => {
    await idp.signIn('erin');
    await idp.faults.arm('token-unavailable', { times: 'until-reset' });
    await idp.clock.jump('31d');
    expect(await idp.mails.list()).not.toEqual([]);
    await idp.reset();
    expect(await idp.mails.list()).toEqual([]);
    expect(await idp.faults.list()).toEqual([]);
    expect(Math.abs((await idp.clock.now()).getTime() - Date.now())).toBeLessThan(5_000);
  });

  it('waits for requests that are being answered, and holds the next ones', async () => {
    const web = await Application.of(idp, 'web');
    const calls = Array.from({ length: 5 }, async () =>
      complaintOf(idp.signIn('alice', { browser: String(Math.random()) })),
    );
    const resets = Array.from({ length: 3 }, async () => complaintOf(idp.reset()));
    const said = await Promise.all([...resets, ...calls]);
    expect(said.slice(0, 3)).toEqual(['nothing', 'nothing', 'nothing']);
    expect(said.join('\n')).not.toMatch(/500|server_error|defect/);
    await idp.reset();
    expect((await web.signIn('alice')).claims()?.sub).toBe('alice');
  });
});
