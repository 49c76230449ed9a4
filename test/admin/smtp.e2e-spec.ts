import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld } from '../support/world.js';
import { OTHER_PASSWORD, PASSWORD, RECEIVER, SMTP, SmtpStage } from './smtp-stage.js';

let stage: SmtpStage;
beforeAll(async () => {
  stage = await SmtpStage.start();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const inUse = async (at = stage.world): Promise<Json> =>
  new AdminApi(at.origin, stage.viewer.token).call('GET', '/admin/v1/settings/mail');

describe('An SMTP configuration', () => {
  it('is added, read, changed, activated, deactivated and removed, and its password is never shown', async () => {
    const id = await stage.add(stage.guarded());
    const { password: _password, ...shown } = stage.guarded();
    const expected = {
      ...shown,
      id,
      state: 'SMTP_CONFIG_INACTIVE',
      details: expect.objectContaining({ sequence: '1' }),
    };
    expect((await stage.viewer.call('GET', `${SMTP}/${id}`))['smtpConfig']).toEqual(expected);
    expect(await stage.list()).toEqual([expected]);
    expect(await stage.viewer.verdict('GET', SMTP)).toBe('404 mail_server.none_active');

    await stage.activate(id);
    expect((await stage.viewer.call('GET', SMTP))['smtpConfig']).toMatchObject({ id, state: 'SMTP_CONFIG_ACTIVE' });
    expect(await stage.owner.verdict('POST', `${SMTP}/${id}/_activate`, {})).toBe('400 mail_server.active');
    const changed = { ...stage.guarded(), password: '', description: 'Yours' };
    await stage.owner.call('PUT', `${SMTP}/${id}`, changed);
    expect(await stage.owner.verdict('PUT', `${SMTP}/${id}`, changed)).toBe('400 mail_server.unchanged');
    expect((await stage.list())[0]).toMatchObject({ description: 'Yours', state: 'SMTP_CONFIG_ACTIVE' });

    await stage.owner.call('POST', `${SMTP}/${id}/_deactivate`, {});
    expect(await stage.owner.verdict('POST', `${SMTP}/${id}/_deactivate`, {})).toBe('400 mail_server.inactive');
    await stage.owner.call('DELETE', `${SMTP}/${id}`);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/_activate'],
      ['POST', '/_test'],
    ] as const)
      expect(await stage.owner.verdict(method, `${SMTP}/${id}${path}`, method === 'POST' ? RECEIVER : undefined)).toBe(
        '404 mail_server.not_found',
      );
    const types = await stage.world.rows<{ type: string }>(
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
    for (let i = 0; i < 20; i += 1) ids.push(await stage.add(stage.plain()));
    expect(await stage.owner.verdict('POST', SMTP, stage.plain())).toBe('400 mail_server.too_many');
    expect((await stage.list({ query: { offset: '1', limit: 2, asc: true } })).map(({ id }) => id)).toEqual(
      ids.slice(1, 3),
    );
    expect((await stage.list({ query: { limit: 1 } })).map(({ id }) => id)).toEqual([ids.at(-1)]);
  });

  it('is the only active one, also when two are activated at once', async () => {
    const [one, other] = [await stage.add(stage.plain()), await stage.add(stage.plain())];
    await stage.activate(one);
    await stage.activate(other);
    expect((await stage.list()).map(({ state }) => state)).toEqual(['SMTP_CONFIG_INACTIVE', 'SMTP_CONFIG_ACTIVE']);
    await stage.owner.call('POST', `${SMTP}/${other}/_deactivate`, {});
    await Promise.all([stage.activate(one), stage.activate(other)]);
    expect((await stage.list()).filter(({ state }) => state === 'SMTP_CONFIG_ACTIVE')).toHaveLength(1);
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
    expect(await stage.owner.verdict('POST', SMTP, { ...stage.guarded(), ...over })).toBe(`400 ${field}`);
  });

  it('has a sender of the host of the instance, if the domain policy says so', async () => {
    const id = await stage.add(stage.plain());
    await stage.owner.call('PUT', '/admin/v1/policies/domain', { smtpSenderAddressMatchesInstanceDomain: true });
    expect(await stage.owner.verdict('POST', SMTP, stage.plain())).toBe('400 senderAddress');
    expect(await stage.owner.verdict('POST', `${SMTP}/${id}/_activate`, {})).toBe('400 senderAddress');
    await stage.owner.call('PUT', '/admin/v1/policies/domain', { smtpSenderAddressMatchesInstanceDomain: false });
  });

  it('is read by those who look at the instance, changed by its owners, and nothing to others', async () => {
    const id = await stage.add(stage.plain());
    const writes: ReadonlyArray<readonly [string, string, Json?]> = [
      ['POST', SMTP, stage.plain()],
      ['PUT', `${SMTP}/${id}`, stage.plain()],
      ['PUT', `${SMTP}/${id}/password`, { password: PASSWORD }],
      ['POST', `${SMTP}/${id}/_activate`, {}],
      ['POST', `${SMTP}/${id}/_deactivate`, {}],
      ['POST', `${SMTP}/${id}/_test`, RECEIVER],
      ['POST', `${SMTP}/_test`, { ...stage.plain(), ...RECEIVER }],
      ['DELETE', `${SMTP}/${id}`],
    ];
    for (const [method, path, body] of writes)
      expect(await stage.viewer.verdict(method, path, body)).toBe('403 permission.missing');
    expect(await stage.ofOrg.verdict('POST', `${SMTP}/_search`, {})).toBe('403 permission.missing');
    expect(await stage.ofOrg.verdict('GET', `${SMTP}/${id}`)).toBe('403 permission.missing');
  });
});

describe('The active SMTP configuration', () => {
  it('sends all mails, in every process, before SMTP_URL; without one, the environment counts again', async () => {
    await stage.mailFrom(stage.world);
    await stage.mailFrom(stage.replica);
    expect(stage.ofEnvironment.taken).toHaveLength(2);
    const id = await stage.add(stage.guarded());
    await stage.activate(id);
    expect(await inUse(stage.replica)).toEqual({
      transport: 'MAIL_TRANSPORT_KIND_SMTP',
      host: 'provider.test',
      port: stage.closed.port,
      tls: false,
      userName: 'gate',
      sender: '"Acme, Inc." <no-reply@acme.test>',
      smtpConfigId: id,
    });
    expect([await stage.mailFrom(stage.world), await stage.mailFrom(stage.replica)]).toEqual(['sent', 'sent']);
    expect(stage.closed.taken).toHaveLength(2);
    expect(stage.closed.taken[0]).toMatchObject({
      from: { name: 'Acme, Inc.', address: 'no-reply@acme.test' },
      replyTo: [{ address: 'help@acme.test' }],
      isEncrypted: true,
      user: 'gate',
    });
    await stage.owner.call('POST', `${SMTP}/${id}/_deactivate`, {});
    expect(await inUse(stage.replica)).toMatchObject({ port: stage.ofEnvironment.port, smtpConfigId: '' });
    await stage.mailFrom(stage.replica);
    expect([stage.ofEnvironment.taken.length, stage.closed.taken.length]).toEqual([3, 2]);
  });

  it('that is changed is used as changed by the next mail of every process: another password, another server', async () => {
    const id = await stage.add(stage.guarded());
    await stage.activate(id);
    await stage.mailFrom(stage.replica);
    stage.accepted = OTHER_PASSWORD;
    await stage.owner.call('PUT', `${SMTP}/${id}/password`, { password: OTHER_PASSWORD });
    expect([await stage.mailFrom(stage.replica), stage.offered.at(-1)]).toEqual(['sent', OTHER_PASSWORD]);
    await stage.owner.call('PUT', `${SMTP}/${id}`, stage.plain());
    expect([await stage.mailFrom(stage.world), await stage.mailFrom(stage.replica)]).toEqual(['sent', 'sent']);
    expect([stage.closed.taken.length, stage.open.taken.length]).toEqual([2, 2]);
  });

  it('is not asked of the database with each mail', async () => {
    await stage.activate(await stage.add(stage.plain()));
    await stage.world.changesToArrive();
    await stage.mailFrom(stage.world);
    const statements = await statementsDuring(async () => stage.mailFrom(stage.world));
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
      const { id } = await api.call<{ id: string }>('POST', SMTP, stage.plain());
      await api.call('POST', `${SMTP}/${id}/_activate`, {});
      await production.get(MailWorker).run();
      expect(stage.open.taken.map(({ envelope }) => envelope)).toEqual([
        { from: 'plain@acme.test', to: [person.email] },
      ]);
      expect(await production.rows('SELECT tries FROM outbox')).toEqual([{ tries: 1 }]);
    } finally {
      await production.close();
    }
  });

  it('whose password was sealed with a lost master key says so, and mails wait', async () => {
    const id = await stage.add(stage.guarded());
    await stage.activate(id);
    await stage.world.rows("UPDATE mail_server SET password = 'v1.lost.AAAA' WHERE id = $1", [id]);
    await stage.owner.call('PUT', `${SMTP}/${id}`, { ...stage.guarded(), password: '', description: 'Read anew' });
    expect(await stage.mailFrom(stage.world)).toMatch(/^waiting .*UpdateSMTPConfigPassword/);
    expect(await stage.owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER)).toBe(
      '400 mail_server.password_unreadable',
    );
    expect(await stage.owner.call('POST', '/admin/v1/mails/_test', RECEIVER)).toMatchObject({ ok: false });
    await stage.owner.call('PUT', `${SMTP}/${id}/password`, { password: PASSWORD });
    stage.world.clock.advance('1m');
    await stage.world.get(MailWorker).run();
    await stage.closed.until(1); // by whichever process
  });
});

