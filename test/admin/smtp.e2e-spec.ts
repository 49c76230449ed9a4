import { createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { authority } from '../idp/certificate.js';
import { AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { MailServer, mailingBy } from '../support/mail-server.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const SMTP = '/admin/v1/smtp';
const PASSWORD = 'p&ss-at-the-mail-server';
const OTHER_PASSWORD = 'another-p&ss-at-the-mail-server';
const RECEIVER = { receiverAddress: 'somebody@mail.test' };

/** That of SMTP_URL. */
let ofEnvironment: MailServer;
/** Asks for a password, over STARTTLS, under a name that its certificate has. */
let closed: MailServer;
/** Asks for nothing, and offers no encryption. */
let open: MailServer;
let accepted = PASSWORD;
const offered: string[] = [];
let world: World;
let replica: World;
let org: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let ofOrg: AdminApi;

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), authority]);
  ofEnvironment = await MailServer.open();
  open = await MailServer.open();
  closed = await MailServer.open({
    disabledCommands: [],
    authOptional: false,
    onAuth: ({ username, password }, _session, done) => {
      offered.push(password ?? '');
      if (password === accepted) done(null, { user: username });
      else done(new Error(`No user has ${password}, ${Buffer.from(password ?? '').toString('base64')}`));
    },
  });
  const env = { ...mailingBy(ofEnvironment), OUTBOUND_ALLOW: '127.0.0.1' };
  world = await startWorld({ env });
  replica = await startWorld({ replicaOf: world, env });
  for (const one of [world, replica]) {
    one.get(NameResolver).addressesOf = async (name) => [
      { address: name === 'internal.test' ? '10.9.0.9' : '127.0.0.1', family: 4 },
    ];
    for (const secret of [PASSWORD, OTHER_PASSWORD]) one.plant(secret);
  }
  org = await world.cast.orgA;
  ({ api: owner } = await callerWith(world, org, ['IAM_OWNER']));
  ({ api: viewer } = await callerWith(world, org, ['IAM_OWNER_VIEWER']));
  ({ api: ofOrg } = await callerWith(world, org, ['ORG_OWNER']));
});

afterEach(async () => {
  for (const { id } of await list()) await owner.call('DELETE', `${SMTP}/${id}`);
  for (const server of [ofEnvironment, open, closed]) server.taken.length = 0;
  offered.length = 0;
  accepted = PASSWORD;
  world.clock.advance('1m'); // A minute has ten tests.
});

afterAll(async () => {
  await replica.close();
  await world.close();
  for (const server of [ofEnvironment, open, closed]) await server.close();
});

