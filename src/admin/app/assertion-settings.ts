import type { JsonWebKeySet } from '../../project/client/assertion-settings.js';
import type { ClientSettings } from '../../project/client/client-settings.js';
import type { SentAssertionSettings } from './assertion-settings.dto.js';

type AssertionSettings = Pick<ClientSettings, 'jwks' | 'jwksUri' | 'assertionAudience' | 'requireAssertionId'>;

/** Omits what was not sent, so that the default or the current value applies. */
export function toAssertionSettings(sent: SentAssertionSettings): Partial<AssertionSettings> {
  const { jwks, jwksUri, assertionAudience, requireAssertionId } = sent;
  return {
    ...(jwks === undefined ? {} : { jwks: toKeySet(jwks) }),
    ...(jwksUri === undefined ? {} : { jwksUri }),
    ...(assertionAudience === 'unspecified' ? {} : { assertionAudience }),
    ...(requireAssertionId === undefined ? {} : { requireAssertionId }),
  };
}

export function fromAssertionSettings(settings: AssertionSettings): SentAssertionSettings {
  const { jwks, jwksUri, assertionAudience, requireAssertionId } = settings;
  return { jwks: jwks ?? undefined, jwksUri, assertionAudience, requireAssertionId };
}

/** Its keys are checked with the other settings. */
function toKeySet(sent: object): JsonWebKeySet | null {
  const isEmpty =
    Object.keys(sent).length === 0 || ('keys' in sent && Array.isArray(sent.keys) && sent.keys.length === 0);
  return isEmpty ? null : (sent as JsonWebKeySet);
}
