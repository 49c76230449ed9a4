import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Named, Part } from '../../kit/wire/fields.js';
import { Name } from '../idp-fields.js';
import { addedProvider } from '../provider.dto.js';
import { ProviderOptions } from '../provider-options.dto.js';
import type { VendorTemplate } from './template.js';
import { FurtherScopes, NewVendorSecret, ProviderId, VendorClientId, VendorSecret } from './vendor-fields.js';

const CLIENT = '182902-acme.apps.googleusercontent.com';

@Named('AddGoogleProviderRequest')
export class AddGoogleProviderRequest {
  @Name(1, 'Google')
  readonly name!: string;

  @VendorClientId(2, CLIENT)
  readonly clientId!: string;

  @VendorSecret(3)
  readonly clientSecret!: string;

  @FurtherScopes(4)
  readonly scopes!: string[];

  @Part(5, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateGoogleProviderRequest')
export class UpdateGoogleProviderRequest {
  @ProviderId(1, EXAMPLE.googleProvider)
  readonly id!: string;

  @Name(2, 'Google Workspace')
  readonly name!: string;

  @VendorClientId(3, CLIENT)
  readonly clientId!: string;

  @NewVendorSecret(4)
  readonly clientSecret!: string;

  @FurtherScopes(5)
  readonly scopes!: string[];

  @Part(6, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

export const GOOGLE: VendorTemplate<AddGoogleProviderRequest, UpdateGoogleProviderRequest> = {
  word: 'Google',
  vendor: 'Google',
  path: 'google',
  kind: 'ext:social-google',
  add: AddGoogleProviderRequest,
  update: UpdateGoogleProviderRequest,
  added: [
    addedProvider('AddGoogleProviderResponse', EXAMPLE.googleProvider),
    addedProvider('AddGoogleProviderOfOrgResponse', EXAMPLE.orgGoogleProvider),
  ],
  exampleIds: [EXAMPLE.googleProvider, EXAMPLE.orgGoogleProvider],
  settingsIn: ({ scopes }) => ({ scopes }),
};