interface Config {
  readonly id: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

/** With a password. */
const guarded = (): Json => ({
  senderAddress: 'no-reply@acme.test',
  senderName: 'Acme, Inc.',
  tls: true,
  host: `provider.test:${closed.port}`,
  user: 'gate',
  password: PASSWORD,
  replyToAddress: 'help@acme.test',
  description: 'Ours',
});
/** Without one, within our own network. */
const plain = (): Json => ({ senderAddress: 'plain@acme.test', host: `127.0.0.1:${open.port}` });

const add = async (settings: Json): Promise<string> => (await owner.call<{ id: string }>('POST', SMTP, settings)).id;
const activate = async (id: string): Promise<void> => void (await owner.call('POST', `${SMTP}/${id}/_activate`, {}));
const list = async (body: Json = {}): Promise<Config[]> =>
  (await viewer.call<{ result?: Config[] }>('POST', `${SMTP}/_search`, body)).result ?? [];
const inUse = async (at = world): Promise<Json> =>
  new AdminApi(at.origin, viewer.token).call('GET', '/admin/v1/settings/mail');
const messageOf = async (method: string, path: string, body: Json): Promise<string> =>
  (await owner.ask(method, path, body)).json<{ message: string }>().message;

/** A mail of a new user, which this process sends; answers its state. */
async function mailFrom(sender: World): Promise<string> {
  const userName = uniqueName('smtp');
  const email = `${userName}@mail.test`;
  await ofOrg.call('POST', '/management/v1/users/human', {
    userName,
    profile: { firstName: 'A', lastName: 'B' },
    email: { email },
  });
  await sender.get(MailWorker).run();
  await Promise.all([world.get(MailWorker).run(), replica.get(MailWorker).run()]);
  const [row] = await world.rows<{ state: string; reason: string }>(
    'SELECT state, reason FROM outbox WHERE recipient = $1',
    [email],
  );
  return `${row?.state} ${row?.reason}`.trim();
}

describe('An SMTP configuration', () => {
  it('is added, read, changed, activated, deactivated and removed, and its password is never shown', async () => {
    const id = await add(guarded());
    const { password: _password, ...shown } = guarded();
    const expected = {
      ...shown,
      id,
      state: 'SMTP_CONFIG_INACTIVE',
      details: expect.objectContaining({ sequence: '1' }),
    };
    expect((await viewer.call('GET', `${SMTP}/${id}`))['smtpConfig']).toEqual(expected);
    expect(await list()).toEqual([expected]);
    expect(await viewer.verdict('GET', SMTP)).toBe('404 mail_server.none_active');

    await activate(id);
    expect((await viewer.call('GET', SMTP))['smtpConfig']).toMatchObject({ id, state: 'SMTP_CONFIG_ACTIVE' });
    expect(await owner.verdict('POST', `${SMTP}/${id}/_activate`, {})).toBe('400 mail_server.active');
    const changed = { ...guarded(), password: '', description: 'Yours' };
    await owner.call('PUT', `${SMTP}/${id}`, changed);
    expect(await owner.verdict('PUT', `${SMTP}/${id}`, changed)).toBe('400 mail_server.unchanged');
    expect((await list())[0]).toMatchObject({ description: 'Yours', state: 'SMTP_CONFIG_ACTIVE' });

    await owner.call('POST', `${SMTP}/${id}/_deactivate`, {});
    expect(await owner.verdict('POST', `${SMTP}/${id}/_deactivate`, {})).toBe('400 mail_server.inactive');
    await owner.call('DELETE', `${SMTP}/${id}`);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/_activate'],
      ['POST', '/_test'],
    ] as const)
      expect(await owner.verdict(method, `${SMTP}/${id}${path}`, method === 'POST' ? RECEIVER : undefined)).toBe(
        '404 mail_server.not_found',
      );
    const types = await world.rows<{ type: string }>(
      'SELECT type FROM event WHERE aggregate_id = $1 ORDER BY position',
      [id],
    );
    expect(types.map(({ type }) => type.replace('mail_server.', ''))).toEqual([
      'added',
      'activated',
      'changed',
      'deactivated',
      'removed',
    ]);
  });

  it('is one of at most twenty, and pages of them are as asked for', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 20; i += 1) ids.push(await add(plain()));
    expect(await owner.verdict('POST', SMTP, plain())).toBe('400 mail_server.too_many');
    expect((await list({ query: { offset: '1', limit: 2, asc: true } })).map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect((await list({ query: { limit: 1 } })).map(({ id }) => id)).toEqual([ids.at(-1)]);
  });

  it('is the only active one, also when two are activated at once', async () => {
    const [one, other] = [await add(plain()), await add(plain())];
    await activate(one);
    await activate(other);
    expect((await list()).map(({ state }) => state)).toEqual(['SMTP_CONFIG_INACTIVE', 'SMTP_CONFIG_ACTIVE']);
    await owner.call('POST', `${SMTP}/${other}/_deactivate`, {});
    await Promise.all([activate(one), activate(other)]);
    expect((await list()).filter(({ state }) => state === 'SMTP_CONFIG_ACTIVE')).toHaveLength(1);
  });

  it.each<[string, Json]>([
    ['senderAddress', { senderAddress: 'nobody' }],
    ['senderName', { senderName: 'Acme\r\nBcc: all@mail.test' }],
    ['host', { host: 'smtp://mail.test' }],
    ['host', { host: 'mail.test:99999' }],
    ['user', { user: '' }],
    ['password', { password: 'a\nb' }],
    ['replyToAddress', { replyToAddress: 'a@b.test, c@d.test' }],
  ])('with a wrong %s is refused by the name of the field: %j', async (field, over) => {
    expect(await owner.verdict('POST', SMTP, { ...guarded(), ...over })).toBe(`400 ${field}`);
  });

  it('has a sender of the host of the instance, if the domain policy says so', async () => {
    const id = await add(plain());
    await owner.call('PUT', '/admin/v1/policies/domain', { smtpSenderAddressMatchesInstanceDomain: true });
    expect(await owner.verdict('POST', SMTP, plain())).toBe('400 senderAddress');
    expect(await owner.verdict('POST', `${SMTP}/${id}/_activate`, {})).toBe('400 senderAddress');
    await owner.call('PUT', '/admin/v1/policies/domain', { smtpSenderAddressMatchesInstanceDomain: false });
  });

  it('is read by those who look at the instance, changed by its owners, and nothing to others', async () => {
    const id = await add(plain());
    const writes: ReadonlyArray<readonly [string, string, Json?]> = [
      ['POST', SMTP, plain()],
      ['PUT', `${SMTP}/${id}`, plain()],
      ['PUT', `${SMTP}/${id}/password`, { password: PASSWORD }],
      ['POST', `${SMTP}/${id}/_activate`, {}],
      ['POST', `${SMTP}/${id}/_deactivate`, {}],
      ['POST', `${SMTP}/${id}/_test`, RECEIVER],
      ['POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER }],
      ['DELETE', `${SMTP}/${id}`],
    ];
    for (const [method, path, body] of writes)
      expect(await viewer.verdict(method, path, body)).toBe('403 permission.missing');
    expect(await ofOrg.verdict('POST', `${SMTP}/_search`, {})).toBe('403 permission.missing');
    expect(await ofOrg.verdict('GET', `${SMTP}/${id}`)).toBe('403 permission.missing');
  });
});

