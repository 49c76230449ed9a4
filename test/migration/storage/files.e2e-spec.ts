import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { BucketServer } from '../../support/bucket-server.js';
import { S3Server } from '../../support/s3-server.js';
import { startWorld } from '../../support/world.js';
import { canonical, fullDocument } from '../document.js';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-moves-'));
const server = await BucketServer.start('moves');
const s3 = await S3Server.start('moves');
const world = await startWorld({
  env: { ...server.env, OBJECT_STORE_DIR: directory, OBJECT_STORE_S3_ENDPOINTS: s3.origin },
});
const other = await startWorld();
let api: AdminApi;
const document = fullDocument();
const orgIds = document.orgs.map(({ orgId }) => orgId);

interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string;
  readonly file: string;
  readonly bytes: string;
  readonly objects: ReadonlyArray<{ type: string; count: string }>;
}

const inBucket = (path: string, more: Json = {}): Json => ({
  bucket: 'moves',
  path,
  serviceaccount_json: server.accountBase64,
  ...more,
});
/** As the original's clients name it. */
const inS3 = (path: string, more: Json = {}): Json => ({
  path,
  endpoint: s3.host,
  accessKeyId: s3.accessKeyId,
  secretAccessKey: s3.secretAccessKey,
  ssl: false,
  bucket: 'moves',
  ...more,
});
const ALL = { orgIds, withPasswords: true, withOtp: true, withKeys: true };
const DONE = 'MIGRATION_JOB_STATE_SUCCEEDED';

beforeAll(async () => {
  world.plant(server.accountBase64);
  world.plant(server.accountFile['private_key']);
  world.plant(s3.secretAccessKey);
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
  await api.call('POST', '/admin/v1/import', { data_orgs: document });
});
beforeEach(() => {
  server.objects.clear();
  s3.objects.clear();
  s3.asked.length = 0;
  s3.rights = new Set(['put', 'get', 'delete']);
  server.asked.length = 0;
  server.roles = new Set(['create', 'read', 'delete']);
  server.isAccountAlive = true;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
});
afterAll(async () => {
  await Promise.all([world.close(), other.close(), server.close(), s3.close()]);
  rmSync(directory, { recursive: true, force: true });
});

/** The job that a request has become, as it ended. */
async function ended(way: 'export' | 'import', body: Json, as = api): Promise<Job> {
  const reply = await as.ask('POST', `/admin/v1/${way}`, body);
  expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
  const { job } = reply.json<{ job: Job }>();
  expect(reply.headers['location']).toBe(`/admin/v1/jobs/${job.id}`);
  for (;;) {
    const { job: now } = await as.call<{ job: Job }>('GET', `/admin/v1/jobs/${job.id}`);
    if (now.state !== 'MIGRATION_JOB_STATE_RUNNING') return now;
    await sleep(20);
  }
}

