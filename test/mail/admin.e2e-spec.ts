import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { MailServer, mailingBy } from '../support/mail-server.js';
import { startWorld, type World } from '../support/world.js';

const SEARCH = '/admin/v1/mails/_search';

let server: MailServer;
let world: World;
let org: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let ofOrg: AdminApi;

beforeAll(async () => {
  server = await MailServer.open();
  world = await startWorld({ env: mailingBy(server) });
  org = await world.cast.orgA;
  ({ api: owner } = await callerWith(world, org, ['IAM_OWNER']));
  ({ api: viewer } = await callerWith(world, org, ['IAM_OWNER_VIEWER']));
  ({ api: ofOrg } = await callerWith(world, org, ['ORG_OWNER']));
});
afterEach(() => {
  server.taken.length = 0;
  server.behaviour.refuseRecipient = undefined;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

interface Entry {
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly recipient: string;
  readonly reason: string;
  readonly tries: number;
  readonly [field: string]: unknown;
}

async function make(): Promise<{ userId: string; email: string }> {
  const userName = uniqueName('listed');
  const email = `${userName}@mail.test`;
  const { userId } = await ofOrg.call('POST', '/management/v1/users/human', {
    userName,
    profile: { firstName: 'A', lastName: 'B' },
    email: { email },
  });
  await world.get(MailWorker).run();
  return { userId, email };
}

async function list(userId: string, state?: string): Promise<Entry[]> {
  return (await viewer.call<{ result: Entry[] }>('POST', SEARCH, { userId, ...(state === undefined ? {} : { state }) }))
    .result;
}

/** A mail that the server has refused for good. */
async function makeDead(): Promise<{ userId: string; email: string; id: string }> {
  server.behaviour.refuseRecipient = () => '550 5.1.1 No such mailbox';
  const made = await make();
  server.behaviour.refuseRecipient = undefined;
  return { ...made, id: (await list(made.userId))[0]!.id };
}

describe('ListMails', () => {
  it('shows the recipient of a mail and what became of it, and never its content', async () => {
    const { userId, email } = await make();
    const [entry] = await list(userId);
    expect(entry).toMatchObject({
      state: 'MAIL_STATE_SENT',
      kind: 'MAIL_KIND_INIT',
      recipient: email,
      userId,
      orgId: org.id,
      tries: 1,
      reason: '',
      sentDate: world.clock.now().toISOString(),
    });
    expect(Object.keys(entry!).sort()).toEqual([
      'creationDate',
      'id',
      'kind',
      'orgId',
      'reason',
      'recipient',
      'sentDate',
      'state',
      'tries',
      'userId',
    ]);
  });

  it('finds those that were given up, with the words of the mail server', async () => {
    const { userId, id } = await makeDead();
    expect(await list(userId, 'MAIL_STATE_DEAD')).toMatchObject([
      { id, reason: 'The mail server rejected it: 550 5.1.1 No such mailbox' },
    ]);
    expect(await list(userId, 'MAIL_STATE_SENT')).toEqual([]);
  });

  it('finds those that wait, and those that a newer one has overtaken', async () => {
    server.behaviour.refuseRecipient = () => '450 4.2.0 Later';
    const { userId } = await make();
    const [waiting] = await list(userId, 'MAIL_STATE_WAITING');
    expect(Date.parse(waiting!['nextTryDate'] as string)).toBe(world.clock.now().getTime() + 5_000);
    server.behaviour.refuseRecipient = undefined;
    await ofOrg.call('POST', `/management/v1/users/${userId}/_resend_initialization`, {});
    await world.get(MailWorker).run();
    expect((await list(userId)).map(({ state }) => state).sort()).toEqual(['MAIL_STATE_SENT', 'MAIL_STATE_WITHDRAWN']);
    world.clock.advance('1m');
    await world.get(MailWorker).run();
    expect(server.taken).toHaveLength(1);
  });

  it('pages by the time of the cause', async () => {
    const page = await viewer.call('POST', SEARCH, { query: { limit: 2, asc: false } });
    expect(page['result']).toHaveLength(2);
    expect(Number(page['details'].totalResult)).toBeGreaterThan(2);
  });
});

describe('RetryMail', () => {
  it('sends a mail that was given up, with the code that it had', async () => {
    const { userId, email, id } = await makeDead();
    expect(await owner.verdict('POST', `/admin/v1/mails/${id}/_retry`, {})).toBe('200');
    await world.get(MailWorker).run();
    expect(server.taken.map(({ envelope }) => envelope.to)).toEqual([[email]]);
    expect(await list(userId)).toMatchObject([{ state: 'MAIL_STATE_SENT', tries: 1 }]);
    expect(await owner.verdict('POST', `/admin/v1/mails/${id}/_retry`, {})).toBe('400 mail.not_dead');
    expect(
      await world.rows("SELECT type FROM event WHERE aggregate_type = 'mail' AND aggregate_id = $1", [id]),
    ).toEqual([{ type: 'mail.retried' }]);
  });

  it('does not send a code that opens nothing any more', async () => {
    const { id } = await makeDead();
    world.clock.advance('73h');
    expect(await owner.verdict('POST', `/admin/v1/mails/${id}/_retry`, {})).toBe('400 mail.expired');
  });

  it('sends a mail once if it is called twice at once', async () => {
    const { id } = await makeDead();
    await Promise.all([1, 2].map(() => owner.verdict('POST', `/admin/v1/mails/${id}/_retry`, {})));
    await world.get(MailWorker).run();
    expect(server.taken).toHaveLength(1);
  });
});

describe('RemoveMail', () => {
  it('keeps a waiting mail from being sent', async () => {
    server.behaviour.refuseRecipient = () => '450 4.2.0 Later';
    const { userId } = await make();
    const [{ id }] = (await list(userId)) as [Entry];
    server.behaviour.refuseRecipient = undefined;
    expect(await owner.verdict('DELETE', `/admin/v1/mails/${id}`)).toBe('200');
    expect(await owner.verdict('DELETE', `/admin/v1/mails/${id}`)).toBe('404 mail.not_found');
    world.clock.advance('1m');
    await world.get(MailWorker).run();
    expect(server.taken).toEqual([]);
  });

  it('mails are removed with their recipient', async () => {
    const { userId } = await makeDead();
    await ofOrg.call('DELETE', `/management/v1/users/${userId}`);
    expect(await list(userId)).toEqual([]);
  });
});

describe('Who may', () => {
  it.each<[string, () => AdminApi, string[]]>([
    ['owners of the instance do all of it', () => owner, ['200', '404 mail.not_found', '404 mail.not_found']],
    ['who only looks at the instance looks', () => viewer, ['200', '403 permission.missing', '403 permission.missing']],
    [
      'owners of an organization do nothing of it',
      () => ofOrg,
      ['403 permission.missing', '403 permission.missing', '403 permission.missing'],
    ],
  ])('%s', async (_, api, verdicts) => {
    expect([
      await api().verdict('POST', SEARCH, {}),
      await api().verdict('POST', '/admin/v1/mails/1/_retry', {}),
      await api().verdict('DELETE', '/admin/v1/mails/1'),
    ]).toEqual(verdicts);
  });
});

describe('The settings of e-mails', () => {
  it('are shown without the password', async () => {
    const settings = await viewer.call('GET', '/admin/v1/settings/mail');
    const { hostname, port } = new URL(mailingBy(server)['SMTP_URL']!);
    expect(settings).toEqual({
      transport: 'MAIL_TRANSPORT_KIND_SMTP',
      host: hostname,
      port: Number(port),
      tls: false,
      userName: '',
      sender: expect.any(String),
      smtpConfigId: '',
    });
    expect(await ofOrg.verdict('GET', '/admin/v1/settings/mail')).toBe('403 permission.missing');
  });

  it('are tested by an e-mail that leaves at once', async () => {
    const body = { receiverAddress: 'somebody@mail.test' };
    expect(await owner.call('POST', '/admin/v1/mails/_test', body)).toEqual({ ok: true, reason: '' });
    expect(server.taken.map(({ envelope }) => envelope.to)).toEqual([['somebody@mail.test']]);
    expect(await viewer.verdict('POST', '/admin/v1/mails/_test', body)).toBe('403 permission.missing');
    expect(await owner.verdict('POST', '/admin/v1/mails/_test', { receiverAddress: 'nobody' })).toBe(
      '400 receiverAddress',
    );
  });

  it('cannot be tested in production without a mail server', async () => {
    const production = await startWorld({
      publicUrl: 'https://id.test',
      env: {
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://stands-for-what-is-given',
        MASTER_KEY: 'a master key that only tests use',
        LOGIN_LIMITS: 'on',
      },
    });
    const { api } = await callerWith(production, await production.cast.orgA, ['IAM_OWNER']);
    expect(await api.call('GET', '/admin/v1/settings/mail')).toMatchObject({ transport: 'MAIL_TRANSPORT_KIND_NONE' });
    expect(await api.verdict('POST', '/admin/v1/mails/_test', { receiverAddress: 'somebody@mail.test' })).toBe(
      '400 mail.not_sent',
    );
    await production.close();
  });

  it('that do not work say why, in the words of the mail server', async () => {
    server.behaviour.refuseRecipient = () => '550 5.1.1 No such mailbox';
    const answer = await owner.call('POST', '/admin/v1/mails/_test', { receiverAddress: 'somebody@mail.test' });
    expect(answer).toEqual({ ok: false, reason: expect.stringContaining('No such mailbox') });
  });
});
