import { DomainError } from '../error/domain-error.js';

/*
 * Messages for the person who configured the address. They say which part failed but reveal nothing about the network:
 * neither the IP address of a name nor the response of a server. The refusal of an address is the same whether or not a
 * server listens there.
 */

export function urlRefused(problem: string): DomainError {
  return new DomainError('FailedPrecondition', 'outbound.url_refused', `The URL is not requested: it ${problem}.`);
}

/** `address` is for the log: names of an internal network must not be resolved by asking us. */
export function addressRefused(host: string, address: string): DomainError {
  const message = `${host} is not contacted: its address is not on the public internet. An operator can allow its network in OUTBOUND_ALLOW.`;
  return new DomainError('FailedPrecondition', 'outbound.address_refused', message, { cause: address });
}

export function nameUnknown(host: string, code: string): DomainError {
  return new DomainError('Unavailable', 'outbound.name_unknown', `The host name ${host} cannot be resolved.`, {
    cause: code,
  });
}

export function unreachable(host: string, code: string): DomainError {
  return new DomainError('Unavailable', 'outbound.unreachable', `The connection to ${host} failed or was lost.`, {
    cause: code,
  });
}

export function certificateRefused(host: string, code: string): DomainError {
  const message = `The certificate of ${host} is not accepted (${code}). It must be valid for this name and issued by an authority that this machine trusts.`;
  return new DomainError('FailedPrecondition', 'outbound.certificate_refused', message);
}

export function notEncrypted(host: string, code: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.tls_failed',
    `${host} and this service share no TLS version or cipher suite.`,
    { cause: code },
  );
}

export function notHttp(host: string, code: string): DomainError {
  return new DomainError('FailedPrecondition', 'outbound.not_http', `${host} did not send a valid HTTP response.`, {
    cause: code,
  });
}

export function tooSlow(host: string, seconds: number): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'outbound.too_slow',
    `${host} did not send a complete response within ${seconds} seconds.`,
  );
}

export function tooLarge(host: string, bytes: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.too_large',
    `The response of ${host} is larger than ${bytes} bytes.`,
  );
}

export function compressed(host: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.compressed',
    `The response of ${host} is compressed, although compression was not requested.`,
  );
}

export function redirected(host: string, status: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.redirected',
    `${host} responded with a redirect (${status}), which is not followed. Give the final URL.`,
  );
}

export function statusUnexpected(host: string, status: number): DomainError {
  const kind = status >= 500 ? 'Unavailable' : 'FailedPrecondition';
  return new DomainError(kind, 'outbound.status_unexpected', `${host} responded with status ${status} instead of 200.`);
}

export function notJson(host: string, why: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'outbound.not_json',
    `The response of ${host} is not a JSON object: ${why}.`,
  );
}