describe('An export into a bucket', () => {
  it.each([['objstoreOutput'], ['objstore_output'], ['gcs_output']])(
    'is a job, and the document a file (%s)',
    async (member) => {
      const job = await ended('export', { ...ALL, [member]: inBucket('2026/all.json') });
      const file = server.objects.get('moves/2026/all.json')!;
      expect(job).toMatchObject({
        kind: 'MIGRATION_JOB_KIND_EXPORT',
        state: DONE,
        file: 'gs://moves/2026/all.json',
        bytes: String(file.length),
        leftOut: expect.arrayContaining(['personal_access_token']),
      });
      expect(canonical(JSON.parse(file.toString()))).toEqual(canonical(document));
      expect(job.objects).toContainEqual({ type: 'human_user', count: '3' });
    },
  );

  it('is compressed when the file is called so', async () => {
    await ended('export', { ...ALL, objstoreOutput: inBucket('all.json.gz') });
    expect(canonical(JSON.parse(gunzipSync(server.objects.get('moves/all.json.gz')!).toString()))).toEqual(
      canonical(document),
    );
  });

  it('never replaces a file [EXP-012]', async () => {
    server.objects.set('moves/all.json', Buffer.from('the first'));
    expect(await ended('export', { ...ALL, objstoreOutput: inBucket('all.json') })).toMatchObject({
      state: 'MIGRATION_JOB_STATE_FAILED',
      reason: 'store.object_exists',
    });
    expect(server.text('moves/all.json')).toBe('the first');
  });

  it.each<[string, () => void, Json, string]>([
    [
      'a revoked key',
      () => {
        server.isAccountAlive = false;
      },
      {},
      'store.credentials_refused',
    ],
    [
      'a role that may not create',
      () => {
        server.roles = new Set(['read']);
      },
      {},
      'store.writing_forbidden',
    ],
    ['a bucket that is not there', () => undefined, { bucket: 'elsewhere' }, 'store.bucket_not_found'],
  ])('fails with a plain reason for %s [EXP-009]', async (_, prepare, change, reason) => {
    prepare();
    const job = await ended('export', { ...ALL, objstoreOutput: inBucket('all.json', change) });
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect(job.message).not.toMatch(/PRIVATE|Bearer|assertion/);
    expect(server.objects.size).toBe(0);
  });

  it('leaves nothing when the time is over [EXP-006]', async () => {
    expect(await ended('export', { ...ALL, timeout: '1ms', objstoreOutput: inBucket('all.json') })).toMatchObject({
      state: 'MIGRATION_JOB_STATE_FAILED',
      reason: 'migration.timeout',
    });
    expect(server.objects.size).toBe(0);
  });

  it('leaves nothing when it is cancelled while the storage is silent', async () => {
    server.order('begin', 'silence');
    const { job } = (await api.ask('POST', '/admin/v1/export', { ...ALL, objstoreOutput: inBucket('all.json') })).json<{
      job: Job;
    }>();
    while (!server.asked.includes('begin')) await sleep(5);
    await api.call('POST', `/admin/v1/jobs/${job.id}/_cancel`, {});
    for (;;) {
      const { job: now } = await api.call<{ job: Job }>('GET', `/admin/v1/jobs/${job.id}`);
      if (now.state === 'MIGRATION_JOB_STATE_CANCELLED') break;
      await sleep(20);
    }
    expect(server.objects.size).toBe(0);
  });

  it('answers the document as well when the response is asked for, too [EXP-007]', async () => {
    const reply = await api.ask('POST', '/admin/v1/export', {
      ...ALL,
      responseOutput: true,
      objstoreOutput: inBucket('all.json'),
    });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(server.text('moves/all.json'));
  });

  it('answers no whole document when its file cannot be written', async () => {
    server.roles = new Set(['read']);
    const reply = await api
      .ask('POST', '/admin/v1/export', { ...ALL, responseOutput: true, objstoreOutput: inBucket('all.json') })
      .catch(() => undefined);
    expect(reply?.status === 200).toBe(false);
  });

  it('journals where it went, without the credentials', async () => {
    await ended('export', { ...ALL, objstoreOutput: inBucket('journaled.json') });
    const events = await world.rows<{ payload: Json }>(`SELECT payload FROM event WHERE type = 'iam.data.exported'`);
    expect(events.map(({ payload }) => payload['file'])).toContain('gs://moves/journaled.json');
    expect(
      JSON.stringify(await world.rows(`SELECT payload::text FROM event UNION ALL SELECT j::text FROM migration_job j`)),
    ).not.toMatch(/PRIVATE|serviceaccount/i);
  });
});

