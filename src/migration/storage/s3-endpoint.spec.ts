import { describe, expect, it } from '@jest/globals';
import { endpointOf, endpointProblem } from './s3-endpoint.js';

const LISTED = ['http://minio:9000', 'https://s3.intern.test'];

describe('The storage that a request means', () => {
  it.each<[string, boolean, readonly string[], object]>([
    ['', false, LISTED, { origin: 'http://minio:9000', isListed: true }],
    ['', false, [], { origin: undefined, region: 'us-east-1', isListed: false }],
    ['minio:9000', false, LISTED, { origin: 'http://minio:9000', isListed: true }],
    ['http://MinIO:9000', false, LISTED, { origin: 'http://minio:9000', isListed: true }],
    // Listed with http only: with https it is a different endpoint.
    ['minio:9000', true, LISTED, { origin: 'https://minio:9000', isListed: false }],
    ['s3.intern.test', false, LISTED, { origin: 'https://s3.intern.test', isListed: true }],
    ['storage.example.com', false, [], { origin: 'https://storage.example.com', isListed: false }],
    ['https://storage.example.com:8443', false, [], { origin: 'https://storage.example.com:8443', isListed: false }],
    ['s3.amazonaws.com', true, [], { origin: undefined, region: 'us-east-1' }],
    ['s3.eu-central-1.amazonaws.com', true, [], { origin: undefined, region: 'eu-central-1' }],
    ['https://s3.dualstack.us-gov-west-1.amazonaws.com', true, [], { origin: undefined, region: 'us-gov-west-1' }],
    ['s3.amazonaws.com.evil.test', true, [], { origin: 'https://s3.amazonaws.com.evil.test' }],
  ])('by %j (ssl %j) of %j is %j', (endpoint, ssl, listed, expected) => {
    expect(endpointOf({ endpoint, ssl, region: '' }, listed)).toMatchObject(expected);
  });

  it.each(['http://storage.example.com', 'http://s3.amazonaws.com', 'http://minio:9001', 'http://169.254.169.254'])(
    'is never asked in plain http where it is not listed: %s',
    (endpoint) => {
      expect(() => endpointOf({ endpoint, ssl: false, region: '' }, LISTED)).toThrow(
        expect.objectContaining({ reason: 'store.endpoint_refused' }),
      );
    },
  );

  it('is in the region that the request names', () => {
    expect(endpointOf({ endpoint: 's3.amazonaws.com', ssl: true, region: 'eu-west-1' }, []).region).toBe('eu-west-1');
  });

  it.each([
    's3.test/path',
    'https://s3.test/bucket',
    'https://user@s3.test',
    's3.test?x',
    'ftp://s3.test',
    's3 test',
    'https://',
    '-x',
    'x:0',
    'x:99999',
    '[::1',
    'a\nb',
  ])('is not %j', (endpoint) => {
    expect(endpointProblem(endpoint)).toBeDefined();
  });

  it.each(['', 's3.test', 'minio:9000', 'https://s3.test/', '[2606:4700::1111]:443', '10.0.0.1'])(
    'may be %j',
    (endpoint) => expect(endpointProblem(endpoint)).toBeUndefined(),
  );
});
