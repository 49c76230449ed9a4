import { createSocket, type Socket } from 'node:dgram';
import type { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainProof } from '../../src/management/org/domain-proof.js';
import { OrgService } from '../../src/org/org.service.js';
import type { NewHuman } from '../../src/user/new-human.js';
import { UserService } from '../../src/user/user.service.js';
import { fullDocument } from '../migration/document.js';
import { Holder } from '../migration/holding.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

const DOMAINS = '/management/v1/orgs/me/domains';
const NAMES_AT_ONCE = 20;

let world: World;
let dns: DnsServer;
let org: TestOrg;
let other: TestOrg;
let api: AdminApi;
let owner: AdminApi;
/** Of an organization whose domains need no proof. */
let quick: AdminApi;
let domain: string;
/** What is to be published. */
let record: { readonly name: string; readonly text: string };

beforeAll(async () => {
  world = await startWorld();
  dns = await DnsServer.start();
  const { resolver } = world.get(DomainProof) as unknown as { readonly resolver: Resolver };
  resolver.setServers([dns.address]);
  org = await world.add.org();
  other = await world.add.org();
  ({ api } = await callerWith(world, org, ['ORG_OWNER']));
  owner = (await callerWith(world, org, ['IAM_OWNER'])).api;
  quick = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api;
  await owner.call('POST', `/admin/v1/orgs/${org.id}/policies/domain`, { validateOrgDomains: true });
});
afterAll(async () => {
  await dns.close();
  await world.close();
});

describe('A domain that is to be verified by a TXT record', () => {
  it('is verified by that record alone, and users of other organizations give up their names at it', async () => {
    await beginValidation({ isPublished: false });
    const stranger = await addAt(other);
    const own = await addAt(org);
    expect(await validate()).toBe('400 org.domain_validation_failed');
    expect(await nameOf(stranger)).toContain(`@${domain}`);
    publish();
    expect(await validate()).toBe('200');
    expect(await nameOf(stranger)).toMatch(/^\d+@temporary\./);
    expect(await nameOf(own)).toContain(`@${domain}`);
    await expect(addAt(other)).rejects.toMatchObject({ reason: 'user.domain_elsewhere' });
  });

  it.each([
    ['any', (): string => `${uniqueName('proof')}.test`],
    ['an imported one with an underscore', (): string => `${uniqueName('my_proof')}.test`],
  ])('also takes the names of users that are added elsewhere at the same moment: %s', async (_, newDomain) => {
    await beginValidation({ name: newDomain() });
    const { result, id } = await duringAdding(validate);
    expect(result).toBe('200');
    expect(await nameOf(id)).toMatch(/^\d+@temporary\./);
  });

  it(`leaves nobody elsewhere with a name at it if ${NAMES_AT_ONCE} are added and renamed at that moment`, async () => {
    await beginValidation();
    const renamed = await world.add.person({ orgId: other.id });
    const [verdict] = await Promise.all([
      validate(),
      ...Array.from({ length: NAMES_AT_ONCE }, (_, lane) => (lane % 5 === 0 ? rename(renamed.id) : addAt(other))).map(
        (attempt) => attempt.catch((error: { reason?: string }) => expect(error.reason).toBe('user.domain_elsewhere')),
      ),
    ]);
    expect(verdict).toBe('200');
    expect(
      await world.rows(`SELECT user_name FROM user_account WHERE org_id = $1 AND user_name_key LIKE '%@' || $2`, [
        other.id,
        domain,
      ]),
    ).toEqual([]);
  });

  it('is not taken while an import runs, which has looked at the domains before', async () => {
    await beginValidation();
    const holder = new Holder(world);
    await holder.hold('member');
    const importing = owner.ask('POST', '/admin/v1/import', { data_orgs: fullDocument() });
    await holder.waiting();
    expect(await validate()).toBe('409 user.names_busy');
    await addAt(org); // Others are not kept waiting.
    await holder.letGo();
    expect((await importing).status).toBe(200);
    expect(await validate()).toBe('200');
  });
});

