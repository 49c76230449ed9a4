import { endpointRefused } from './store.errors.js';

/** The address of an S3-compatible storage. */
export interface S3Endpoint {
  /** The origin of another storage; undefined for Amazon's in the region. */
  readonly origin: string | undefined;
  readonly region: string;
  /** Listed by the operator, so its address need not be public. */
  readonly isListed: boolean;
}

/** The endpoint as sent in a request. */
export interface SentEndpoint {
  /**
   * `s3.example.com`, `minio:9000` or `https://s3.example.com`; empty for the first one that the operator has listed,
   * or else Amazon's.
   */
  readonly endpoint: string;
  /** Whether to use https for a host without a scheme. */
  readonly ssl: boolean;
  readonly region: string;
}

/** Also accepted by storages without regions: https://min.io/docs, https://docs.ceph.com */
const DEFAULT_REGION = 'us-east-1';
/** https://docs.aws.amazon.com/general/latest/gr/s3.html */
const AMAZON = /^s3[.-](?:dualstack\.)?(?:([a-z]{2}(?:-[a-z]+)+-\d)\.)?amazonaws\.com$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/i;

/** What is wrong with it; undefined if it is valid. */
export function endpointProblem(endpoint: string): string | undefined {
  if (endpoint === '' || (HOST.test(withoutScheme(endpoint)) && URL.canParse(`https://${withoutScheme(endpoint)}`)))
    return undefined;
  return 'must be a host such as s3.example.com or minio:9000, perhaps with https:// before it, and without a path';
}

/**
 * Resolves the endpoint. Documents contain hashes and seeds, so https is required except for endpoints that the
 * operator has listed.
 * @throws DomainError FailedPrecondition `store.endpoint_refused`
 */
export function endpointOf({ endpoint, ssl, region }: SentEndpoint, listed: readonly string[]): S3Endpoint {
  const usual = region === '' ? DEFAULT_REGION : region;
  if (endpoint === '') return { origin: listed[0], region: usual, isListed: listed.length > 0 };
  const host = withoutScheme(endpoint).replace(/\/$/, '');
  const plain = new URL(`http://${host}`).origin;
  const encrypted = new URL(`https://${host}`).origin;
  // A missing `ssl` must not expose the document in transit.
  const isPlain = /^http:/i.test(endpoint) || (!/^https:/i.test(endpoint) && !ssl && listed.includes(plain));
  const origin = isPlain ? plain : encrypted;
  const isListed = listed.includes(origin);
  if (isPlain && !isListed) throw endpointRefused(host);
  const amazon = AMAZON.exec(host.toLowerCase());
  if (amazon && !isListed) return { origin: undefined, region: amazon[1] ?? usual, isListed: false };
  return { origin, region: usual, isListed };
}

function withoutScheme(endpoint: string): string {
  return endpoint.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
