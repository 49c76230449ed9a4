import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecoveryCodes } from '../../src/user/factor/recovery-codes.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const PASSWORD = 'planted clear Password 7';
const CODES = ['planted-code-1', 'planted-code-2'];
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

const world = await startWorld({ hashing: 'real' });
let api: AdminApi;
let client: RelyingParty;

const person = (id: string, over: Json = {}): Json => ({
  userId: id,
  user: {
    userName: `${id}@clear.test`,
    profile: { firstName: 'C', lastName: 'C' },
    email: { email: `${id}@clear.test`, isEmailVerified: true },
    ...over,
  },
});
const document = (...humanUsers: Json[]): Json => ({
  orgs: [{ orgId: 'org-clear', org: { name: 'Clear' }, humanUsers }],
});
const contents = async (): Promise<string> => (await world.contents()).replace(/^signing_key .*$/m, '');

beforeAll(async () => {
  for (const secret of [PASSWORD, ...CODES]) world.plant(secret);
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

describe('Passwords and recovery codes that a document contains in clear text', () => {
  const sent = document(
    person('clear', { password: PASSWORD, recoveryCodes: CODES.map((raw) => ({ raw })) }),
    person('without'),
  );

  it('are hashed before they are stored', async () => {
    await api.call('POST', '/admin/v1/import', { data_orgs: sent });
    const [user] = await world.rows<{ hash: string; state: string }>(
      `SELECT password_hash AS hash, state FROM user_account WHERE id = 'clear'`,
    );
    expect(user?.hash).toMatch(CURRENT);
    expect(user?.state).toBe('active');
    const [factor] = await world.rows<{ hashes: string[] }>(
      `SELECT recovery_hashes AS hashes FROM auth_factor WHERE user_id = 'clear'`,
    );
    expect(factor?.hashes).toHaveLength(2);
    for (const hash of factor!.hashes) expect(hash).toMatch(CURRENT);
  });

  it('are the same in another Unicode form', async () => {
    const password = 'planted Zo\u00eb-Straße 7';
    const recoveryCodes = [{ raw: 'planted-zo\u00eb' }];
    const other = { password: password.normalize('NFD'), recoveryCodes: [{ raw: 'planted-zoe\u0308' }] };
    await api.call('POST', '/admin/v1/import', { data_orgs: document(person('zoe', other)) });
    const before = await contents();
    await api.call('POST', '/admin/v1/import', { data_orgs: document(person('zoe', { password, recoveryCodes })) });
    expect(await contents()).toBe(before);
  });

  it('are accepted at a sign-in', async () => {
    const answer = client.toAnswer(
      await client.enter(await client.authorize(), { loginName: 'clear@clear.test', password: PASSWORD }),
    );
    expect(answer.code).toBeDefined();
    expect(
      await world
        .get(RecoveryCodes)
        .match({ userId: 'clear', orgId: 'org-clear' }, CODES[1]!, { from: 'here', name: 'clear' }),
    ).toMatch(CURRENT);
  });

  it('change nothing when they are imported again, three times in a row', async () => {
    const before = await contents();
    for (let time = 0; time < 3; time += 1)
      expect((await api.call('POST', '/admin/v1/import', { data_orgs: sent }))['errors']).toEqual([]);
    expect(await contents()).toBe(before);
  });

  it('are a conflict if different ones are stored', async () => {
    expect(
      await api.verdict('POST', '/admin/v1/import', {
        data_orgs: document(
          person('clear', { password: `${PASSWORD}!`, recoveryCodes: CODES.map((raw) => ({ raw })) }),
        ),
      }),
    ).toMatch(/^409/);
  });

  it('appear neither in the log nor in a response', async () => {
    const reply = await api.ask('POST', '/admin/v1/import', {
      data_orgs: document(person('broken', { password: PASSWORD, email: { email: 'none' } })),
    });
    expect(reply.status).toBe(400);
    expect(world.secretsIn(`${reply.text}${world.logText()}`)).toEqual([]);
  });
});

describe('Mails caused by an import', () => {
  const people = document(
    person('may-in', { password: PASSWORD }),
    person('new-1'),
    person('new-2', { email: { email: 'new-2@clear.test' } }),
    person('no-mail', { email: undefined }),
  );

  it('are not sent unless the request asks for them, nor by a dry run', async () => {
    await api.call('POST', '/admin/v1/import', { data_orgs: people, send_init_mails: true, dry_run: true });
    await api.call('POST', '/admin/v1/import', { data_orgs: document(person('quiet')) });
    expect(await world.rows('SELECT 1 FROM outbox')).toEqual([]);
  });

  it('go to users who cannot sign in otherwise, once, however often the document is imported', async () => {
    for (let time = 0; time < 3; time += 1)
      await api.call('POST', '/admin/v1/import', { data_orgs: people, send_init_mails: true });
    const written = await world.rows<{ user: string; kind: string }>(
      'SELECT user_id AS "user", kind FROM outbox ORDER BY 1',
    );
    expect(written).toEqual([
      { user: 'new-1', kind: 'init' },
      { user: 'new-2', kind: 'init' },
    ]);
    expect(await mailsTo(world, 'new-1@clear.test')).toHaveLength(1);
  });
});
