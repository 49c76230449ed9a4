import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addOidc } from '../idp/external.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument, HASH, SEED } from './document.js';
import { until } from './holding.js';

const world = await startWorld();
let api: AdminApi;

beforeAll(async () => {
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
afterAll(() => world.close());

const ALL = { withPasswords: true, withOtp: true, withKeys: true };
const person = (userId: string): Json => ({
  userId,
  user: {
    userName: `${userId}@crowd.example`,
    profile: { firstName: 'A', lastName: 'B' },
    email: { email: `${userId}@crowd.example` },
  },
  state: 'USER_STATE_ACTIVE',
});

describe('An export', () => {
  it('is complete, whatever its size [EXP-002]', async () => {
    const orgs = Array.from({ length: 3 }, (_, n) => ({
      orgId: `page-${n}`,
      org: { name: `Page ${n}` },
      humanUsers: Array.from({ length: n === 0 ? 2_001 : 50 }, (__, p) => person(`page-${n}-${p}`)),
      userMetadata: [{ id: `page-${n}-1`, key: 'k', value: 'QQ==' }],
      projects: [{ projectId: `page-project-${n}`, project: { name: 'P' } }],
    }));
    await api.call('POST', '/admin/v1/import', { data_orgs: { orgs } });
    const told = await api.call<{
      orgs: Array<{ orgId: string; humanUsers: unknown[]; projects: unknown[]; userMetadata: unknown[] }>;
    }>('POST', '/admin/v1/export', { orgIds: orgs.map(({ orgId }) => orgId) });
    const counts = told.orgs
      .map(({ orgId, humanUsers, projects, userMetadata }) => [
        orgId,
        humanUsers.length,
        projects.length,
        userMetadata.length,
      ])
      .sort();
    expect(counts).toEqual(orgs.map(({ orgId, humanUsers }) => [orgId, humanUsers.length, 1, 1]).sort());
  });

  it('contains nothing of the instance, no token, no session and no private key [EXP-004]', async () => {
    const org = await world.add.org();
    const service = await world.add.service({ orgId: org.id });
    const somebody = await world.add.person({ orgId: org.id });
    const client = new RelyingParty(world, await world.cast.web1);
    const tokens = await client.tokens(somebody, { scope: 'openid offline_access' });
    await addOidc(world, 'https://planted.example', { name: 'Planted for all' });
    const sessions = await world.rows<{ id: string }>('SELECT id FROM session');
    const text = (await api.ask('POST', '/admin/v1/export', ALL)).text;
    const planted = [
      service.pat,
      service.secret,
      tokens.access_token,
      tokens.refresh_token,
      'Planted for all',
      'planted.example',
      'PRIVATE',
      'IAM_',
      'ersonalAccessToken',
      ...sessions.map(({ id }) => id),
    ];
    expect(planted.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain(service.key.kid); // the public part of a key, as the contract says
  });

  it('ends, with its transaction, when the caller stops reading it [EXP-008]', async () => {
    const { hostname, port } = new URL(world.origin);
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(
        {
          hostname,
          port,
          method: 'POST',
          path: '/admin/v1/export',
          headers: { ...bearer(api.token), 'Content-Type': 'application/json' },
        },
        (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
          response.on('error', () => undefined);
        },
      );
      request.on('error', reject);
      request.end('{}');
    });
    await until(
      async () =>
        (
          await world.rows(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
          )
        ).length === 0,
    );
    expect((await api.ask('POST', '/admin/v1/export', { orgIds: ['page-1'] })).status).toBe(200);
  });
});

describe('An import', () => {
  it('refuses a compressed body, which could expand to any size [EXP-023]', async () => {
    const reply = await api.ask('POST', '/admin/v1/import', gzipSync('{"data_orgs":{"orgs":[]}}').toString('latin1'), {
      'Content-Encoding': 'gzip',
    });
    expect([reply.status, reply.text.includes('body.encoded')]).toEqual([400, true]);
  });

  it('logs who imported how many objects, and nothing of the document; the same holds for an export [EXP-035]', async () => {
    const document = fullDocument();
    await api.call('POST', '/admin/v1/import', { data_orgs: document });
    await api.call('POST', '/admin/v1/export', ALL);
    const [human] = document.orgs[0].humanUsers;
    const changed = structuredClone(document);
    changed.orgs[0].humanUsers[0] = { ...human, user: { ...(human!['user'] as Json), userName: 'someone-else' } };
    expect(await api.verdict('POST', '/admin/v1/import', { data_orgs: changed })).toBe('409 orgs[0].humanUsers[0]');
    const log = world.logText();
    expect(
      [HASH, SEED, 'planted-idp-secret', 'ilse.brandt', 'someone-else', 'Willkommen'].filter((text) =>
        log.includes(text),
      ),
    ).toEqual([]);
    expect(log).toContain('"counts":{');
  });
});