describe('An export into an S3-compatible storage', () => {
  it.each([
    ['s3Output', {}],
    ['s3_output', { endpoint: '' }],
    ['s3_output', { endpoint: s3.origin }],
  ])('is a job, and the document a file (%s %j)', async (member, more) => {
    const job = await ended('export', { ...ALL, [member]: inS3('2026/all.json', more) });
    const { content } = s3.objects.get('moves/2026/all.json')!;
    expect(job).toMatchObject({
      kind: 'MIGRATION_JOB_KIND_EXPORT',
      state: DONE,
      file: 's3://moves/2026/all.json',
      bytes: String(content.length),
    });
    expect(canonical(JSON.parse(content.toString()))).toEqual(canonical(document));
  });

  it('is compressed when the file is called so, and never replaces one', async () => {
    await ended('export', { ...ALL, s3Output: inS3('all.json.gz') });
    expect(canonical(JSON.parse(gunzipSync(s3.objects.get('moves/all.json.gz')!.content).toString()))).toEqual(
      canonical(document),
    );
    expect(await ended('export', { ...ALL, s3Output: inS3('all.json.gz') })).toMatchObject({
      state: 'MIGRATION_JOB_STATE_FAILED',
      reason: 'store.object_exists',
    });
  });

  it.each([
    ['a bucket', () => ({ objstoreOutput: inBucket('all.json.gz', { bucket: 'elsewhere' }) })],
    ['an S3-compatible storage', () => ({ s3Output: inS3('all.json.gz', { bucket: 'elsewhere' }) })],
  ])('ends reading before its connection is given to others, when %s refuses the file', async (_, output) => {
    for (let time = 0; time < 5; time += 1) {
      expect(await ended('export', { ...ALL, ...output() })).toMatchObject({ reason: 'store.bucket_not_found' });
      await Promise.all(Array.from({ length: 6 }, () => world.add.org()));
    }
  });

  it.each<[string, () => void, Json, string]>([
    ['a wrong secret', () => undefined, { secretAccessKey: 'another' }, 'store.credentials_refused'],
    [
      'a key that may not write',
      () => {
        s3.rights = new Set(['get']);
      },
      {},
      'store.writing_forbidden',
    ],
    ['a bucket that is not there', () => undefined, { bucket: 'elsewhere' }, 'store.bucket_not_found'],
  ])('fails with a plain reason for %s', async (_, prepare, change, reason) => {
    prepare();
    const job = await ended('export', { ...ALL, s3Output: inS3('all.json', change) });
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect(job.message).not.toMatch(/GATEHOUSETESTKEY|AWS4/);
    expect(s3.objects.size).toBe(0);
  });

  it('leaves nothing when the time is over, or when it is cancelled while the storage is silent', async () => {
    expect(await ended('export', { ...ALL, timeout: '1ms', s3Output: inS3('all.json') })).toMatchObject({
      reason: 'migration.timeout',
    });
    s3.order('put', 'silence');
    const { job } = (await api.ask('POST', '/admin/v1/export', { ...ALL, s3Output: inS3('all.json') })).json<{
      job: Job;
    }>();
    while (!s3.asked.includes('put')) await sleep(5);
    await api.call('POST', `/admin/v1/jobs/${job.id}/_cancel`, {});
    for (let state = ''; state !== 'MIGRATION_JOB_STATE_CANCELLED'; await sleep(20))
      ({
        job: { state },
      } = await api.call<{ job: Job }>('GET', `/admin/v1/jobs/${job.id}`));
    expect(s3.objects.size).toBe(0);
  });

  it('answers the document as well when the response is asked for, too', async () => {
    const reply = await api.ask('POST', '/admin/v1/export', {
      ...ALL,
      responseOutput: true,
      s3Output: inS3('all.json'),
    });
    expect([reply.status, reply.text]).toEqual([200, s3.text('moves/all.json')]);
  });

  it('keeps the key nowhere', async () => {
    const kept = JSON.stringify(
      await world.rows('SELECT payload::text FROM event UNION ALL SELECT j::text FROM migration_job j'),
    );
    expect(kept).not.toMatch(/GATEHOUSETESTKEY/);
    expect(world.secretsIn(kept)).toEqual([]);
  });
});

