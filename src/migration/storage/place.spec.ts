import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { readBucketPlace, readDirectoryPlace } from './place.js';

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const ACCOUNT = Buffer.from(
  JSON.stringify({
    type: 'service_account',
    project_id: 'p',
    private_key_id: 'k',
    private_key: privateKey,
    client_email: 'mover@p.iam.gserviceaccount.com',
    client_id: '1',
    token_uri: 'https://oauth2.googleapis.com/token',
  }),
).toString('base64');

/** The place, or the violations. */
function bucketPlace(bucket: string, path: string): unknown {
  const violations: FieldViolation[] = [];
  const place = readBucketPlace('file', { bucket, path, serviceaccountJson: ACCOUNT }, violations);
  return place ? { bucket: place.bucket, path: place.path } : violations.map(({ field }) => field);
}

describe('Where a file is [EXP-010]', () => {
  it.each(['../x', '/etc/passwd', 'gs://other/x', 'a?generation=1', 'a#b', '%2e%2e', 'ü/漢.json'])(
    'in a bucket: %s is a name like any other',
    (path) => {
      expect(bucketPlace('moves', path)).toEqual({ bucket: 'moves', path });
    },
  );

  it.each(['', '.', '..', 'a\0b', 'a\nb', 'x'.repeat(2_000)])('in a bucket: %j is not a valid name', (path) => {
    expect(bucketPlace('moves', path)).toEqual(['file.path']);
  });

  it.each([
    '',
    '..',
    '../x',
    '/etc/passwd',
    'gs://other',
    'a?generation=1',
    'a#b',
    '%2e%2e',
    'a\0b',
    'x'.repeat(2_000),
  ])('no bucket is called %j', (bucket) => {
    expect(bucketPlace(bucket, 'x')).toEqual(['file.bucket']);
  });

  it.each(['', '.', '..', '../x', 'a/../../x', '/etc/passwd', 'a//x', 'a/', '.hidden', 'a\0b', 'a\nb', 'a?b', 'c:/x'])(
    'in the directory of the operator: %j leads nowhere',
    (path) => {
      const violations: FieldViolation[] = [];
      expect(readDirectoryPlace('file', { path }, violations)).toBeUndefined();
      expect(violations.map(({ field }) => field)).toEqual(['file.path']);
    },
  );
});
