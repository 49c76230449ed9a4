import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Bytes, Named, Part, Text } from '../../kit/wire/fields.js';
import { Name } from '../idp-fields.js';
import { addedProvider } from '../provider.dto.js';
import { ProviderOptions } from '../provider-options.dto.js';
import type { VendorTemplate } from './template.js';
import { FurtherScopes, ProviderId, VendorClientId } from './vendor-fields.js';

const CLIENT = 'com.acme.signin';
const KEY_FILE = Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64');

const TeamId = (number: number): PropertyDecorator =>
  Text(number, { min: 1, max: 10, description: 'The Team ID of your membership.', example: 'A1B2C3D4E5' });
const KeyId = (number: number): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 10,
    description: 'The Key ID of the key for Sign in with Apple.',
    example: 'F6G7H8J9K0',
  });

@Named('AddAppleProviderRequest')
export class AddAppleProviderRequest {
  @Name(1, 'Apple')
  readonly name!: string;

  @VendorClientId(2, CLIENT)
  readonly clientId!: string;

  @TeamId(3)
  readonly teamId!: string;

  @KeyId(4)
  readonly keyId!: string;

  @Bytes(5, {
    min: 1,
    max: 2_000,
    writeOnly: true,
    description: 'The whole file AuthKey_….p8, as Apple lets you download it once. Stored encrypted, never returned.',
    example: KEY_FILE,
  })
  readonly privateKey!: Buffer;

  @FurtherScopes(6)
  readonly scopes!: string[];

  @Part(7, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateAppleProviderRequest')
export class UpdateAppleProviderRequest {
  @ProviderId(1, EXAMPLE.appleProvider)
  readonly id!: string;

  @Name(2, 'Apple for all')
  readonly name!: string;

  @VendorClientId(3, CLIENT)
  readonly clientId!: string;

  @TeamId(4)
  readonly teamId!: string;

  @KeyId(5)
  readonly keyId!: string;

  @Bytes(6, {
    max: 2_000,
    writeOnly: true,
    description: 'A new file AuthKey_….p8. If empty, the current key is kept.',
    example: '',
  })
  readonly privateKey!: Buffer;

  @FurtherScopes(7)
  readonly scopes!: string[];

  @Part(8, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('AppleConfig')
export class AppleConfig {
  @VendorClientId(1, CLIENT)
  readonly clientId!: string;

  @TeamId(2)
  readonly teamId!: string;

  @KeyId(3)
  readonly keyId!: string;

  @FurtherScopes(4)
  readonly scopes!: readonly string[];
}

export const APPLE: VendorTemplate<AddAppleProviderRequest, UpdateAppleProviderRequest> = {
  word: 'Apple',
  vendor: 'Apple',
  path: 'apple',
  kind: 'ext:social-apple',
  add: AddAppleProviderRequest,
  update: UpdateAppleProviderRequest,
  added: [
    addedProvider('AddAppleProviderResponse', EXAMPLE.appleProvider),
    addedProvider('AddAppleProviderOfOrgResponse', EXAMPLE.orgAppleProvider),
  ],
  exampleIds: [EXAMPLE.appleProvider, EXAMPLE.orgAppleProvider],
  settingsIn: ({ teamId, keyId, privateKey, scopes }) => ({
    teamId,
    keyId,
    privateKey: privateKey.toString(),
    scopes,
  }),
};
