import { Text } from 'gatehouse/admin';
import { FurtherScopes } from '../openid/asked-scopes.js';
import { isSigningKey } from './client-secret.js';

const ID = {
  fits: (text: string): boolean => /^[A-Z\d]{10}$/.test(text),
  says: 'must be ten capital letters and digits',
};

/** Of each provider, as an administrator enters them. The client ID is that of the Services ID. */
export class AppleSettings {
  @Text(1, {
    min: 1,
    max: 10,
    form: ID,
    description: 'The Team ID of your membership.',
    example: 'A1B2C3D4E5',
  })
  readonly teamId!: string;

  @Text(2, {
    min: 1,
    max: 10,
    form: ID,
    description: 'The Key ID of the key for Sign in with Apple.',
    example: 'F6G7H8J9K0',
  })
  readonly keyId!: string;

  @Text(3, {
    max: 2_000,
    writeOnly: true,
    form: { fits: isSigningKey, says: 'must be the whole text of the file AuthKey_….p8' },
    description: 'The private key, as Apple lets you download it once.',
    example: '-----BEGIN PRIVATE KEY-----…',
  })
  readonly privateKey!: string;

  @FurtherScopes(4)
  readonly scopes!: readonly string[];
}
