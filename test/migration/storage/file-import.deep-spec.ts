import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/admin-api.js';
import { fullDocument } from '../document.js';
import { FileMoves } from './file-moves.js';

const moves = await FileMoves.start();
const { all: ALL, api, directory, s3, server, world } = moves;
const DONE = 'MIGRATION_JOB_STATE_SUCCEEDED';

beforeEach(() => {
  moves.clear();
});
afterAll(() => moves.close());

describe('An import from a file', () => {
  const fresh = fullDocument();
  const text = JSON.stringify(fresh);

  it.each<[string, Json]>([
    ['in a bucket, tried only', { data_orgsv1_objstore: moves.inBucket('new.json'), dry_run: true }],
    ['in a bucket', { data_orgsv1_objstore: moves.inBucket('new.json') }],
    ['in a bucket, by another name', { dataOrgsGcs: moves.inBucket('new.json') }],
    ['in a bucket, compressed', { dataOrgsv1Objstore: moves.inBucket('new.json.gz') }],
    ['in an S3-compatible storage', { data_orgs_s3: moves.inS3('new.json') }],
    ['in an S3-compatible storage, compressed', { dataOrgsv1S3: moves.inS3('new.json.gz') }],
    ['in the directory', { dataOrgsLocal: { path: 'new.json' } }],
    ['in the directory, compressed, whatever it is called', { data_orgsv1_local: { path: 'zipped' } }],
  ])('is a job, and imports what an embedded document would: %s', async (_, body) => {
    server.objects.set('moves/new.json', Buffer.from(text));
    s3.hold('moves/new.json', Buffer.from(text));
    s3.hold('moves/new.json.gz', gzipSync(text));
    server.objects.set('moves/new.json.gz', gzipSync(text));
    writeFileSync(join(directory, 'new.json'), text);
    writeFileSync(join(directory, 'zipped'), gzipSync(text));
    expect(await moves.ended('import', body)).toMatchObject({
      kind: 'MIGRATION_JOB_KIND_IMPORT',
      state: DONE,
      reason: '',
    });
    const found = await api.call('POST', '/admin/v1/export', { ...ALL, orgIds: [] });
    const isThere = found['orgs'].some(({ orgId }: { orgId: string }) => orgId === fresh.orgs[0].orgId);
    expect(isThere).toBe(body['dry_run'] !== true);
  });

  it.each<[string, Json, () => void, string]>([
    ['is not there', { data_orgs_gcs: moves.inBucket('none.json') }, () => undefined, 'store.object_not_found'],
    [
      'is in no bucket',
      { data_orgs_gcs: moves.inBucket('x', { bucket: 'elsewhere' }) },
      () => undefined,
      'store.bucket_not_found',
    ],
    [
      'may not be read',
      { data_orgs_gcs: moves.inBucket('new.json') },
      () => {
        server.roles = new Set(['create']);
      },
      'store.reading_forbidden',
    ],
    [
      'arrives damaged',
      { data_orgs_gcs: moves.inBucket('new.json') },
      () => server.order('download', 'damage'),
      'import.document_broken',
    ],
    ['ends too early', { data_orgs_gcs: moves.inBucket('half.json') }, () => undefined, 'import.document_broken'],
    [
      'is no gzip after its beginning',
      { data_orgs_gcs: moves.inBucket('broken.gz') },
      () => undefined,
      'store.not_gzip',
    ],
    ['is half a gzip', { data_orgs_gcs: moves.inBucket('half.gz') }, () => undefined, 'store.not_gzip'],
    [
      'is not in an S3-compatible storage',
      { data_orgs_s3: moves.inS3('none.json') },
      () => undefined,
      'store.object_not_found',
    ],
    [
      'is at an address of this network',
      { data_orgs_s3: moves.inS3('new.json', { endpoint: 'https://127.0.0.1:9' }) },
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
    expect(await moves.ended('import', body)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason });
    expect((await world.contents()).replace(/^migration_job .*$/gm, '')).toBe(before);
  });
});