describe('A place that is none', () => {
  it.each<[string, string, Json]>([
    [
      '400 objstoreOutput.serviceaccountJson',
      'export',
      { objstoreOutput: inBucket('x', { serviceaccount_json: 'no base64!' }) },
    ],
    [
      '400 objstoreOutput.serviceaccountJson',
      'export',
      { objstoreOutput: inBucket('x', { serviceaccount_json: Buffer.from('{}').toString('base64') }) },
    ],
    ['400 objstoreOutput.bucket', 'export', { objstoreOutput: inBucket('x', { bucket: '../other' }) }],
    ['400 objstoreOutput.bucket', 'export', { objstoreOutput: inBucket('x', { bucket: 'a/b?c#d' }) }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: inBucket('') }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: inBucket('a\nb') }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: inBucket('x'.repeat(1_500)) }],
    ['400 localOutput', 'export', { objstoreOutput: inBucket('x'), localOutput: { path: 'x' } }],
    ['400 localOutput.path', 'export', { localOutput: { path: '../x' } }],
    ['400 localOutput.path', 'export', { localOutput: { path: '/etc/passwd' } }],
    ['400 timeout', 'export', { timeout: '1d', localOutput: { path: 'x' } }],
    ['400 s3Output.accessKeyId', 'export', { s3Output: inS3('x', { accessKeyId: '' }) }],
    ['400 s3Output.secretAccessKey', 'export', { s3Output: inS3('x', { secretAccessKey: 'a\nb' }) }],
    ['400 s3Output.bucket', 'export', { s3Output: inS3('x', { bucket: 'arn:aws:s3:::x' }) }],
    ['400 s3Output.endpoint', 'export', { s3Output: inS3('x', { endpoint: 'https://s3.test/path' }) }],
    ['400 s3Output.region', 'export', { s3Output: inS3('x', { region: 'x.evil.test/' }) }],
    ['400 s3Output', 'export', { objstoreOutput: inBucket('x'), s3Output: inS3('x') }],
    ['400 store.endpoint_refused', 'export', { s3Output: inS3('x', { endpoint: 'http://storage.test' }) }],
    ['400 store.endpoint_refused', 'import', { dataOrgsS3: inS3('x', { endpoint: 'http://169.254.169.254' }) }],
    ['400 import.source', 'import', { data_orgs: { orgs: [] }, data_orgsv1_objstore: inBucket('x') }],
    ['400 import.source', 'import', { dataOrgsGcs: inBucket('x'), data_orgsv1_objstore: inBucket('x') }],
    ['400 data_orgsv1_objstore', 'import', { data_orgsv1_objstore: 'gs://moves/x' }],
    ['400 data_orgsv1_objstore.bucket', 'import', { data_orgsv1_objstore: inBucket('x', { bucket: 1 }) }],
    ['400 data_orgs_local.path', 'import', { data_orgs_local: { path: 'a/../b' } }],
    ['400 dataOrgsv1S3.bucket', 'import', { dataOrgsv1S3: {} }],
    ['400 data_orgs_s3.ssl', 'import', { data_orgs_s3: inS3('x', { ssl: 'yes' }) }],
    ['400 import.source', 'import', { data_orgs_s3: inS3('x'), dataOrgsGcs: inBucket('x') }],
  ])('is refused at once: %s for %s', async (verdict, way, body) => {
    const found = await api.verdict('POST', `/admin/v1/${way}`, body);
    expect(found.split(',')[0]).toBe(verdict);
    expect(server.asked).toEqual([]);
  });

  it('is the directory of a service that has none', async () => {
    const { api: elsewhere } = await callerWith(other, await other.add.org(), ['IAM_OWNER']);
    expect(await elsewhere.verdict('POST', '/admin/v1/export', { localOutput: { path: 'x' } })).toBe(
      '400 store.unknown',
    );
    expect(await elsewhere.verdict('POST', '/admin/v1/import', { dataOrgsLocal: { path: 'x' } })).toBe(
      '400 store.unknown',
    );
  });
});

describe('An export into the directory of the service', () => {
  it('is a job, and the document a file that only its owner may read', async () => {
    const job = await ended('export', { ...ALL, localOutput: { path: '2026/all.json' } });
    expect(job).toMatchObject({ state: DONE, file: '2026/all.json' });
    expect(canonical(JSON.parse(readFileSync(join(directory, '2026/all.json'), 'utf8')))).toEqual(canonical(document));
  });

  it('fails when the directory may not be written, and leaves nothing', async () => {
    rmSync(directory, { recursive: true });
    expect(await ended('export', { ...ALL, localOutput: { path: 'all.json' } })).toMatchObject({
      reason: 'store.read_only',
    });
    expect(existsSync(directory)).toBe(false);
  });

  it('never replaces a file', async () => {
    writeFileSync(join(directory, 'all.json'), 'the first');
    expect(await ended('export', { ...ALL, localOutput: { path: 'all.json' } })).toMatchObject({
      reason: 'store.object_exists',
    });
    expect(readdirSync(directory)).toEqual(['all.json']);
  });
});

