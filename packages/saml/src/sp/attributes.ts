import { ATTRIBUTE_NAME_FORMAT } from '../protocol/uris.js';
import { NS } from '../xml/namespaces.js';
import type { XmlElement } from '../xml/xml-element.js';

/** What an identity provider says of a person. */
export interface ReceivedAttribute {
  readonly name: string;
  readonly nameFormat: string;
  readonly friendlyName: string | undefined;
  readonly values: readonly string[];
}

/**
 * All attributes of the assertion in the order of the document. One that comes in several parts, by name and format,
 * has the values of all. Encrypted ones are passed over.
 */
export function readAttributes(assertion: XmlElement): ReceivedAttribute[] {
  const read = assertion
    .all(NS.assertion, 'AttributeStatement')
    .flatMap((statement) => statement.all(NS.assertion, 'Attribute'))
    .map(readAttribute);
  const byName = new Map<string, ReceivedAttribute>();
  for (const one of read) {
    const key = `${one.nameFormat} ${one.name}`;
    const before = byName.get(key);
    byName.set(key, before ? { ...before, values: [...before.values, ...one.values] } : one);
  }
  return [...byName.values()];
}

function readAttribute(attribute: XmlElement): ReceivedAttribute {
  return {
    name: attribute.requiredAttribute('Name'),
    nameFormat: attribute.attribute('NameFormat') ?? ATTRIBUTE_NAME_FORMAT.unspecified,
    friendlyName: attribute.attribute('FriendlyName'),
    values: attribute.all(NS.assertion, 'AttributeValue').flatMap((value) => valueOf(value) ?? []),
  };
}

/** Text, or the name in it: eduPersonTargetedID is one. Other structures have no value that we could use. */
function valueOf(value: XmlElement): string | undefined {
  const [child, second] = value.children;
  if (!child) return isNil(value) ? undefined : value.text;
  return !second && child.is(NS.assertion, 'NameID') && child.children.length === 0 ? child.text : undefined;
}

/** SAML Core §2.7.3.1.1 */
function isNil(value: XmlElement): boolean {
  const nil = value.attributes.find(({ namespace, name }) => namespace === NS.instance && name === 'nil')?.value;
  return nil === 'true' || nil === '1';
}
