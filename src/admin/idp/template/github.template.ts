import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Named, Part } from '../../kit/wire/fields.js';
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

const CLIENT = 'Iv1.86a165acme';
const SERVER = 'https://github.acme.example';

const AUTHORIZATION = `${SERVER}/login/oauth/authorize`;
const TOKEN = `${SERVER}/login/oauth/access_token`;

const UserEndpoint = (number: number): PropertyDecorator =>
  Endpoint(number, 'What says who the user is. Their addresses are below it, at `/emails`.', `${SERVER}/api/v3/user`);

@Named('AddGitHubProviderRequest')
export class AddGithubProviderRequest {
  @Name(1, 'GitHub')
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

@Named('UpdateGitHubProviderRequest')
export class UpdateGithubProviderRequest {
  @ProviderId(1, EXAMPLE.githubProvider)
  readonly id!: string;

  @Name(2, 'GitHub for all')
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

@Named('AddGitHubEnterpriseServerProviderRequest')
export class AddGithubServerProviderRequest {
  @VendorClientId(1, CLIENT)
  readonly clientId!: string;

  @Name(2, 'GitHub Enterprise')
  readonly name!: string;

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

  @Part(8, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateGitHubEnterpriseServerProviderRequest')
export class UpdateGithubServerProviderRequest {
  @ProviderId(1, EXAMPLE.githubServerProvider)
  readonly id!: string;

  @Name(2, 'GitHub of Acme')
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

  @Part(9, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('GitHubEnterpriseServerConfig')
export class GithubServerConfig {
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
}

export const GITHUB: VendorTemplate<AddGithubProviderRequest, UpdateGithubProviderRequest> = {
  word: 'GitHub',
  vendor: 'GitHub',
  path: 'github',
  kind: 'ext:social-github',
  add: AddGithubProviderRequest,
  update: UpdateGithubProviderRequest,
  added: [
    addedProvider('AddGitHubProviderResponse', EXAMPLE.githubProvider),
    addedProvider('AddGitHubProviderOfOrgResponse', EXAMPLE.orgGithubProvider),
  ],
  exampleIds: [EXAMPLE.githubProvider, EXAMPLE.orgGithubProvider],
  settingsIn: ({ scopes }) => ({ scopes }),
};

export const GITHUB_SERVER: VendorTemplate<AddGithubServerProviderRequest, UpdateGithubServerProviderRequest> = {
  word: 'GitHubEnterpriseServer',
  vendor: 'a GitHub Enterprise Server',
  path: 'github_es',
  kind: 'ext:social-github',
  add: AddGithubServerProviderRequest,
  update: UpdateGithubServerProviderRequest,
  added: [
    addedProvider('AddGitHubEnterpriseServerProviderResponse', EXAMPLE.githubServerProvider),
    addedProvider('AddGitHubEnterpriseServerProviderOfOrgResponse', EXAMPLE.orgGithubServerProvider),
  ],
  exampleIds: [EXAMPLE.githubServerProvider, EXAMPLE.orgGithubServerProvider],
  settingsIn: ({ authorizationEndpoint, tokenEndpoint, userEndpoint, scopes }) => ({
    base: '',
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    scopes,
  }),
};
