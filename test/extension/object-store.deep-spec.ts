import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Secret } from '../../src/foundation/config/secret.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { settings } from '../../src/foundation/extension/extension-settings.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { Tallies } from '../../src/foundation/metrics/tallies.js';
import {
  type ExtObjectStore,
  OBJECT_STORE,
  ObjectExists,
  ObjectMissing,
} from '../../src/migration/storage/object-store.js';
import { canonical, fullDocument } from '../migration/document.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const KEY = 'key-of-the-vault-4711';

class HrSettings {
  constructor(readonly key: Secret) {}
}

/** Keeps files in memory, and does what a test says in place of that. */
@Injectable()
class Vault implements ExtObjectStore {
  static does: Partial<ExtObjectStore> = {};
  static readonly files = new Map<string, Buffer>();
  static asked = 0;
  readonly name = 'vault';

  constructor(private readonly config: HrSettings) {}

  async write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    Vault.asked += 1;
    if (this.config.key.reveal() !== KEY) throw new Error('The key is wrong.');
    if (Vault.does.write) return Vault.does.write(path, content, signal);
    if (Vault.files.has(path)) throw new ObjectExists(path);
    const chunks: Uint8Array[] = [];
    for await (const piece of content) chunks.push(piece);
    Vault.files.set(path, Buffer.concat(chunks));
  }

  async read(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    Vault.asked += 1;
    if (Vault.does.read) return Vault.does.read(path, signal);
    const file = Vault.files.get(path);
    if (!file) throw new ObjectMissing(path);
    return (async function* cut() {
      for (let at = 0; at < file.length; at += 10_000) yield file.subarray(at, at + 10_000);
    })();
  }
}

@Module({ providers: [Vault] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(OBJECT_STORE, Vault)],
  settings: settings(
    HrSettings,
    (env) => new HrSettings(env.required('HR_KEY', env.secret('HR_KEY'), 'Give the key.')),
  ),
});

interface Job {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string;
  readonly file: string;
  readonly bytes: string;
}

const DONE = 'MIGRATION_JOB_STATE_SUCCEEDED';
const FAILED = 'MIGRATION_JOB_STATE_FAILED';
const document = fullDocument();
const ALL = { orgIds: document.orgs.map(({ orgId }) => orgId), withPasswords: true, withOtp: true, withKeys: true };

let world: World;
let api: AdminApi;
beforeAll(async () => {
  world = await startWorld({ extensions: [hr], env: { HR_KEY: KEY } });
  world.plant(KEY);
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
  await api.call('POST', '/admin/v1/import', { data_orgs: document });
});
beforeEach(() => {
  Vault.files.clear();
  Vault.asked = 0;
});
afterEach(() => {
  Vault.does = {};
});
afterAll(() => world.close());

async function begun(way: 'export' | 'import', body: Json): Promise<Job> {
  const reply = await api.ask('POST', `/admin/v1/${way}`, body);
  expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
  return reply.json<{ job: Job }>().job;
}

async function ended({ id }: Pick<Job, 'id'>): Promise<Job> {
  for (;;) {
    const { job } = await api.call<{ job: Job }>('GET', `/admin/v1/jobs/${id}`);
    if (job.state !== 'MIGRATION_JOB_STATE_RUNNING') return job;
    await sleep(20);
  }
}

const exported = async (path: string): Promise<Job> => ended(await begun('export', { ...ALL, localOutput: { path } }));
const imported = async (path: string, more: Json = {}): Promise<Job> =>
  ended(await begun('import', { dataOrgsLocal: { path }, ...more }));

