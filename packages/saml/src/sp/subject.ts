import type { NameId } from '../protocol/name-id.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import type { SignedInPerson } from './read-response.js';

/** How the administrator wants people of a provider to be known again. */
export interface SubjectRules {
  /**
   * Formats that are taken beside the persistent one, which alone promises to name nobody else later (SAML Core
   * §8.3.7). An address of mail may pass on to another person.
   */
  readonly otherFormats?: readonly string[];
  /** The attribute that says who it is where the name changes with each sign-in, or is missing. */
  readonly transientMappingAttributeName?: string;
}

/**
 * By what the person is known again at their next sign-in, exactly as the provider writes it.
 * @throws SamlRefusal `subject_…`
 */
export function subjectOf({ nameId, attributes }: SignedInPerson, rules: SubjectRules): string {
  if (nameId && nameId.format !== NAME_ID_FORMAT.transient) return lastingName(nameId, rules);
  const name = rules.transientMappingAttributeName;
  if (name === undefined) throw new SamlRefusal(nameId ? 'subject_transient' : 'subject_missing');
  const values = attributes.filter((one) => one.name === name).flatMap((one) => one.values);
  const [value, second] = [...new Set(values)];
  if (value === undefined || value.trim() === '') throw new SamlRefusal('subject_missing');
  if (second !== undefined) throw new SamlRefusal('subject_ambiguous');
  return value;
}

function lastingName({ value, format }: NameId, { otherFormats = [] }: SubjectRules): string {
  if (![NAME_ID_FORMAT.persistent, ...otherFormats].includes(format)) throw new SamlRefusal('subject_format');
  return value;
}
