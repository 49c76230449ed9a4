/** Resource indicators (RFC 8707): which form of access token the peer issues follows from the resource. */
export const RESOURCES = [
  { indicator: 'urn:bench:opaque', algorithm: undefined },
  { indicator: 'urn:bench:rs256', algorithm: 'RS256' },
  { indicator: 'urn:bench:es256', algorithm: 'ES256' },
];
