import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LocalStore } from '../../../src/migration/storage/local-store.js';
import type { Json } from '../../support/admin-api.js';
import { statementsDuring } from '../../support/statement-counter.js';
import { canonical } from '../document.js';
import { FileMoves } from './file-moves.js';

const moves = await FileMoves.start();
const { all: ALL, api, directory, document, s3, server, world } = moves;
const DONE = 'MIGRATION_JOB_STATE_SUCCEEDED';

beforeEach(() => {
  moves.clear();
});
afterAll(() => moves.close());

describe('An export into a bucket', () => {
  it.each([['objstoreOutput'], ['objstore_output'], ['gcs_output']])(
    'is a job, and the document a file (%s)',
    async (member) => {
      const job = await moves.ended('export', { ...ALL, [member]: moves.inBucket('2026/all.json') });
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
    await moves.ended('export', { ...ALL, objstoreOutput: moves.inBucket('all.json.gz') });
    expect(canonical(JSON.parse(gunzipSync(server.objects.get('moves/all.json.gz')!).toString()))).toEqual(
      canonical(document),
    );
  });

  it('never replaces a file [EXP-012]', async () => {
    server.objects.set('moves/all.json', Buffer.from('the first'));
    expect(await moves.ended('export', { ...ALL, objstoreOutput: moves.inBucket('all.json') })).toMatchObject({
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
    const job = await moves.ended('export', { ...ALL, objstoreOutput: moves.inBucket('all.json', change) });
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect(job.message).not.toMatch(/PRIVATE|Bearer|assertion/);
    expect(server.objects.size).toBe(0);
  });

  it('leaves nothing when the time is over [EXP-006]', async () => {
    expect(
      await moves.ended('export', { ...ALL, timeout: '1ms', objstoreOutput: moves.inBucket('all.json') }),
    ).toMatchObject({
      state: 'MIGRATION_JOB_STATE_FAILED',
      reason: 'migration.timeout',
    });
    expect(server.objects.size).toBe(0);
  });

  it('leaves nothing when it is cancelled while the storage is silent', async () => {
    server.order('begin', 'silence');
    const job = await moves.begun('export', { ...ALL, objstoreOutput: moves.inBucket('all.json') });
    while (!server.asked.includes('begin')) await sleep(5);
    await api.call('POST', `/admin/v1/jobs/${job.id}/_cancel`, {});
    expect(await moves.settled(job)).toMatchObject({ state: 'MIGRATION_JOB_STATE_CANCELLED' });
    expect(server.objects.size).toBe(0);
  });

  it('answers the document as well when the response is asked for, too [EXP-007]', async () => {
    const reply = await api.ask('POST', '/admin/v1/export', {
      ...ALL,
      responseOutput: true,
      objstoreOutput: moves.inBucket('all.json'),
    });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(server.text('moves/all.json'));
  });

  it('answers no whole document when its file cannot be written', async () => {
    server.roles = new Set(['read']);
    const reply = await api
      .ask('POST', '/admin/v1/export', { ...ALL, responseOutput: true, objstoreOutput: moves.inBucket('all.json') })
      .catch(() => undefined);
    expect(reply?.status === 200).toBe(false);
  });

  it('journals where it went, without the credentials', async () => {
    await moves.ended('export', { ...ALL, objstoreOutput: moves.inBucket('journaled.json') });
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
    const job = await moves.ended('export', { ...ALL, [member]: moves.inS3('2026/all.json', more) });
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
    await moves.ended('export', { ...ALL, s3Output: moves.inS3('all.json.gz') });
    expect(canonical(JSON.parse(gunzipSync(s3.objects.get('moves/all.json.gz')!.content).toString()))).toEqual(
      canonical(document),
    );
    expect(await moves.ended('export', { ...ALL, s3Output: moves.inS3('all.json.gz') })).toMatchObject({
      state: 'MIGRATION_JOB_STATE_FAILED',
      reason: 'store.object_exists',
    });
  });

  it.each([
    ['a bucket', () => ({ objstoreOutput: moves.inBucket('all.json.gz', { bucket: 'elsewhere' }) })],
    ['an S3-compatible storage', () => ({ s3Output: moves.inS3('all.json.gz', { bucket: 'elsewhere' }) })],
  ])('ends reading before its connection is given to others, when %s refuses the file', async (_, output) => {
    for (let time = 0; time < 5; time += 1) {
      expect(await moves.ended('export', { ...ALL, ...output() })).toMatchObject({ reason: 'store.bucket_not_found' });
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
    const job = await moves.ended('export', { ...ALL, s3Output: moves.inS3('all.json', change) });
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect(job.message).not.toMatch(/GATEHOUSETESTKEY|AWS4/);
    expect(s3.objects.size).toBe(0);
  });

  it('leaves nothing when the time is over, or when it is cancelled while the storage is silent', async () => {
    expect(await moves.ended('export', { ...ALL, timeout: '1ms', s3Output: moves.inS3('all.json') })).toMatchObject({
      reason: 'migration.timeout',
    });
    s3.order('put', 'silence');
    const job = await moves.begun('export', { ...ALL, s3Output: moves.inS3('all.json') });
    while (!s3.asked.includes('put')) await sleep(5);
    await api.call('POST', `/admin/v1/jobs/${job.id}/_cancel`, {});
    expect(await moves.settled(job)).toMatchObject({ state: 'MIGRATION_JOB_STATE_CANCELLED' });
    expect(s3.objects.size).toBe(0);
  });

  it('answers the document as well when the response is asked for, too', async () => {
    const reply = await api.ask('POST', '/admin/v1/export', {
      ...ALL,
      responseOutput: true,
      s3Output: moves.inS3('all.json'),
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

describe('An export into the directory of the service', () => {
  it('is a job, and the document a file that only its owner may read', async () => {
    const job = await moves.ended('export', { ...ALL, localOutput: { path: '2026/all.json' } });
    expect(job).toMatchObject({ state: DONE, file: '2026/all.json' });
    expect(canonical(JSON.parse(readFileSync(join(directory, '2026/all.json'), 'utf8')))).toEqual(canonical(document));
  });

  it('fails when the directory may not be written, and leaves nothing', async () => {
    rmSync(directory, { recursive: true });
    expect(await moves.ended('export', { ...ALL, localOutput: { path: 'all.json' } })).toMatchObject({
      reason: 'store.read_only',
    });
    expect(existsSync(directory)).toBe(false);
  });

  it('never replaces a file', async () => {
    writeFileSync(join(directory, 'all.json'), 'the first');
    expect(await moves.ended('export', { ...ALL, localOutput: { path: 'all.json' } })).toMatchObject({
      reason: 'store.object_exists',
    });
    expect(readdirSync(directory)).toEqual(['all.json']);
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
    const store = jest.spyOn(LocalStore.prototype, 'write').mockImplementation(async (_, content) => {
      for await (const piece of content) {
        bytes += piece.length;
        largest = Math.max(largest, piece.length);
        if (meanwhile.length > 0 || bytes < 1_000_000) continue;
        meanwhile = ['looked', ...(await statementsDuring(() => sleep(500)))];
      }
    });
    const job = await moves.ended('export', { orgIds: [org.id], localOutput: { path: 'many.json' } });
    store.mockRestore();
    expect(job).toMatchObject({ state: DONE, bytes: String(bytes) });
    expect(bytes).toBeGreaterThan(2_000_000);
    expect(largest).toBeLessThan(1_000_000);
    expect(meanwhile.filter((text) => /FETCH|DECLARE/.test(text))).toEqual([]);
    expect(meanwhile[0]).toBe('looked');
  });
});