describe('The active SMTP configuration', () => {
  it('sends all mails, in every process, before SMTP_URL; without one, the environment counts again', async () => {
    await mailFrom(world);
    await mailFrom(replica);
    expect(ofEnvironment.taken).toHaveLength(2);
    const id = await add(guarded());
    await activate(id);
    expect(await inUse(replica)).toEqual({
      transport: 'MAIL_TRANSPORT_KIND_SMTP',
      host: 'provider.test',
      port: closed.port,
      tls: false,
      userName: 'gate',
      sender: '"Acme, Inc." <no-reply@acme.test>',
      smtpConfigId: id,
    });
    expect([await mailFrom(world), await mailFrom(replica)]).toEqual(['sent', 'sent']);
    expect(closed.taken).toHaveLength(2);
    expect(closed.taken[0]).toMatchObject({
      from: { name: 'Acme, Inc.', address: 'no-reply@acme.test' },
      replyTo: [{ address: 'help@acme.test' }],
      isEncrypted: true,
      user: 'gate',
    });
    await owner.call('POST', `${SMTP}/${id}/_deactivate`, {});
    expect(await inUse(replica)).toMatchObject({ port: ofEnvironment.port, smtpConfigId: '' });
    await mailFrom(replica);
    expect([ofEnvironment.taken.length, closed.taken.length]).toEqual([3, 2]);
  });

  it('that is changed is used as changed by the next mail of every process: another password, another server', async () => {
    const id = await add(guarded());
    await activate(id);
    await mailFrom(replica);
    accepted = OTHER_PASSWORD;
    await owner.call('PUT', `${SMTP}/${id}/password`, { password: OTHER_PASSWORD });
    expect([await mailFrom(replica), offered.at(-1)]).toEqual(['sent', OTHER_PASSWORD]);
    await owner.call('PUT', `${SMTP}/${id}`, plain());
    expect([await mailFrom(world), await mailFrom(replica)]).toEqual(['sent', 'sent']);
    expect([closed.taken.length, open.taken.length]).toEqual([2, 2]);
  });

  it('is not asked of the database with each mail', async () => {
    await activate(await add(plain()));
    await mailFrom(world);
    const statements = await statementsDuring(async () => mailFrom(world));
    expect(statements.filter((text) => text.includes('mail_server'))).toEqual([]);
  });

  it('sends, in production without SMTP_URL, the mails that have waited', async () => {
    const production = await startWorld({
      publicUrl: 'https://id.test',
      env: {
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://stands-for-what-is-given',
        MASTER_KEY: 'a master key that only tests use',
        LOGIN_LIMITS: 'on',
        OUTBOUND_ALLOW: '127.0.0.1',
      },
    });
    try {
      const { api } = await callerWith(production, await production.cast.orgA, ['IAM_OWNER']);
      const person = await production.add.person({ orgId: production.firstStart.orgId });
      await production.add.newPassword(person.id, 'Other-Horse-8');
      await production.get(MailWorker).run();
      const { id } = await api.call<{ id: string }>('POST', SMTP, plain());
      await api.call('POST', `${SMTP}/${id}/_activate`, {});
      await production.get(MailWorker).run();
      expect(open.taken.map(({ envelope }) => envelope)).toEqual([{ from: 'plain@acme.test', to: [person.email] }]);
      expect(await production.rows('SELECT tries FROM outbox')).toEqual([{ tries: 1 }]);
    } finally {
      await production.close();
    }
  });

  it('whose password was sealed with a lost master key says so, and mails wait', async () => {
    const id = await add(guarded());
    await activate(id);
    await world.rows("UPDATE mail_server SET password = 'v1.lost.AAAA' WHERE id = $1", [id]);
    await owner.call('PUT', `${SMTP}/${id}`, { ...guarded(), password: '', description: 'Read anew' });
    expect(await mailFrom(world)).toMatch(/^waiting .*UpdateSMTPConfigPassword/);
    expect(await owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER)).toBe('400 mail_server.password_unreadable');
    expect(await owner.call('POST', '/admin/v1/mails/_test', RECEIVER)).toMatchObject({ ok: false });
    await owner.call('PUT', `${SMTP}/${id}/password`, { password: PASSWORD });
    world.clock.advance('1m');
    await world.get(MailWorker).run();
    await closed.until(1); // by whichever process
  });
});