describe('An object store of an extension', () => {
  it('takes an export where a path in the directory of the service could be', async () => {
    const job = await exported('hr:vault/2026/all.json');
    const file = Vault.files.get('2026/all.json')!;
    expect(job).toMatchObject({ state: DONE, file: 'hr:vault/2026/all.json', bytes: String(file.length) });
    expect(canonical(JSON.parse(file.toString()))).toEqual(canonical(document));
  });

  it('takes it compressed if the name ends so, and an import reads it', async () => {
    expect(await exported('hr:vault/all.json.gz')).toMatchObject({ state: DONE });
    expect(canonical(JSON.parse(gunzipSync(Vault.files.get('all.json.gz')!).toString()))).toEqual(canonical(document));
    expect(await imported('hr:vault/all.json.gz', { dryRun: true })).toMatchObject({ state: DONE, reason: '' });
  });

  it('gives an import what was put there, and its objects are here then', async () => {
    const fresh = fullDocument();
    Vault.files.set('new.json', Buffer.from(JSON.stringify(fresh)));
    expect(await imported('hr:vault/new.json')).toMatchObject({ state: DONE });
    const found = await api.call('POST', '/admin/v1/export', { orgIds: [fresh.orgs[0].orgId] });
    expect(found['orgs']).toHaveLength(1);
  });

  it('takes an export that is also the response', async () => {
    const found = await api.call('POST', '/admin/v1/export', {
      ...ALL,
      responseOutput: true,
      localOutput: { path: 'hr:vault/both.json' },
    });
    expect(canonical(JSON.parse(Vault.files.get('both.json')!.toString()))).toEqual(canonical(found));
  });

  it('is named in the journal, without its key', async () => {
    await exported('hr:vault/journal.json');
    const [row] = await world.rows<{ payload: object }>(
      `SELECT payload FROM event WHERE type = 'iam.data.exported' ORDER BY position DESC LIMIT 1`,
    );
    expect(row!.payload).toMatchObject({ file: 'hr:vault/journal.json' });
    expect(await world.contents()).not.toContain(KEY);
  });

  it('replaces no file, and says which one', async () => {
    Vault.files.set('all.json', Buffer.from('the first'));
    expect(await exported('hr:vault/all.json')).toMatchObject({
      state: FAILED,
      reason: 'store.object_exists',
      message: expect.stringContaining('hr:vault/all.json already exists'),
    });
    expect(await imported('hr:vault/none.json')).toMatchObject({
      state: FAILED,
      reason: 'store.object_not_found',
      message: expect.stringContaining('hr:vault/none.json'),
    });
  });

  it.each([
    'hr:vault/../x',
    'hr:vault/a/../../x',
    'hr:vault//x',
    'hr:vault/',
    'hr:vault/.hidden',
    'hr:vault/a\0b',
    'hr:vault/a\nb',
    'hr:vault/a?b',
    `hr:vault/${'x'.repeat(1_100)}`,
    'hr:../x',
    'hr:/x',
    'HR:vault/x',
    'hr:vault',
    ':vault/x',
    'c:/x',
  ])('is asked for no path such as %j [EXP-010]', async (path) => {
    expect(await api.verdict('POST', '/admin/v1/export', { localOutput: { path } })).toMatch(/^400 localOutput\.path/);
    expect(await api.verdict('POST', '/admin/v1/import', { dataOrgsLocal: { path } })).toMatch(
      /^400 dataOrgsLocal\.path/,
    );
    expect(Vault.asked).toBe(0);
  });

  it.each(['hr:box/x', 'acme:vault/x'])('is refused at once if no extension brings it: %s', async (path) => {
    const refused = await api.ask('POST', '/admin/v1/export', { localOutput: { path } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('It has: hr:vault.')]);
    expect(await api.verdict('POST', '/admin/v1/import', { dataOrgsLocal: { path } })).toBe('400 store.unknown');
  });

  it('is for those who may export and import, and for nobody else', async () => {
    const { api: other } = await callerWith(world, await world.add.org(), ['ORG_OWNER']);
    for (const [way, body] of [
      ['export', { localOutput: { path: 'hr:vault/x' } }],
      ['import', { dataOrgsLocal: { path: 'hr:vault/x' } }],
    ] as const)
      expect(await other.verdict('POST', `/admin/v1/${way}`, body)).toMatch(/^403/);
    expect(Vault.asked).toBe(0);
  });
});

