import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Named, Part } from '../../kit/wire/fields.js';
import { Name } from '../idp-fields.js';
import { addedProvider } from '../provider.dto.js';
import { ProviderOptions } from '../provider-options.dto.js';
import type { VendorTemplate } from './template.js';
import { Endpoint, FurtherScopes, NewVendorSecret, ProviderId, VendorClientId, VendorSecret } from './vendor-fields.js';

const CLIENT = '15765eacme';

const Issuer = (number: number): PropertyDecorator =>
  Endpoint(number, 'The address of the GitLab, as its users open it.', 'https://gitlab.acme.example');

@Named('AddGitLabProviderRequest')
export class AddGitlabProviderRequest {
  @Name(1, 'GitLab')
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

@Named('UpdateGitLabProviderRequest')
export class UpdateGitlabProviderRequest {
  @ProviderId(1, EXAMPLE.gitlabProvider)
  readonly id!: string;

  @Name(2, 'GitLab for all')
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

@Named('AddGitLabSelfHostedProviderRequest')
export class AddOwnGitlabProviderRequest {
  @Issuer(1)
  readonly issuer!: string;

  @Name(2, 'Company GitLab')
  readonly name!: string;

  @VendorClientId(3, CLIENT)
  readonly clientId!: string;

  @VendorSecret(4)
  readonly clientSecret!: string;

  @FurtherScopes(5)
  readonly scopes!: string[];

  @Part(6, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateGitLabSelfHostedProviderRequest')
export class UpdateOwnGitlabProviderRequest {
  @ProviderId(1, EXAMPLE.ownGitlabProvider)
  readonly id!: string;

  @Issuer(2)
  readonly issuer!: string;

  @Name(3, 'GitLab of Acme')
  readonly name!: string;

  @VendorClientId(4, CLIENT)
  readonly clientId!: string;

  @NewVendorSecret(5)
  readonly clientSecret!: string;

  @FurtherScopes(6)
  readonly scopes!: string[];

  @Part(7, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('GitLabSelfHostedConfig')
export class OwnGitlabConfig {
  @Issuer(1)
  readonly issuer!: string;

  @VendorClientId(2, CLIENT)
  readonly clientId!: string;

  @FurtherScopes(3)
  readonly scopes!: readonly string[];
}

export const GITLAB: VendorTemplate<AddGitlabProviderRequest, UpdateGitlabProviderRequest> = {
  word: 'GitLab',
  vendor: 'GitLab',
  path: 'gitlab',
  isPosted: true,
  kind: 'ext:social-gitlab',
  add: AddGitlabProviderRequest,
  update: UpdateGitlabProviderRequest,
  added: [
    addedProvider('AddGitLabProviderResponse', EXAMPLE.gitlabProvider),
    addedProvider('AddGitLabProviderOfOrgResponse', EXAMPLE.orgGitlabProvider),
  ],
  exampleIds: [EXAMPLE.gitlabProvider, EXAMPLE.orgGitlabProvider],
  settingsIn: ({ scopes }) => ({ scopes }),
};

export const OWN_GITLAB: VendorTemplate<AddOwnGitlabProviderRequest, UpdateOwnGitlabProviderRequest> = {
  word: 'GitLabSelfHosted',
  vendor: 'a GitLab of your own',
  path: 'gitlab_self_hosted',
  isPosted: true,
  kind: 'ext:social-gitlab',
  add: AddOwnGitlabProviderRequest,
  update: UpdateOwnGitlabProviderRequest,
  added: [
    addedProvider('AddGitLabSelfHostedProviderResponse', EXAMPLE.ownGitlabProvider),
    addedProvider('AddGitLabSelfHostedProviderOfOrgResponse', EXAMPLE.orgOwnGitlabProvider),
  ],
  exampleIds: [EXAMPLE.ownGitlabProvider, EXAMPLE.orgOwnGitlabProvider],
  settingsIn: ({ issuer, scopes }) => ({ base: issuer, scopes }),
};
