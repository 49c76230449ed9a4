import { SKEW_MS } from '../protocol/message-header.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { instantOf, requiredInstant } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

/** How and when somebody has proved who they are (SAML Core §2.7.2). */
export interface Authentication {
  readonly authnInstant: Date;
  /** The class of its context, undefined if the provider describes it otherwise. */
  readonly authnContext: string | undefined;
  /** Their session there, by which both sides name it at logout. */
  readonly sessionIndex: string | undefined;
  readonly sessionNotOnOrAfter: Date | undefined;
}

/**
 * The first statement of the assertion that says that somebody has authenticated.
 * @throws SamlRefusal `authentication_…`, `session_expired`
 */
export function readAuthentication(assertion: XmlElement, now: Date, authenticatedAfter?: Date): Authentication {
  const [statement] = assertion.all(NS.assertion, 'AuthnStatement');
  if (!statement) throw new SamlRefusal('authentication_missing');
  const authnInstant = requiredInstant(statement, 'AuthnInstant');
  if (authnInstant.getTime() > now.getTime() + SKEW_MS) throw new SamlRefusal('authentication_in_future');
  if (authenticatedAfter && authnInstant.getTime() < authenticatedAfter.getTime() - SKEW_MS)
    throw new SamlRefusal('authentication_too_old');
  const sessionNotOnOrAfter = instantOf(statement, 'SessionNotOnOrAfter');
  if (sessionNotOnOrAfter && sessionNotOnOrAfter.getTime() <= now.getTime() - SKEW_MS)
    throw new SamlRefusal('session_expired');
  const context = statement.optional(NS.assertion, 'AuthnContext');
  return {
    authnInstant,
    authnContext: context?.optional(NS.assertion, 'AuthnContextClassRef')?.token,
    sessionIndex: statement.attribute('SessionIndex'),
    sessionNotOnOrAfter,
  };
}
