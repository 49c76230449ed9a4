import { describe, expect, it } from '@jest/globals';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { MailServer } from '../support/mail-server.js';
import { startWorld } from '../support/world.js';

describe('STARTTLS and credentials', () => {
  /** Of the last service. */
  let log = '';

  async function sendOne(by: MailServer, query: string, user = ''): Promise<string> {
    const url = `smtp://${user}127.0.0.1:${by.port}${query}`;
    const other = await startWorld({ env: { SMTP_URL: url, MAIL_FROM: 'no-reply@acme.test' } });
    try {
      const person = await other.add.person({ orgId: other.firstStart.orgId });
      await other.add.newPassword(person.id, 'Other-Horse-8');
      await other.get(MailWorker).run();
      const [row] = await other.rows<{ state: string; reason: string }>('SELECT state, reason FROM outbox');
      log = other.logText();
      return `${row?.state} ${row?.reason}`.trim();
    } finally {
      await other.close();
    }
  }

  it('a server that offers encryption gets the mail encrypted, once its certificate is the right one', async () => {
    const secure = await MailServer.open({ disabledCommands: ['AUTH'] });
    expect(await sendOne(secure, '')).toMatch(/^waiting .*certificate/);
    expect(log).toMatch(/"cause":"[^"]*certificate[^"]*".*"mail not sent"/);
    expect(await sendOne(secure, '?tls.rejectUnauthorized=false')).toBe('sent');
    expect(secure.taken).toMatchObject([{ isEncrypted: true }]);
    await secure.close();
  });

  it('a password is sent only to its server, and one that is refused is for the operator to correct', async () => {
    const closed = await MailServer.open({
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'p&ss' ? done(null, { user: username }) : done(new Error('No')),
    });
    expect(await sendOne(closed, '?tls.rejectUnauthorized=false', 'gate:p%26ss@')).toBe('sent');
    expect(closed.taken).toMatchObject([{ isEncrypted: true, user: 'gate' }]);
    expect(await sendOne(closed, '?tls.rejectUnauthorized=false', 'gate:wrong@')).toMatch(/^waiting .*535/);
    await closed.close();
  });
});
