import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Flag, Named, Part, Text } from '../../kit/wire/fields.js';
import { Name } from '../idp-fields.js';
import { addedProvider } from '../provider.dto.js';
import { ProviderOptions } from '../provider-options.dto.js';
import type { VendorTemplate } from './template.js';
import {
  AuthorizationEndpoint,
  Endpoint,
  FurtherScopes,
  NewVendorSecret,
  ProviderId,
  TokenEndpoint,
  VendorClientId,
  VendorSecret,
} from './vendor-fields.js';

const CLIENT = 'gatehouse';
const SERVER = 'https://sso.acme.example';

const AUTHORIZATION = `${SERVER}/oauth/authorize`;
const TOKEN = `${SERVER}/oauth/token`;

const UserEndpoint = (number: number): PropertyDecorator =>
  Endpoint(number, 'What says who the user is, in JSON, for the access token.', `${SERVER}/api/me`);
const IdAttribute = (number: number): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 200,
    description:
      'The member of the answer of the user endpoint that identifies the user for ever: its name, or a JSON Pointer (RFC 6901). Never a name or an address, which may be given to somebody else.',
    example: 'id',
  });
const UsePkce = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Whether PKCE (RFC 7636) is used: only a server that refuses parameters which it does not know needs it off.',
    example: true,
  });

@Named('AddGenericOAuthProviderRequest')
export class AddGenericOauthProviderRequest {
  @Name(1, 'Company accounts')
  readonly name!: string;

  @VendorClientId(2, CLIENT)
  readonly clientId!: string;

  @VendorSecret(3)
  readonly clientSecret!: string;

  @AuthorizationEndpoint(4, AUTHORIZATION)
  readonly authorizationEndpoint!: string;

  @TokenEndpoint(5, TOKEN)
  readonly tokenEndpoint!: string;

  @UserEndpoint(6)
  readonly userEndpoint!: string;

  @FurtherScopes(7)
  readonly scopes!: string[];

  @IdAttribute(8)
  readonly idAttribute!: string;

  @Part(9, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @UsePkce(10)
  readonly usePkce!: boolean;
}

@Named('UpdateGenericOAuthProviderRequest')
export class UpdateGenericOauthProviderRequest {
  @ProviderId(1, EXAMPLE.oauthProvider)
  readonly id!: string;

  @Name(2, 'Accounts of Acme')
  readonly name!: string;

  @VendorClientId(3, CLIENT)
  readonly clientId!: string;

  @NewVendorSecret(4)
  readonly clientSecret!: string;

  @AuthorizationEndpoint(5, AUTHORIZATION)
  readonly authorizationEndpoint!: string;

  @TokenEndpoint(6, TOKEN)
  readonly tokenEndpoint!: string;

  @UserEndpoint(7)
  readonly userEndpoint!: string;

  @FurtherScopes(8)
  readonly scopes!: string[];

  @IdAttribute(9)
  readonly idAttribute!: string;

  @Part(10, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @UsePkce(11)
  readonly usePkce!: boolean;
}

@Named('OAuthConfig')
export class OauthConfig {
  @VendorClientId(1, CLIENT)
  readonly clientId!: string;

  @AuthorizationEndpoint(2, AUTHORIZATION)
  readonly authorizationEndpoint!: string;

  @TokenEndpoint(3, TOKEN)
  readonly tokenEndpoint!: string;

  @UserEndpoint(4)
  readonly userEndpoint!: string;

  @FurtherScopes(5)
  readonly scopes!: readonly string[];

  @IdAttribute(6)
  readonly idAttribute!: string;

  @UsePkce(7)
  readonly usePkce!: boolean;
}

export const OAUTH: VendorTemplate<AddGenericOauthProviderRequest, UpdateGenericOauthProviderRequest> = {
  word: 'GenericOAuth',
  vendor: 'a server of plain OAuth 2.0',
  path: 'oauth',
  kind: 'ext:social-oauth',
  add: AddGenericOauthProviderRequest,
  update: UpdateGenericOauthProviderRequest,
  added: [
    addedProvider('AddGenericOAuthProviderResponse', EXAMPLE.oauthProvider),
    addedProvider('AddGenericOAuthProviderOfOrgResponse', EXAMPLE.orgOauthProvider),
  ],
  exampleIds: [EXAMPLE.oauthProvider, EXAMPLE.orgOauthProvider],
  settingsIn: ({ authorizationEndpoint, tokenEndpoint, userEndpoint, scopes, idAttribute, usePkce }) => ({
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    scopes,
    idAttribute,
    isWithoutPkce: !usePkce,
  }),
};
