import { invalidFields } from '../../../foundation/error/domain-error.js';
import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Flag, Named, Part, Text } from '../../kit/wire/fields.js';
import { Name } from '../idp-fields.js';
import { addedProvider } from '../provider.dto.js';
import { ProviderOptions } from '../provider-options.dto.js';
import type { VendorTemplate } from './template.js';
import { FurtherScopes, NewVendorSecret, ProviderId, VendorClientId, VendorSecret } from './vendor-fields.js';

/** The tenant of accounts that belong to a person instead of an organization. */
export const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

const AZURE_AD_TENANT_TYPE = wireEnum('AzureADTenantType', {
  AZURE_AD_TENANT_TYPE_COMMON: [0, 'common'],
  AZURE_AD_TENANT_TYPE_ORGANISATIONS: [1, 'organizations'],
  AZURE_AD_TENANT_TYPE_CONSUMERS: [2, 'consumers'],
});
type TenantType = ValueOf<typeof AZURE_AD_TENANT_TYPE>;

@Named('AzureADTenant')
export class AzureAdTenant {
  @Choice(1, AZURE_AD_TENANT_TYPE, {
    oneof: 'type',
    description:
      'Users of every tenant, with or without those who have a personal account, or these alone. Anybody can make a tenant.',
  })
  readonly tenantType?: TenantType;

  @Text(2, {
    oneof: 'type',
    max: 36,
    description: 'ID of the only tenant whose users may sign in.',
    example: '8eaef023-2b34-4da1-9baa-8bc8c9d6a490',
  })
  readonly tenantId?: string;
}

const CLIENT = '9065bfc8-a08a-4c5b-b112-36a304b66dad';

const EmailVerified = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Must be false: administrators of tenants write any address into the accounts of their users. An address counts as verified where Entra says so (`xms_edov`), or by the setting `verifiedDomains` (UpdateIDPExtensionConfig).',
    example: false,
  });

@Named('AddAzureADProviderRequest')
export class AddAzureAdProviderRequest {
  @Name(1, 'Microsoft')
  readonly name!: string;

  @VendorClientId(2, CLIENT)
  readonly clientId!: string;

  @VendorSecret(3)
  readonly clientSecret!: string;

  @Part(4, () => AzureAdTenant)
  readonly tenant?: AzureAdTenant;

  @EmailVerified(5)
  readonly emailVerified!: boolean;

  @FurtherScopes(6)
  readonly scopes!: string[];

  @Part(7, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateAzureADProviderRequest')
export class UpdateAzureAdProviderRequest {
  @ProviderId(1, EXAMPLE.azureProvider)
  readonly id!: string;

  @Name(2, 'Microsoft 365')
  readonly name!: string;

  @VendorClientId(3, CLIENT)
  readonly clientId!: string;

  @NewVendorSecret(4)
  readonly clientSecret!: string;

  @Part(5, () => AzureAdTenant)
  readonly tenant?: AzureAdTenant;

  @EmailVerified(6)
  readonly emailVerified!: boolean;

  @FurtherScopes(7)
  readonly scopes!: string[];

  @Part(8, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('AzureADConfig')
export class AzureAdConfig {
  @VendorClientId(1, CLIENT)
  readonly clientId!: string;

  @Part(2, () => AzureAdTenant)
  readonly tenant?: AzureAdTenant;

  @EmailVerified(3)
  readonly emailVerified!: boolean;

  @FurtherScopes(4)
  readonly scopes!: readonly string[];
}

export const AZURE_AD: VendorTemplate<AddAzureAdProviderRequest, UpdateAzureAdProviderRequest> = {
  word: 'AzureAD',
  vendor: 'Microsoft Entra ID',
  path: 'azure',
  kind: 'ext:social-entra',
  add: AddAzureAdProviderRequest,
  update: UpdateAzureAdProviderRequest,
  added: [
    addedProvider('AddAzureADProviderResponse', EXAMPLE.azureProvider),
    addedProvider('AddAzureADProviderOfOrgResponse', EXAMPLE.orgAzureProvider),
  ],
  exampleIds: [EXAMPLE.azureProvider, EXAMPLE.orgAzureProvider],
  settingsIn({ tenant, emailVerified, scopes }) {
    if (emailVerified)
      throw invalidFields([
        {
          field: 'emailVerified',
          description:
            'must be false: whoever administers a tenant can write any address into it. Give the tenant its domains with verifiedDomains instead',
        },
      ]);
    return { tenants: [tenant?.tenantId ?? wordOf(tenant?.tenantType ?? 'common')], scopes };
  },
};

function wordOf(type: TenantType): string {
  return type === 'consumers' ? PERSONAL_TENANT : type;
}

/** The tenant as the settings of the kind have it; undefined where they name several. */
export function tenantIn(tenants: readonly string[]): AzureAdTenant | undefined {
  const [only, ...others] = tenants;
  if (only === undefined || others.length > 0) return undefined;
  if (only === PERSONAL_TENANT) return { tenantType: 'consumers' };
  return only === 'common' || only === 'organizations' ? { tenantType: only } : { tenantId: only };
}
