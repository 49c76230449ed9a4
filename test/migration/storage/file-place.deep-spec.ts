import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callerWith, type Json } from '../../support/admin-api.js';
import { startWorld } from '../../support/world.js';
import { FileMoves } from './file-moves.js';

const moves = await FileMoves.start();
const { api, server } = moves;

beforeEach(() => {
  moves.clear();
});
afterAll(() => moves.close());

describe('A place that is none', () => {
  it.each<[string, string, Json]>([
    [
      '400 objstoreOutput.serviceaccountJson',
      'export',
      { objstoreOutput: moves.inBucket('x', { serviceaccount_json: 'no base64!' }) },
    ],
    [
      '400 objstoreOutput.serviceaccountJson',
      'export',
      { objstoreOutput: moves.inBucket('x', { serviceaccount_json: Buffer.from('{}').toString('base64') }) },
    ],
    ['400 objstoreOutput.bucket', 'export', { objstoreOutput: moves.inBucket('x', { bucket: '../other' }) }],
    ['400 objstoreOutput.bucket', 'export', { objstoreOutput: moves.inBucket('x', { bucket: 'a/b?c#d' }) }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: moves.inBucket('') }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: moves.inBucket('a\nb') }],
    ['400 objstoreOutput.path', 'export', { objstoreOutput: moves.inBucket('x'.repeat(1_500)) }],
    ['400 localOutput', 'export', { objstoreOutput: moves.inBucket('x'), localOutput: { path: 'x' } }],
    ['400 localOutput.path', 'export', { localOutput: { path: '../x' } }],
    ['400 localOutput.path', 'export', { localOutput: { path: '/etc/passwd' } }],
    ['400 timeout', 'export', { timeout: '1d', localOutput: { path: 'x' } }],
    ['400 s3Output.accessKeyId', 'export', { s3Output: moves.inS3('x', { accessKeyId: '' }) }],
    ['400 s3Output.secretAccessKey', 'export', { s3Output: moves.inS3('x', { secretAccessKey: 'a\nb' }) }],
    ['400 s3Output.bucket', 'export', { s3Output: moves.inS3('x', { bucket: 'arn:aws:s3:::x' }) }],
    ['400 s3Output.endpoint', 'export', { s3Output: moves.inS3('x', { endpoint: 'https://s3.test/path' }) }],
    ['400 s3Output.region', 'export', { s3Output: moves.inS3('x', { region: 'x.evil.test/' }) }],
    ['400 s3Output', 'export', { objstoreOutput: moves.inBucket('x'), s3Output: moves.inS3('x') }],
    ['400 store.endpoint_refused', 'export', { s3Output: moves.inS3('x', { endpoint: 'http://storage.test' }) }],
    ['400 store.endpoint_refused', 'import', { dataOrgsS3: moves.inS3('x', { endpoint: 'http://169.254.169.254' }) }],
    ['400 import.source', 'import', { data_orgs: { orgs: [] }, data_orgsv1_objstore: moves.inBucket('x') }],
    ['400 import.source', 'import', { dataOrgsGcs: moves.inBucket('x'), data_orgsv1_objstore: moves.inBucket('x') }],
    ['400 data_orgsv1_objstore', 'import', { data_orgsv1_objstore: 'gs://moves/x' }],
    ['400 data_orgsv1_objstore.bucket', 'import', { data_orgsv1_objstore: moves.inBucket('x', { bucket: 1 }) }],
    ['400 data_orgs_local.path', 'import', { data_orgs_local: { path: 'a/../b' } }],
    ['400 dataOrgsv1S3.bucket', 'import', { dataOrgsv1S3: {} }],
    ['400 data_orgs_s3.ssl', 'import', { data_orgs_s3: moves.inS3('x', { ssl: 'yes' }) }],
    ['400 import.source', 'import', { data_orgs_s3: moves.inS3('x'), dataOrgsGcs: moves.inBucket('x') }],
  ])('is refused at once: %s for %s', async (verdict, way, body) => {
    const found = await api.verdict('POST', `/admin/v1/${way}`, body);
    expect(found.split(',')[0]).toBe(verdict);
    expect(server.asked).toEqual([]);
  });

  it('is the directory of a service that has none', async () => {
    const other = await startWorld();
    try {
      const { api: elsewhere } = await callerWith(other, await other.add.org(), ['IAM_OWNER']);
      const written = await elsewhere.verdict('POST', '/admin/v1/export', { localOutput: { path: 'x' } });
      const read = await elsewhere.verdict('POST', '/admin/v1/import', { dataOrgsLocal: { path: 'x' } });
      expect([written, read]).toEqual(['400 store.unknown', '400 store.unknown']);
    } finally {
      await other.close();
    }
  });
});
