import { Secret } from '../../foundation/config/secret.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { localNameProblem } from './local-store.js';
import { endpointProblem, type SentEndpoint } from './s3-endpoint.js';
import { readServiceAccount, type ServiceAccount } from './service-account.js';

/** A file in a bucket of Google Cloud Storage, with credentials. */
export interface BucketPlace {
  readonly kind: 'bucket';
  readonly bucket: string;
  readonly path: string;
  readonly account: ServiceAccount;
}

/** Credentials for an S3-compatible storage. */
export interface AccessKey {
  readonly id: string;
  readonly secret: Secret;
  /** Set for temporary credentials. */
  readonly sessionToken: Secret | undefined;
}

/** A file in a bucket of Amazon S3 or a compatible storage. */
export interface S3Place extends SentEndpoint {
  readonly kind: 's3';
  readonly bucket: string;
  readonly path: string;
  readonly key: AccessKey;
}

/** A file in the directory OBJECT_STORE_DIR. */
export interface DirectoryPlace {
  readonly kind: 'directory';
  readonly path: string;
}

export type Place = BucketPlace | S3Place | DirectoryPlace;

/** https://cloud.google.com/storage/docs/buckets#naming */
const BUCKET = /^[a-z0-9](?:[a-z0-9._-]{1,220})[a-z0-9]$/;
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const S3_BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/;
const REGION = /^[a-z0-9-]{0,40}$/;
/** Credentials may contain only what a header can contain. */
const CREDENTIAL = /^[\x21-\x7e]+$/;
/** https://cloud.google.com/storage/docs/objects#naming */
const MAX_PATH_BYTES = 1_024;
const PATH_RULE = `must have 1 to ${MAX_PATH_BYTES} bytes, without line breaks, and not be "." or ".."`;

/** A place as sent in a request. */
export interface SentPlace {
  readonly bucket: string;
  readonly path: string;
  readonly serviceaccountJson: string;
}

/** Adds problems to `violations`; returns the place if there are none. */
export function readBucketPlace(
  field: string,
  { bucket, path, serviceaccountJson }: SentPlace,
  violations: FieldViolation[],
): BucketPlace | undefined {
  const account = readServiceAccount(new Secret(serviceaccountJson));
  const found = [
    BUCKET.test(bucket)
      ? undefined
      : {
          field: `${field}.bucket`,
          description:
            'must be the name of a bucket: 3 to 222 lower-case letters, digits, dots, hyphens and underscores',
        },
    isObjectName(path) ? undefined : { field: `${field}.path`, description: PATH_RULE },
    typeof account === 'string' ? { field: `${field}.serviceaccountJson`, description: account } : undefined,
  ].filter((violation) => violation !== undefined);
  violations.push(...found);
  return found.length > 0 || typeof account === 'string' ? undefined : { kind: 'bucket', bucket, path, account };
}

/** A place in an S3-compatible storage as sent in a request. */
export interface SentS3Place extends SentEndpoint {
  readonly bucket: string;
  readonly path: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Adds problems to `violations`; returns the place if there are none. */
export function readS3Place(field: string, sent: SentS3Place, violations: FieldViolation[]): S3Place | undefined {
  const { bucket, path, endpoint, ssl, region, accessKeyId, secretAccessKey, sessionToken } = sent;
  const rules: ReadonlyArray<readonly [member: string, description: string | undefined]> = [
    [
      'bucket',
      S3_BUCKET.test(bucket)
        ? undefined
        : 'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    ],
    ['path', isObjectName(path) ? undefined : PATH_RULE],
    ['endpoint', endpointProblem(endpoint)],
    ['region', REGION.test(region) ? undefined : 'must be a region such as eu-central-1'],
    [
      'accessKeyId',
      CREDENTIAL.test(accessKeyId) && !accessKeyId.includes('/') ? undefined : 'must be the id of an access key',
    ],
    ['secretAccessKey', CREDENTIAL.test(secretAccessKey) ? undefined : 'must be the secret of the access key'],
    ['sessionToken', sessionToken === '' || CREDENTIAL.test(sessionToken) ? undefined : 'must be a session token'],
  ];
  const found = rules.flatMap(([member, description]) =>
    description === undefined ? [] : [{ field: `${field}.${member}`, description }],
  );
  violations.push(...found);
  if (found.length > 0) return undefined;
  const key = {
    id: accessKeyId,
    secret: new Secret(secretAccessKey),
    sessionToken: sessionToken === '' ? undefined : new Secret(sessionToken),
  };
  return { kind: 's3', bucket, path, endpoint, ssl, region, key };
}

/** Adds problems to `violations`; returns the place if there are none. */
export function readDirectoryPlace(
  field: string,
  { path }: Pick<SentPlace, 'path'>,
  violations: FieldViolation[],
): DirectoryPlace | undefined {
  const problem = localNameProblem(path);
  if (problem === undefined) return { kind: 'directory', path };
  violations.push({ field: `${field}.path`, description: problem });
  return undefined;
}

/** The place for display; contains no secrets. */
export function nameOf(place: Place): string {
  switch (place.kind) {
    case 'bucket':
      return `gs://${place.bucket}/${place.path}`;
    case 's3':
      return `s3://${place.bucket}/${place.path}`;
    case 'directory':
      return place.path;
  }
}

function isObjectName(path: string): boolean {
  // No encoding can carry control characters or lone surrogates.
  const isText = !/[\p{Cc}\p{Cs}]/u.test(path);
  return isText && path !== '' && path !== '.' && path !== '..' && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}
