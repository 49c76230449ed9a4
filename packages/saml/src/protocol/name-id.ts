import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { type Tag, tag } from '../xml/write-xml.js';
import type { XmlElement } from '../xml/xml-element.js';
import { NAME_ID_FORMAT } from './uris.js';

/** Under which name one party knows a person (SAML Core §2.2.3). */
export interface NameId {
  /** Exactly as it was written: blanks and case make another person. */
  readonly value: string;
  readonly format: string;
  readonly nameQualifier: string | undefined;
  readonly spNameQualifier: string | undefined;
}

/**
 * The name in a subject or in a request for logout; undefined if there is none.
 * @throws SamlRefusal `identifier_encrypted`, `value_malformed` if it is empty
 */
export function nameIdIn(parent: XmlElement): NameId | undefined {
  if (parent.optional(NS.assertion, 'EncryptedID')) throw new SamlRefusal('identifier_encrypted');
  if (parent.optional(NS.assertion, 'BaseID')) throw new SamlRefusal('element_unexpected', 'BaseID');
  const nameId = parent.optional(NS.assertion, 'NameID');
  return nameId && readNameId(nameId);
}

function readNameId(element: XmlElement): NameId {
  const value = element.text;
  if (value.trim() === '') throw new SamlRefusal('value_malformed', 'NameID');
  return {
    value,
    format: element.attribute('Format') ?? NAME_ID_FORMAT.unspecified,
    nameQualifier: element.attribute('NameQualifier'),
    spNameQualifier: element.attribute('SPNameQualifier'),
  };
}

export function nameIdTag({ value, format, nameQualifier, spNameQualifier }: NameId): Tag {
  return tag('saml:NameID', { NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier, Format: format }, value);
}

/** The two parties between which a name means somebody. */
export interface NameIdParties {
  readonly identityProvider: string;
  readonly serviceProvider: string;
}

/**
 * Whether both name the same person (SAML Core §3.3.4): all four members agree. Qualifiers that a party leaves out are
 * those of the two parties (SAML Core §8.3.7).
 */
export function isSameNameId(one: NameId, other: NameId, parties: NameIdParties): boolean {
  return (
    one.value === other.value &&
    one.format === other.format &&
    (one.nameQualifier ?? parties.identityProvider) === (other.nameQualifier ?? parties.identityProvider) &&
    (one.spNameQualifier ?? parties.serviceProvider) === (other.spNameQualifier ?? parties.serviceProvider)
  );
}
