import { AUTHN_CONTEXT } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import type { XmlElement } from '../xml/xml-element.js';

/** How many factors somebody has proved: what OpenID Connect calls `acr`. */
export type AuthnLevel = 1 | 2;

/** What we can state, weakest first. */
const OFFERED: ReadonlyArray<{ readonly uri: string; readonly level: AuthnLevel }> = [
  { uri: AUTHN_CONTEXT.passwordProtectedTransport, level: 1 },
  { uri: AUTHN_CONTEXT.refedsMfa, level: 2 },
];

/** How a service provider wants somebody to be authenticated. */
export interface AuthnContextDemand {
  /** What the assertion may state, best first. */
  readonly acceptable: readonly string[];
  /** Below that, nothing is acceptable. */
  readonly level: AuthnLevel;
}

const COMPARISONS = ['exact', 'minimum', 'maximum', 'better'] as const;
type Comparison = (typeof COMPARISONS)[number];

/**
 * SAML Core §3.3.2.2.1. Undefined if any context will do; `unsatisfiable` if none of ours does, which the service
 * provider is told.
 * @throws SamlRefusal `value_malformed`
 */
export function readAuthnContextDemand(request: XmlElement): AuthnContextDemand | 'unsatisfiable' | undefined {
  const requested = request.optional(NS.protocol, 'RequestedAuthnContext');
  if (!requested) return undefined;
  const comparison = COMPARISONS.find((one) => one === (requested.attribute('Comparison') ?? 'exact'));
  if (!comparison) throw new SamlRefusal('value_malformed', 'Comparison of RequestedAuthnContext');
  const listed = requested.all(NS.assertion, 'AuthnContextClassRef').map((reference) => reference.token);
  if (listed.includes(AUTHN_CONTEXT.unspecified) && comparison !== 'better') return undefined;
  const acceptable = acceptableOf(listed, comparison);
  if (acceptable.length === 0) return 'unsatisfiable';
  return {
    acceptable: acceptable.map(({ uri }) => uri),
    level: acceptable.some(({ level }) => level === 1) ? 1 : 2,
  };
}

/** What the assertion states of somebody who has proved so much; undefined if that is not acceptable. */
export function statedAuthnContext(demand: AuthnContextDemand | undefined, reached: AuthnLevel): string | undefined {
  const within = OFFERED.filter(({ level }) => level <= reached).map(({ uri }) => uri);
  return demand ? demand.acceptable.find((uri) => within.includes(uri)) : within.at(-1);
}

function acceptableOf(listed: readonly string[], comparison: Comparison): typeof OFFERED {
  const known = listed.flatMap((uri) => OFFERED.filter((one) => one.uri === uri));
  const levels = known.map(({ level }) => level);
  switch (comparison) {
    case 'exact':
      return known;
    case 'minimum':
      return OFFERED.filter(({ level }) => level >= Math.min(...levels));
    case 'maximum':
      return OFFERED.filter(({ level }) => level <= Math.max(...levels)).toReversed();
    case 'better':
      // Of a context that we do not know, nobody can say what is better.
      return known.length < listed.length ? [] : OFFERED.filter(({ level }) => level > Math.max(...levels));
  }
}