describe('An object store of an extension that fails', () => {
  const failures = () => world.get(Tallies).of('extensionFailures').get('hr/OBJECT_STORE') ?? 0;
  const nonsense = async () => [Buffer.from('{')] as unknown as AsyncIterable<Uint8Array>;

  it.each<[string, 'export' | 'import', Partial<ExtObjectStore>]>([
    ['throws while it writes', 'export', { write: () => Promise.reject(new Error('no disk')) }],
    ['says that it has written what it has not', 'export', { write: async () => undefined }],
    ['throws while it reads', 'import', { read: () => Promise.reject(new Error('no disk')) }],
    ['answers nonsense', 'import', { read: nonsense }],
  ])('fails the job alone, and the log names it: one that %s [EXP-011]', async (_, way, does) => {
    Vault.does = does;
    const from = world.logText().length;
    const before = failures();
    const contents = (await world.contents()).replace(/^(?:migration_job|event|extension\w*) .*$/gm, '');
    const job = await (way === 'export' ? exported('hr:vault/x') : imported('hr:vault/x'));
    expect(job).toMatchObject({ state: FAILED, reason: 'extension.object_store_failed' });
    expect(job.message).not.toContain('no disk');
    expect(world.logText().slice(from)).toMatch(/"extension":"hr","seam":"OBJECT_STORE","part":"Vault"/);
    expect(failures()).toBe(before + 1);
    expect((await world.contents()).replace(/^(?:migration_job|event|extension\w*) .*$/gm, '')).toBe(contents);
    Vault.does = {};
    expect(await exported('hr:vault/after.json')).toMatchObject({ state: DONE });
  });

  it('and hangs is ended when its job is cancelled, and nothing is left', async () => {
    Vault.does = {
      write: async (_, content, signal) => {
        await content[Symbol.asyncIterator]().next();
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    };
    const job = await begun('export', { ...ALL, localOutput: { path: 'hr:vault/hangs.json' } });
    while (Vault.asked === 0) await sleep(5);
    await api.call('POST', `/admin/v1/jobs/${job.id}/_cancel`, {});
    expect(await ended(job)).toMatchObject({ state: 'MIGRATION_JOB_STATE_CANCELLED' });
    expect(Vault.files.size).toBe(0);
  });

  it('and hangs is ended by the timeout of the request, and nothing is left [EXP-006]', async () => {
    Vault.does = {
      write: async (_, content) =>
        void (await content[Symbol.asyncIterator]().next(), await new Promise(() => undefined)),
    };
    const job = await begun('export', { ...ALL, timeout: '1s', localOutput: { path: 'hr:vault/hangs.json' } });
    expect(await ended(job)).toMatchObject({ state: FAILED, reason: 'migration.timeout' });
    expect(Vault.files.size).toBe(0);
  });
});

describe('An export of very many users', () => {
  it('goes to the store piece by piece: while the store takes nothing, no row is read, and nobody holds the document', async () => {
    const org = await world.add.org();
    await world.rows(
      `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, service_name)
       SELECT 'many-' || n, $1, 'service', 'many-' || n, 'many-' || n, 'One of very many service users'
       FROM generate_series(1, 20000) AS n`,
      [org.id],
    );
    let bytes = 0;
    let meanwhile: string[] = [];
    let largest = 0;
    Vault.does = {
      write: async (_, content) => {
        for await (const piece of content) {
          bytes += piece.length;
          largest = Math.max(largest, piece.length);
          if (meanwhile.length > 0 || bytes < 1_000_000) continue;
          meanwhile = ['looked', ...(await statementsDuring(() => sleep(500)))];
        }
      },
    };
    const job = await ended(await begun('export', { orgIds: [org.id], localOutput: { path: 'hr:vault/many.json' } }));
    expect(job).toMatchObject({ state: DONE, bytes: String(bytes) });
    expect(bytes).toBeGreaterThan(2_000_000);
    expect(largest).toBeLessThan(1_000_000);
    expect(meanwhile.filter((text) => /FETCH|DECLARE/.test(text))).toEqual([]);
    expect(meanwhile[0]).toBe('looked');
  });
});
