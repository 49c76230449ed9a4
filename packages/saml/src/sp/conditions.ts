import { SKEW_MS } from '../protocol/message-header.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { instantOf, requiredInstant } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

/** SAML Core §2.5.1.5 and §2.5.1.6 limit what we do with the assertion later, which we do not. */
const WITHOUT_EFFECT = new Set(['OneTimeUse', 'ProxyRestriction']);

/**
 * SAML Core §2.5.1: the assertion is for us, and for now.
 * @throws SamlRefusal `assertion_…`, `audience_…`, `condition_unknown`, `element_missing`
 */
export function checkConditions(assertion: XmlElement, audience: string, now: Date): void {
  const conditions = assertion.required(NS.assertion, 'Conditions');
  const begin = instantOf(conditions, 'NotBefore');
  if (begin && begin.getTime() > now.getTime() + SKEW_MS) throw new SamlRefusal('assertion_early');
  const end = requiredInstant(conditions, 'NotOnOrAfter');
  if (end.getTime() <= now.getTime() - SKEW_MS) throw new SamlRefusal('assertion_expired');
  checkAudience(conditions, audience);
  // A condition that nobody understands is not met (SAML Core §2.5.1.1).
  const isUnderstood = ({ namespace, name }: XmlElement): boolean =>
    namespace === NS.assertion && (name === 'AudienceRestriction' || WITHOUT_EFFECT.has(name));
  if (!conditions.children.every(isUnderstood)) throw new SamlRefusal('condition_unknown');
}

/** SAML Core §2.5.1.4: one audience of each restriction is enough, but each restriction counts. */
function checkAudience(conditions: XmlElement, audience: string): void {
  const restrictions = conditions.all(NS.assertion, 'AudienceRestriction');
  if (restrictions.length === 0) throw new SamlRefusal('audience_missing');
  const isMeant = restrictions.every((restriction) =>
    restriction.all(NS.assertion, 'Audience').some((one) => one.token === audience),
  );
  if (!isMeant) throw new SamlRefusal('audience_other');
}