describe('An import from a file', () => {
  const fresh = fullDocument();
  const text = JSON.stringify(fresh);

  it.each<[string, Json]>([
    ['in a bucket, tried only', { data_orgsv1_objstore: inBucket('new.json'), dry_run: true }],
    ['in a bucket', { data_orgsv1_objstore: inBucket('new.json') }],
    ['in a bucket, by another name', { dataOrgsGcs: inBucket('new.json') }],
    ['in a bucket, compressed', { dataOrgsv1Objstore: inBucket('new.json.gz') }],
    ['in an S3-compatible storage', { data_orgs_s3: inS3('new.json') }],
    ['in an S3-compatible storage, compressed', { dataOrgsv1S3: inS3('new.json.gz') }],
    ['in the directory', { dataOrgsLocal: { path: 'new.json' } }],
    ['in the directory, compressed, whatever it is called', { data_orgsv1_local: { path: 'zipped' } }],
  ])('is a job, and imports what an embedded document would: %s', async (_, body) => {
    server.objects.set('moves/new.json', Buffer.from(text));
    s3.hold('moves/new.json', Buffer.from(text));
    s3.hold('moves/new.json.gz', gzipSync(text));
    server.objects.set('moves/new.json.gz', gzipSync(text));
    writeFileSync(join(directory, 'new.json'), text);
    writeFileSync(join(directory, 'zipped'), gzipSync(text));
    expect(await ended('import', body)).toMatchObject({ kind: 'MIGRATION_JOB_KIND_IMPORT', state: DONE, reason: '' });
    const found = await api.call('POST', '/admin/v1/export', { ...ALL, orgIds: [] });
    const isThere = found['orgs'].some(({ orgId }: { orgId: string }) => orgId === fresh.orgs[0].orgId);
    expect(isThere).toBe(body['dry_run'] !== true);
  });

  it.each<[string, Json, () => void, string]>([
    ['is not there', { data_orgs_gcs: inBucket('none.json') }, () => undefined, 'store.object_not_found'],
    [
      'is in no bucket',
      { data_orgs_gcs: inBucket('x', { bucket: 'elsewhere' }) },
      () => undefined,
      'store.bucket_not_found',
    ],
    [
      'may not be read',
      { data_orgs_gcs: inBucket('new.json') },
      () => {
        server.roles = new Set(['create']);
      },
      'store.reading_forbidden',
    ],
    [
      'arrives damaged',
      { data_orgs_gcs: inBucket('new.json') },
      () => server.order('download', 'damage'),
      'import.document_broken',
    ],
    ['ends too early', { data_orgs_gcs: inBucket('half.json') }, () => undefined, 'import.document_broken'],
    ['is no gzip after its beginning', { data_orgs_gcs: inBucket('broken.gz') }, () => undefined, 'store.not_gzip'],
    ['is half a gzip', { data_orgs_gcs: inBucket('half.gz') }, () => undefined, 'store.not_gzip'],
    [
      'is not in an S3-compatible storage',
      { data_orgs_s3: inS3('none.json') },
      () => undefined,
      'store.object_not_found',
    ],
    [
      'is at an address of this network',
      { data_orgs_s3: inS3('new.json', { endpoint: 'https://127.0.0.1:9' }) },
      () => undefined,
      'outbound.address_refused',
    ],
    ['is not in the directory', { data_orgs_local: { path: 'none.json' } }, () => undefined, 'store.object_not_found'],
  ])('fails with a plain reason, and nothing is written, when it %s [EXP-011]', async (_, body, prepare, reason) => {
    server.objects.set('moves/new.json', Buffer.from(JSON.stringify(fullDocument())));
    server.objects.set('moves/half.json', Buffer.from(text.slice(0, text.length / 2)));
    server.objects.set('moves/broken.gz', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    server.objects.set('moves/half.gz', gzipSync(text).subarray(0, 500));
    const before = (await world.contents()).replace(/^migration_job .*$/gm, '');
    prepare();
    expect(await ended('import', body)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect((await world.contents()).replace(/^migration_job .*$/gm, '')).toBe(before);
  });
});
