import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';

const WEB_KEY_STATE = wireEnum('WebKeyStateV2', {
  STATE_UNSPECIFIED: [0, 'unspecified'],
  STATE_INITIAL: [1, 'next'],
  STATE_ACTIVE: [2, 'active'],
  STATE_INACTIVE: [3, 'retired'],
  STATE_REMOVED: [4, 'removed'],
});

const RSA_BITS = wireEnum('RSABitsV2', {
  RSA_BITS_UNSPECIFIED: [0, 'unspecified'],
  RSA_BITS_2048: [1, '2048'],
  RSA_BITS_3072: [2, '3072'],
  RSA_BITS_4096: [3, '4096'],
});

const RSA_HASHER = wireEnum('RSAHasherV2', {
  RSA_HASHER_UNSPECIFIED: [0, 'unspecified'],
  RSA_HASHER_SHA256: [1, 'sha256'],
  RSA_HASHER_SHA384: [2, 'sha384'],
  RSA_HASHER_SHA512: [3, 'sha512'],
});

const ECDSA_CURVE = wireEnum('ECDSACurveV2', {
  ECDSA_CURVE_UNSPECIFIED: [0, 'unspecified'],
  ECDSA_CURVE_P256: [1, 'p256'],
  ECDSA_CURVE_P384: [2, 'p384'],
  ECDSA_CURVE_P512: [3, 'p512'],
});

const KEY_ID = { min: 1, max: 200, description: 'The `kid`.', example: EXAMPLE.signingKey } as const;

@Named('RSAV2')
export class RSAV2 {
  @Choice(1, RSA_BITS, { description: '2048; others are refused.', example: 'RSA_BITS_2048' })
  readonly bits!: ValueOf<typeof RSA_BITS>;

  @Choice(2, RSA_HASHER, { description: 'SHA-256; others are refused.', example: 'RSA_HASHER_SHA256' })
  readonly hasher!: ValueOf<typeof RSA_HASHER>;
}

@Named('ECDSAV2')
export class ECDSAV2 {
  @Choice(1, ECDSA_CURVE, { description: 'P-256; others are refused.', example: 'ECDSA_CURVE_P256' })
  readonly curve!: ValueOf<typeof ECDSA_CURVE>;
}

@Named('ED25519V2')
export class ED25519V2 {}

@Named('WebKeyV2')
export class WebKeyV2 {
  @Text(1, KEY_ID)
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Moment(3, CHANGED)
  readonly changeDate?: Date;

  @Choice(4, WEB_KEY_STATE, {
    description:
      'Initial (published, not used yet), active (signing), or inactive (published to verify tokens that it has signed).',
    example: 'STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof WEB_KEY_STATE>;

  @Part(5, () => RSAV2, { oneof: 'key' })
  readonly rsa?: RSAV2;

  @Part(6, () => ECDSAV2, { oneof: 'key' })
  readonly ecdsa?: ECDSAV2;

  @Part(7, () => ED25519V2, { oneof: 'key' })
  readonly ed25519?: ED25519V2;
}

@Named('CreateWebKeyRequestV2')
export class CreateWebKeyRequestV2 {
  @Part(1, () => RSAV2, { oneof: 'key' })
  readonly rsa?: RSAV2;

  @Part(2, () => ECDSAV2, { oneof: 'key' })
  readonly ecdsa?: ECDSAV2;

  @Part(3, () => ED25519V2, { oneof: 'key' })
  readonly ed25519?: ED25519V2;
}

@Named('CreateWebKeyResponseV2')
export class CreateWebKeyResponseV2 {
  @Text(1, KEY_ID)
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('WebKeyIdRequestV2')
export class WebKeyIdRequestV2 {
  @Text(1, KEY_ID)
  readonly id!: string;
}

@Named('ActivateWebKeyResponseV2')
export class ActivateWebKeyResponseV2 {
  @Moment(3, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteWebKeyResponseV2')
export class DeleteWebKeyResponseV2 {
  @Moment(3, REMOVED)
  readonly deletionDate?: Date;
}

@Named('ListWebKeysResponseV2')
export class ListWebKeysResponseV2 {
  @Parts(1, () => WebKeyV2)
  readonly webKeys!: readonly WebKeyV2[];
}
