import { NS } from '../xml/namespaces.js';
import { type Tag, tag } from '../xml/write-xml.js';
import type { XmlElement } from '../xml/xml-element.js';

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';

/** Who is at fault, or nobody (SAML Core §3.2.2.2). */
const TOP_LEVEL = ['Success', 'Requester', 'Responder', 'VersionMismatch'] as const;

/** Why (SAML Core §3.2.2.2, all of them). */
const SECOND_LEVEL = [
  'AuthnFailed',
  'InvalidAttrNameOrValue',
  'InvalidNameIDPolicy',
  'NoAuthnContext',
  'NoAvailableIDP',
  'NoPassive',
  'NoSupportedIDP',
  'PartialLogout',
  'ProxyCountExceeded',
  'RequestDenied',
  'RequestUnsupported',
  'RequestVersionDeprecated',
  'RequestVersionTooHigh',
  'RequestVersionTooLow',
  'ResourceNotRecognized',
  'TooManyResponses',
  'UnknownAttrProfile',
  'UnknownPrincipal',
  'UnsupportedBinding',
] as const;

export type StatusLevel = (typeof TOP_LEVEL)[number];
export type StatusCode = (typeof SECOND_LEVEL)[number];

export interface Status {
  /** `unknown` for codes that the standard does not name. */
  readonly level: StatusLevel | 'unknown';
  readonly code: StatusCode | 'unknown' | undefined;
}

/** The status of a response. Its message, which anybody may have written, is not read. */
export function readStatus(response: XmlElement): Status {
  const top = response.required(NS.protocol, 'Status').required(NS.protocol, 'StatusCode');
  const second = top.optional(NS.protocol, 'StatusCode');
  return {
    level: known(TOP_LEVEL, top.attribute('Value')),
    code: second && known(SECOND_LEVEL, second.attribute('Value')),
  };
}

export function statusTag(level: StatusLevel, code?: StatusCode): Tag {
  const second = code && tag('samlp:StatusCode', { Value: STATUS + code });
  return tag('samlp:Status', {}, tag('samlp:StatusCode', { Value: STATUS + level }, second));
}

function known<T extends string>(words: readonly T[], uri: string | undefined): T | 'unknown' {
  return words.find((word) => STATUS + word === uri) ?? 'unknown';
}
