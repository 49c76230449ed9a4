import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { NS } from '../xml/namespaces.js';
import { booleanOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

const FORMATS = ['persistent', 'emailAddress', 'transient', 'unspecified'] as const;
export type OfferedFormat = (typeof FORMATS)[number];

/** Under which kind of name a service provider wants to know people (SAML Core §3.4.1.1). */
export interface NameIdDemand {
  /** Undefined if any will do. */
  readonly format: OfferedFormat | undefined;
  /** Whether a name may be made for somebody who has none at this service provider. Undefined if it does not say. */
  readonly allowCreate: boolean | undefined;
}

/**
 * `unsatisfiable` if we have no such names, which the service provider is told.
 * @throws SamlRefusal `value_malformed`
 */
export function readNameIdDemand(request: XmlElement, serviceProvider: string): NameIdDemand | 'unsatisfiable' {
  const policy = request.optional(NS.protocol, 'NameIDPolicy');
  const uri = policy?.attribute('Format');
  const format = FORMATS.find((one) => NAME_ID_FORMAT[one] === uri);
  // A name among several service providers: we know of no such affiliations.
  const isShared = (policy?.attribute('SPNameQualifier') ?? serviceProvider) !== serviceProvider;
  if (isShared || (uri !== undefined && format === undefined)) return 'unsatisfiable';
  return {
    format: format === 'unspecified' ? undefined : format,
    allowCreate: policy && booleanOf(policy, 'AllowCreate'),
  };
}