describe('A test', () => {
  it('sends one mail by what is stored, active or not, by what is tried, or by what is in use', async () => {
    const id = await stage.add(stage.guarded());
    expect(await stage.owner.call('POST', `${SMTP}/${id}/_test`, RECEIVER)).toEqual({});
    expect(await stage.owner.call('POST', `${SMTP}/_test`, { ...stage.plain(), ...RECEIVER })).toEqual({});
    const tried = { ...stage.tried(), password: '', ...RECEIVER, id };
    expect(await stage.owner.call('POST', `${SMTP}/_test`, tried)).toEqual({});
    expect(stage.closed.taken.map(({ envelope }) => envelope.to)).toEqual([
      ['somebody@mail.test'],
      ['somebody@mail.test'],
    ]);
    expect(stage.open.taken).toHaveLength(1);
    await stage.activate(id);
    expect(await stage.owner.call('POST', '/admin/v1/mails/_test', RECEIVER)).toEqual({ ok: true, reason: '' });
    expect([stage.closed.taken.length, stage.ofEnvironment.taken.length]).toEqual([3, 0]);
  });

  it('that fails says why, in the words of the mail server', async () => {
    stage.open.behaviour.refuseRecipient = () => '550 5.7.1 Relaying denied';
    expect(await stage.messageOf(`${SMTP}/_test`, { ...stage.plain(), ...RECEIVER })).toBe(
      'The e-mail was not sent: 550 5.7.1 Relaying denied (mail.test_not_sent)',
    );
    stage.open.behaviour.refuseRecipient = undefined;
    expect(await stage.owner.verdict('POST', `${SMTP}/_test`, { ...stage.plain(), receiverAddress: 'nobody' })).toBe(
      '400 receiverAddress',
    );
  });

  it('is one of ten in a minute, however it is asked for [ADM-049]', async () => {
    const id = await stage.add(stage.plain());
    const verdicts: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      verdicts.push(await stage.owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER));
      verdicts.push(await stage.owner.verdict('POST', `${SMTP}/_test`, { ...stage.plain(), ...RECEIVER }));
      verdicts.push(await stage.owner.verdict('POST', '/admin/v1/mails/_test', RECEIVER));
    }
    expect(verdicts).toEqual([...Array<string>(10).fill('200'), ...Array<string>(2).fill('429 request.too_many')]);
    expect(stage.open.taken.length + stage.ofEnvironment.taken.length).toBe(10);
  });
});
