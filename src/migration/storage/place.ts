import { Secret } from '../../crypto/secret.js';
import type { FieldViolation } from '../../error/domain-error.js';
import { localNameProblem } from './local-store.js';
import { readServiceAccount, type ServiceAccount } from './service-account.js';

/** A file in a bucket of Google Cloud Storage, and who may write or read it. */
export interface BucketPlace {
  readonly kind: 'bucket';
  readonly bucket: string;
  readonly path: string;
  readonly account: ServiceAccount;
}

/** A file in the directory of OBJECT_STORE_DIR. */
export interface DirectoryPlace {
  readonly kind: 'directory';
  readonly path: string;
}

export type Place = BucketPlace | DirectoryPlace;

/** https://cloud.google.com/storage/docs/buckets#naming */
const BUCKET = /^[a-z0-9](?:[a-z0-9._-]{1,220})[a-z0-9]$/;
/** https://cloud.google.com/storage/docs/objects#naming */
const MAX_PATH_BYTES = 1_024;

/** The parts of a place as a request names them. */
export interface SentPlace {
  readonly bucket: string;
  readonly path: string;
  readonly serviceaccountJson: string;
}

/** Adds to `violations` what is wrong; without any, the place. */
export function readBucketPlace(field: string, { bucket, path, serviceaccountJson }: SentPlace, violations: FieldViolation[]): BucketPlace | undefined {
  const account = readServiceAccount(new Secret(serviceaccountJson));
  const found = [
    BUCKET.test(bucket) ? undefined : { field: `${field}.bucket`, description: 'must be the name of a bucket: 3 to 222 lower-case letters, digits, dots, hyphens and underscores' },
    isObjectName(path) ? undefined : { field: `${field}.path`, description: `must have 1 to ${MAX_PATH_BYTES} bytes, without line breaks, and not be "." or ".."` },
    typeof account === 'string' ? { field: `${field}.serviceaccountJson`, description: account } : undefined,
  ].filter((violation) => violation !== undefined);
  violations.push(...found);
  return found.length > 0 || typeof account === 'string' ? undefined : { kind: 'bucket', bucket, path, account };
}

export function readDirectoryPlace(field: string, { path }: Pick<SentPlace, 'path'>, violations: FieldViolation[]): DirectoryPlace | undefined {
  const problem = localNameProblem(path);
  if (problem === undefined) return { kind: 'directory', path };
  violations.push({ field: `${field}.path`, description: problem });
  return undefined;
}

/** For people: nothing secret is in it. */
export function nameOf(place: Place): string {
  return place.kind === 'bucket' ? `gs://${place.bucket}/${place.path}` : place.path;
}

function isObjectName(path: string): boolean {
  // Control characters and lone surrogates, which no encoding carries.
  const isText = !/[\p{Cc}\p{Cs}]/u.test(path);
  return isText && path !== '' && path !== '.' && path !== '..' && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}
