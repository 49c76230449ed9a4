import { DomainError } from '../error/domain-error.js';

/*
 * Who configured the address reads these. They tell which part failed, and nothing of what is inside: neither the address behind a
 * name nor what a server answered; that an address is refused is told alike whether something listens there or not.
 */

export function urlRefused(problem: string): DomainError {
  return new DomainError('FailedPrecondition', 'outbound.url_refused', `The address is not called: it ${problem}.`);
}

/** `address` is for the log: names of an internal network must not be resolved by asking us. */
export function addressRefused(host: string, address: string): DomainError {
  const message = `${host} is not called: its address is not one of the public internet. An operator may list its network in OUTBOUND_ALLOW.`;
  return new DomainError('FailedPrecondition', 'outbound.address_refused', message, { cause: address });
}

export function nameUnknown(host: string, code: string): DomainError {
  return new DomainError('Unavailable', 'outbound.name_unknown', `The name ${host} has no address.`, { cause: code });
}

export function unreachable(host: string, code: string): DomainError {
  return new DomainError(
    'Unavailable',
    'outbound.unreachable',
    `No connection to ${host} could be made, or it broke off.`,
    { cause: code },
  );
}

export function certificateRefused(host: string, code: string): DomainError {
  const message = `The certificate of ${host} is not accepted (${code}). It must be valid, for this name, and from an authority that this machine trusts.`;
  return new DomainError('FailedPrecondition', 'outbound.certificate_refused', message);
}

export function notEncrypted(host: string, code: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.tls_failed',
    `${host} and this service found no common way to encrypt the connection.`,
    { cause: code },
  );
}

export function notHttp(host: string, code: string): DomainError {
  return new DomainError('FailedPrecondition', 'outbound.not_http', `${host} does not answer in HTTP.`, {
    cause: code,
  });
}

export function tooSlow(host: string, seconds: number): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'outbound.too_slow',
    `${host} did not answer completely within ${seconds} seconds.`,
  );
}

export function tooLarge(host: string, bytes: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.too_large',
    `The answer of ${host} is larger than ${bytes} bytes.`,
  );
}

export function compressed(host: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.compressed',
    `The answer of ${host} is compressed, although that was not asked for.`,
  );
}

export function redirected(host: string, status: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.redirected',
    `${host} answered with a redirect (${status}), which is not followed. Give the final address.`,
  );
}

export function statusUnexpected(host: string, status: number): DomainError {
  const kind = status >= 500 ? 'Unavailable' : 'FailedPrecondition';
  return new DomainError(
    kind,
    'outbound.status_unexpected',
    `${host} answered with the status ${status} instead of 200.`,
  );
}

export function notJson(host: string, why: string): DomainError {
  return new DomainError('FailedPrecondition', 'outbound.not_json', `The answer of ${host} is no JSON object: ${why}.`);
}
