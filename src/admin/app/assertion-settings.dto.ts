import { ASSERTION_AUDIENCE } from '../../client/client.enums.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { Choice, Flag, Struct, Text } from '../wire/fields.js';

/** The settings for `private_key_jwt`, in the messages of both kinds of application. */
export class SentAssertionSettings {
  @Struct(106, {
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
  })
  readonly jwks?: object | undefined;

  @Text(107, {
    max: 2_000,
    optional: true,
    description:
      'Where the application publishes its public keys: https, no redirect, at most 20 keys and 64 kB. They are fetched again after five minutes, or for an unknown `kid`. Not together with `jwks`. If absent in an update, it is unchanged; an empty text removes it.',
    example: '',
  })
  readonly jwksUri?: string | undefined;

  @Choice(108, ASSERTION_AUDIENCE, {
    description:
      'Which `aud` an assertion must have: the issuer or an endpoint (ANY), or the issuer as one string (ISSUER_ONLY, recommended where the client library allows it: another server that is named beside us could use the assertion here). If unspecified on creation: ANY; in an update: unchanged.',
    example: 'ASSERTION_AUDIENCE_ANY',
  })
  readonly assertionAudience!: ValueOf<typeof ASSERTION_AUDIENCE>;

  @Flag(109, {
    optional: true,
    description:
      'Whether an assertion must have a `jti`, so that it can be used only once. If absent on creation: true, or false if URN_WORD is not `service`; in an update: unchanged.',
    example: true,
  })
  readonly requireAssertionId?: boolean | undefined;
}
