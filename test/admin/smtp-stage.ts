import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { authority } from '../idp/certificate.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { MailServer, mailingBy } from '../support/mail-server.js';
import { startWorld, type World } from '../support/world.js';

export const SMTP = '/admin/v1/smtp';
export const PASSWORD = 'p&ss-at-the-mail-server';
export const OTHER_PASSWORD = 'another-p&ss-at-the-mail-server';
export const RECEIVER = { receiverAddress: 'somebody@mail.test' };

export interface Config {
  readonly id: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

/** Two processes of a service, which send by SMTP_URL at first, and mail servers that its owners may name. */
export class SmtpStage {
  /** What was offered to the server that asks for a password. */
  readonly offered: string[] = [];
  /** What it takes. */
  accepted = PASSWORD;

  private constructor(
    readonly world: World,
    readonly replica: World,
    readonly org: TestOrg,
    readonly owner: AdminApi,
    readonly viewer: AdminApi,
    readonly ofOrg: AdminApi,
    /** That of SMTP_URL. */
    readonly ofEnvironment: MailServer,
    /** Asks for a password, over STARTTLS, under a name that its certificate has. */
    readonly closed: MailServer,
    /** Asks for nothing, and offers no encryption. */
    readonly open: MailServer,
  ) {}

  static async start(): Promise<SmtpStage> {
    setDefaultCACertificates([...getCACertificates(), authority]);
    // oxlint-disable-next-line prefer-const -- a handler needs it before it can be made
    let stage: SmtpStage;
    const [ofEnvironment, open] = [await MailServer.open(), await MailServer.open()];
    const closed = await MailServer.open({
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password: given }, _session, done) => {
        const password = given ?? '';
        stage.offered.push(password);
        if (password === stage.accepted) done(null, { user: username });
        else done(new Error(`No user has ${password}, ${Buffer.from(password).toString('base64')}`));
      },
    });
    const env = { ...mailingBy(ofEnvironment), OUTBOUND_ALLOW: '127.0.0.1' };
    const world = await startWorld({ env });
    const replica = await startWorld({ replicaOf: world, env });
    for (const one of [world, replica]) {
      one.get(NameResolver).addressesOf = async (name) => [
        { address: name === 'internal.test' ? '10.9.0.9' : '127.0.0.1', family: 4 },
      ];
      for (const secret of [PASSWORD, OTHER_PASSWORD]) one.plant(secret);
    }
    const org = await world.cast.orgA;
    const callers = await Promise.all(
      ['IAM_OWNER', 'IAM_OWNER_VIEWER', 'ORG_OWNER'].map(async (role) => (await callerWith(world, org, [role])).api),
    );
    const [owner, viewer, ofOrg] = callers as [AdminApi, AdminApi, AdminApi];
    stage = new SmtpStage(world, replica, org, owner, viewer, ofOrg, ofEnvironment, closed, open);
    return stage;
  }

  async reset(): Promise<void> {
    for (const { id } of await this.list()) await this.owner.call('DELETE', `${SMTP}/${id}`);
    for (const server of [this.ofEnvironment, this.open, this.closed]) server.taken.length = 0;
    this.offered.length = 0;
    this.accepted = PASSWORD;
    this.world.clock.advance('1m'); // A minute has ten tests.
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.world.close();
    for (const server of [this.ofEnvironment, this.open, this.closed]) await server.close();
  }

  /** Settings with a password. */
  guarded(): Json {
    return {
      ...this.tried(),
      replyToAddress: 'help@acme.test',
      description: 'Ours',
    };
  }

  /** What `TestSMTPConfig` takes of them. */
  tried(): Json {
    return {
      senderAddress: 'no-reply@acme.test',
      senderName: 'Acme, Inc.',
      tls: true,
      host: `provider.test:${this.closed.port}`,
      user: 'gate',
      password: PASSWORD,
    };
  }

  /** Settings without a password, within our own network. */
  plain(): Json {
    return { senderAddress: 'plain@acme.test', host: `127.0.0.1:${this.open.port}` };
  }

  async add(settings: Json): Promise<string> {
    return (await this.owner.call<{ id: string }>('POST', SMTP, settings)).id;
  }

  async activate(id: string): Promise<void> {
    await this.owner.call('POST', `${SMTP}/${id}/_activate`, {});
  }

  async list(body: Json = {}): Promise<Config[]> {
    return (await this.viewer.call<{ result?: Config[] }>('POST', `${SMTP}/_search`, body)).result ?? [];
  }

  async messageOf(path: string, body: Json): Promise<string> {
    return (await this.owner.ask('POST', path, body)).json<{ message: string }>().message;
  }

  /** A mail to a new user, which this process sends; answers its state. */
  async mailFrom(sender: World): Promise<string> {
    const userName = uniqueName('smtp');
    const email = `${userName}@mail.test`;
    await this.ofOrg.call('POST', '/management/v1/users/human', {
      userName,
      profile: { firstName: 'A', lastName: 'B' },
      email: { email },
    });
    await sender.get(MailWorker).run();
    await Promise.all([this.world.get(MailWorker).run(), this.replica.get(MailWorker).run()]);
    const [row] = await this.world.rows<{ state: string; reason: string }>(
      'SELECT state, reason FROM outbox WHERE recipient = $1',
      [email],
    );
    return `${row?.state} ${row?.reason}`.trim();
  }
}