describe('A domain that needs no proof', () => {
  it('is proved later all the same, and keeps nobody else from names and addresses at it until then [LOG-064]', async () => {
    domain = `${uniqueName('quick')}.test`;
    await quick.call('POST', DOMAINS, { domain });
    const stranger = await addAt(other);
    expect(await quick.verdict('POST', `${DOMAINS}/${domain}/validation/_validate`)).toBe(
      '400 org.domain_validation_missing',
    );
    const generate = (): Promise<string> =>
      quick.verdict('POST', `${DOMAINS}/${domain}/validation/_generate`, { type: 'DOMAIN_VALIDATION_TYPE_DNS' });
    const orgs = world.get(OrgService);
    expect([await orgs.findHolder(domain), await orgs.findProvedOwner(domain)]).toEqual([
      expect.objectContaining({ isProved: false }),
      undefined,
    ]);
    expect(await generate()).toBe('200');
    const [row] = await world.rows<{ token: string }>(
      'SELECT validation_token AS token FROM org_domain WHERE domain = $1',
      [domain],
    );
    dns.records.set(`_service-challenge.${domain}`, row!.token);
    expect(await quick.verdict('POST', `${DOMAINS}/${domain}/validation/_validate`)).toBe('200');
    expect(await orgs.findProvedOwner(domain)).toBeDefined();
    expect(await nameOf(stranger)).toMatch(/^\d+@temporary\./);
    expect(await generate()).toBe('400 org.domain_verified');
  });

  it.each<[string, () => Promise<string>]>([
    ['added to an organization', async () => quick.verdict('POST', DOMAINS, { domain })],
    ['of a new organization', async () => owner.verdict('POST', '/admin/v1/orgs/_setup', newOrg())],
  ])('is refused if a user is named at it at the same moment: %s', async (_, take) => {
    domain = `${uniqueName('quick')}.test`;
    expect((await duringAdding(take)).result).toBe('400 org.domain_in_use');
  });
});

/** Does something while a user is added elsewhere, whose transaction ends once that waits for it. */
async function duringAdding<Result>(work: () => Promise<Result>): Promise<{ result: Result; id: string }> {
  let running: Promise<Result> | undefined;
  const id = await world.transaction(async (tx) => {
    const added = await world.get(UserService).addHuman(tx, userAt(other), 'test');
    running = work();
    await untilItWaits();
    return added.id;
  });
  return { result: await running!, id };
}

const newOrg = (): Json => ({
  org: { name: domain, domain },
  human: {
    userName: 'admin',
    profile: { firstName: 'Ada', lastName: 'Admin' },
    email: { email: `${uniqueName('mail')}@mail.test` },
  },
});

async function beginValidation({ isPublished = true, name = `${uniqueName('proof')}.test` } = {}): Promise<void> {
  domain = name;
  const typed = domain.replace('_', '');
  await api.call('POST', DOMAINS, { domain: typed });
  // An import accepts more than we do.
  await world.rows('UPDATE org_domain SET domain = $2 WHERE domain = $1', [typed, domain]);
  const { token, url } = await api.call<{ token: string; url: string }>(
    'POST',
    `${DOMAINS}/${domain}/validation/_generate`,
    { type: 'DOMAIN_VALIDATION_TYPE_DNS' },
  );
  record = { name: url, text: token };
  if (isPublished) publish();
}

function publish(): void {
  dns.records.set(record.name, record.text);
}

const validate = (): Promise<string> => api.verdict('POST', `${DOMAINS}/${domain}/validation/_validate`);

const userAt = ({ id }: TestOrg): NewHuman => ({
  orgId: id,
  userName: `${uniqueName('user')}@${domain}`,
  email: `${uniqueName('mail')}@mail.test`,
  profile: { firstName: 'Uma', lastName: 'Ullmann', preferredLanguage: 'en' },
});

async function addAt(where: TestOrg): Promise<string> {
  return (await world.transaction((tx) => world.get(UserService).addHuman(tx, userAt(where), 'test'))).id;
}

async function rename(id: string): Promise<void> {
  const users = world.get(UserService);
  await world.transaction(async (tx) => users.rename(tx, await users.get(tx, id), userAt(other).userName, 'test'));
}

async function nameOf(id: string): Promise<string> {
  const [row] = await world.rows<{ name: string }>('SELECT user_name AS name FROM user_account WHERE id = $1', [id]);
  return row!.name;
}

/** Until a transaction waits for a lock on a name. */
async function untilItWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
  for (const deadline = Date.now() + 10_000; (await world.rows(waiting)).length === 0; await sleep(5))
    if (Date.now() > deadline) throw new Error('It did not wait.');
}

/** Answers TXT queries over UDP (RFC 1035 §4). */
class DnsServer {
  readonly records = new Map<string, string>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => socket.send(this.answer(query), port, address));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let end = 12;
    for (; query[end] !== 0; end += query[end]! + 1)
      labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!));
    const question = query.subarray(12, end + 5);
    const text = this.records.get(labels.join('.'));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(text === undefined ? 0 : 1, 6);
    header.writeUInt32BE(0, 8);
    if (text === undefined) return Buffer.concat([header, question]);
    // The name of the question, TXT, IN, no caching, one string.
    const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, text.length + 1, text.length]);
    return Buffer.concat([header, question, answer, Buffer.from(text, 'latin1')]);
  }
}
