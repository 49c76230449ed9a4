/**
 * The most that the target and the headers of a request may take, in both versions of HTTP. Room for a signed access
 * token of 12 kB beside a certificate that a proxy reports and a proof of its key, or for an ID token of 24 kB as a
 * hint in an address.
 */
export const MAX_HEADER_BYTES = 32_768;

export const HEADERS_TOO_LARGE =
  `The address and the headers of the request take more than ${MAX_HEADER_BYTES} bytes. ` +
  'Send a long id_token_hint, or other long parameters, in the form of a POST.';
