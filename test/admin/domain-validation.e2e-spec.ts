import { createSocket, type Socket } from 'node:dgram';
import type { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shareLock } from '../../src/foundation/database/advisory-lock.js';
import { DomainProof } from '../../src/tenancy/domain-proof.js';
import type { NewHuman } from '../../src/user/new-human.js';
import { UserService } from '../../src/user/user.service.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

const DOMAINS = '/management/v1/orgs/me/domains';
const NAMES_AT_ONCE = 20;

let world: World;
let dns: DnsServer;
let org: TestOrg;
let other: TestOrg;
let api: AdminApi;
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
  const owner = (await callerWith(world, org, ['IAM_OWNER'])).api;
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

  it('takes the name of a user as well whom another organization adds meanwhile', async () => {
    await beginValidation();
    let added = '';
    let validated: Promise<string> | undefined;
    await world.transaction(async (tx) => {
      ({ id: added } = await world.get(UserService).addHuman(tx, userAt(other), 'test'));
      validated = validate();
      await untilItWaits();
    });
    expect(await validated).toBe('200');
    expect(await nameOf(added)).toMatch(/^\d+@temporary\./);
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
    await world.transaction(async (tx) => {
      await shareLock(tx, 'domainNames'); // as an import does
      expect(await validate()).toBe('409 user.names_busy');
      await addAt(org); // Others are not kept waiting.
    });
    expect(await validate()).toBe('200');
  });
});

async function beginValidation({ isPublished = true } = {}): Promise<void> {
  domain = `${uniqueName('proof')}.test`;
  await api.call('POST', DOMAINS, { domain });
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
