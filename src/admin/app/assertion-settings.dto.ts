import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { ASSERTION_AUDIENCE, TLS_CLIENT_NAME_TYPE } from '../../project/client/client.enums.js';
import { Choice, Flag, Struct, Text } from '../kit/wire/fields.js';

export const TLS_NAME_TYPE = {
  description:
    'Which name `tlsClientName` is, for TLS_CLIENT_AUTH (RFC 8705 §2.1.2). If unspecified in an update, both are unchanged.',
  example: 'TLS_CLIENT_NAME_TYPE_UNSPECIFIED',
} as const;
export const TLS_NAME = {
  max: 1_000,
  optional: true,
  description:
    'The name that the certificate must have with which the application authenticates: a distinguished name as in RFC 4514, or one of the alternative names. It stays the same when the certificate is renewed.',
  example: '',
} as const;

/** The settings for `private_key_jwt`, in the messages of both kinds of application. */
export class SentAssertionSettings {
  @Struct(106, {
    description:
      'Public keys for private_key_jwt as a JSON Web Key Set (RFC 7517 §5), beside the keys that are added one by one; at most 20. The first certificate in `x5c` must contain the key. An assertion without a `kid` is accepted if exactly one key fits its algorithm. Not together with `jwksUri`. If absent in an update, they are unchanged; {} removes them.',
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
      'Where the application publishes its public keys: https, no redirect, at most 20 keys and 64 kB; a key whose `x5c` contains another one is not used. They are fetched again after five minutes, or for an unknown `kid`. Not together with `jwks`. If absent in an update, it is unchanged; an empty text removes it.',
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

/** The settings for `private_key_jwt` and for certificates, in the messages of API applications. */
export class SentApiSettings extends SentAssertionSettings {
  @Choice(116, TLS_CLIENT_NAME_TYPE, TLS_NAME_TYPE)
  readonly tlsClientNameType!: ValueOf<typeof TLS_CLIENT_NAME_TYPE>;

  @Text(118, TLS_NAME)
  readonly tlsClientName?: string | undefined;
}
