import { SamlRefusal } from '../refusal.js';
import type { XmlElement } from './xml-element.js';

/** SAML Core §1.3.3: in UTC. An offset is understood too; without a zone it would be a different moment everywhere. */
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** @throws SamlRefusal `value_malformed` */
export function instantOf(element: XmlElement, name: string): Date | undefined {
  const value = element.attribute(name);
  if (value === undefined) return undefined;
  const [, local, zone] = INSTANT.exec(value) ?? [];
  const instant = new Date(value);
  const isUtc = zone === 'Z';
  // The constructor takes 30 February for 2 March.
  if (local === undefined || Number.isNaN(instant.getTime()) || (isUtc && !instant.toISOString().startsWith(local)))
    throw new SamlRefusal('value_malformed', `${name} of ${element.name}`);
  return instant;
}

/** @throws SamlRefusal `value_malformed` */
export function requiredInstant(element: XmlElement, name: string): Date {
  const instant = instantOf(element, name);
  if (!instant) throw new SamlRefusal('value_malformed', `${name} of ${element.name}`);
  return instant;
}

/**
 * XML Schema Part 2 §3.2.2
 * @throws SamlRefusal `value_malformed`
 */
export function booleanOf(element: XmlElement, name: string): boolean | undefined {
  const value = element.attribute(name)?.trim();
  if (value === undefined) return undefined;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new SamlRefusal('value_malformed', `${name} of ${element.name}`);
}

/**
 * xs:unsignedShort, the type of indexes in metadata.
 * @throws SamlRefusal `value_malformed`
 */
export function indexOf(element: XmlElement, name: string): number | undefined {
  const value = element.attribute(name)?.trim();
  if (value === undefined) return undefined;
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new SamlRefusal('value_malformed', `${name} of ${element.name}`);
  return Number(value);
}
