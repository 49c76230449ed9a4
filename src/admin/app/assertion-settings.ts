import type { JsonWebKeySet } from '../../client/assertion-settings.js';
import { ASSERTION_AUDIENCE } from '../../client/client.enums.js';
import type { ClientSettings } from '../../client/client-settings.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';

/** What the settings for `private_key_jwt` mean, in the messages of both kinds of application. */
export const ASSERTION_SETTING = {
  jwks: {
    description:
      'Public keys for private_key_jwt as a JSON Web Key Set (RFC 7517 §5), beside the keys that are added one by one; at most 20. An assertion without a `kid` is accepted if exactly one key fits its algorithm. Not together with `jwksUri`. If absent in an update, they are unchanged; {} removes them.',
    example: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: 'signing-2026',
          use: 'sig',
        },
      ],
    },
  },
  jwksUri: {
    max: 2_000,
    optional: true,
    description:
      'Where the application publishes its public keys: https, no redirect, at most 20 keys and 64 kB. They are fetched again after five minutes, or for an unknown `kid`. Not together with `jwks`. If absent in an update, it is unchanged; an empty text removes it.',
    example: '',
  },
  assertionAudience: {
    description:
      'Which `aud` an assertion must have: the issuer or an endpoint (ANY), or the issuer as one string (ISSUER_ONLY, recommended where the client library allows it: another server that is named beside us could use the assertion here). If unspecified on creation: ANY; in an update: unchanged.',
    example: 'ASSERTION_AUDIENCE_ANY',
  },
  requireAssertionId: {
    optional: true,
    description:
      'Whether an assertion must have a `jti`, so that it can be used only once. If absent on creation: true, or false if URN_WORD is not `service`; in an update: unchanged.',
    example: true,
  },
} as const;

export interface SentAssertionSettings {
  readonly jwks?: object | undefined;
  readonly jwksUri?: string | undefined;
  readonly assertionAudience: ValueOf<typeof ASSERTION_AUDIENCE>;
  readonly requireAssertionId?: boolean | undefined;
}

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