describe('A test', () => {
  it('sends one mail by what is stored, active or not, by what is tried, or by what is in use', async () => {
    const id = await add(guarded());
    expect(await owner.call('POST', `${SMTP}/${id}/_test`, RECEIVER)).toEqual({});
    expect(await owner.call('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER })).toEqual({});
    const { password: _stored, description: _, replyToAddress: __, ...tried } = guarded();
    expect(await owner.call('POST', `${SMTP}/_test`, { ...tried, ...RECEIVER, id })).toEqual({});
    expect(closed.taken.map(({ envelope }) => envelope.to)).toEqual([['somebody@mail.test'], ['somebody@mail.test']]);
    expect(open.taken).toHaveLength(1);
    await activate(id);
    expect(await owner.call('POST', '/admin/v1/mails/_test', RECEIVER)).toEqual({ ok: true, reason: '' });
    expect([closed.taken.length, ofEnvironment.taken.length]).toEqual([3, 0]);
  });

  it('that fails says why, in the words of the mail server', async () => {
    open.behaviour.refuseRecipient = () => '550 5.7.1 Relaying denied';
    expect(await messageOf('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER })).toBe(
      'The e-mail was not sent: 550 5.7.1 Relaying denied (mail.test_not_sent)',
    );
    open.behaviour.refuseRecipient = undefined;
    expect(await owner.verdict('POST', `${SMTP}/_test`, { ...plain(), receiverAddress: 'nobody' })).toBe(
      '400 receiverAddress',
    );
  });

  it('is one of ten in a minute, however it is asked for [ADM-049]', async () => {
    const id = await add(plain());
    const verdicts: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      verdicts.push(await owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER));
      verdicts.push(await owner.verdict('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER }));
      verdicts.push(await owner.verdict('POST', '/admin/v1/mails/_test', RECEIVER));
    }
    expect(verdicts).toEqual([...Array<string>(10).fill('200'), ...Array<string>(2).fill('429 request.too_many')]);
    expect(open.taken.length + ofEnvironment.taken.length).toBe(10);
  });
});

describe('An owner of the instance who is not the operator', () => {
  it.each(['10.0.0.1:25', '169.254.169.254', '[::ffff:10.0.0.1]:25', '[fd00::9]'])(
    'aims no mail at the network of the service, by address: %s [ADM-045]',
    async (host) => {
      expect(await owner.verdict('POST', SMTP, { ...plain(), host })).toBe('400 outbound.address_refused');
      expect(await owner.verdict('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER, host })).toBe(
        '400 outbound.address_refused',
      );
    },
  );

  it('nor by name: a test says the same whether or not a server is there [ADM-045]', async () => {
    const said = await messageOf('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER, host: 'internal.test:25' });
    expect(said).toMatch(/internal\.test:25 is not contacted.*OUTBOUND_ALLOW/);
    expect(said).not.toContain('10.9');
    await activate(await add({ ...plain(), host: 'internal.test:25' }));
    expect(await mailFrom(world)).toMatch(/^waiting internal\.test:25 is not contacted/);
  });

  it('learns nothing of what answers there unless it is a mail server [ADM-045]', async () => {
    const other: Server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.9\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const said = await messageOf('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER, host: `127.0.0.1:${port}` });
    expect(said).not.toContain('SSH');
    await new Promise((resolve) => other.close(resolve));
    expect(await messageOf('POST', `${SMTP}/_test`, { ...plain(), ...RECEIVER, host: `provider.test:${port}` })).toBe(
      `The e-mail was not sent: The connection to provider.test:${port} failed or was lost. (mail.test_not_sent)`,
    );
  });

  it('has no stored password sent to another server or as another user [ADM-046]', async () => {
    const id = await add(guarded());
    const { password: _stored, ...settings } = guarded();
    const { description: _, replyToAddress: __, ...tried } = settings;
    for (const over of [
      { host: `other.test:${closed.port}` },
      { host: `provider.test:${open.port}` },
      { user: 'other' },
    ]) {
      expect(await owner.verdict('PUT', `${SMTP}/${id}`, { ...settings, ...over })).toBe('400 password');
      expect(await owner.verdict('POST', `${SMTP}/_test`, { ...tried, ...over, ...RECEIVER, id })).toBe('400 password');
    }
    expect(offered).toEqual([]);
    await owner.call('PUT', `${SMTP}/${id}`, { ...settings, user: '' });
    await owner.call('PUT', `${SMTP}/${id}`, settings);
    expect(await owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER)).toBe('400 mail.test_not_sent');
    expect(offered).toEqual([]); // It was forgotten with its user.
  });

  it('finds the password in no answer, event, export or message, also if the server repeats it [ADM-047]', async () => {
    const id = await add(guarded());
    accepted = OTHER_PASSWORD;
    const said = await messageOf('POST', `${SMTP}/${id}/_test`, RECEIVER);
    expect(said).toMatch(/^The e-mail was not sent: 535 .*No user has \[secret\], \[secret\]/);
    await owner.call('PUT', `${SMTP}/${id}/password`, { password: OTHER_PASSWORD });
    await activate(id);
    await mailFrom(world);
    const texts = [
      JSON.stringify(await owner.call('GET', `${SMTP}/${id}`)),
      JSON.stringify(await owner.call('POST', '/admin/v1/events/_search', { limit: 1_000 })),
      JSON.stringify(
        await owner.call('POST', '/admin/v1/export', { orgIds: [org.id], withPasswords: true, timeout: '30s' }),
      ),
      await world.contents(),
    ];
    expect(texts.flatMap((text) => world.secretsIn(text)).filter((one) => one.includes('mail-server'))).toEqual([]);
  });

  it('sends no password to a server that offers no encryption, nor to one whose certificate is of another [ADM-048]', async () => {
    const stripped = await MailServer.open({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      onAuth: ({ password }, _session, done) => {
        offered.push(password ?? '');
        done(null, { user: 'x' });
      },
    });
    const answers = [
      { ...guarded(), ...RECEIVER, host: `provider.test:${stripped.port}`, tls: true },
      { ...guarded(), ...RECEIVER, host: `127.0.0.1:${stripped.port}`, tls: true },
      { ...guarded(), ...RECEIVER, host: `wrong.test:${closed.port}`, tls: false },
    ].map(async ({ description: _, replyToAddress: __, ...tried }: Record<string, unknown>) =>
      owner.verdict('POST', `${SMTP}/_test`, tried),
    );
    expect(await Promise.all(answers)).toEqual(Array(3).fill('400 mail.test_not_sent'));
    expect([offered, stripped.taken, closed.taken]).toEqual([[], [], []]);
    await stripped.close();
  });
});
