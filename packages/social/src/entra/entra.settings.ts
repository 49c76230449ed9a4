import { Text, Texts } from 'gatehouse/admin';
import { FurtherScopes } from '../openid/asked-scopes.js';
import { BASE_URL } from '../settings-forms.js';
import { TENANT, VERIFIED_DOMAIN } from './tenants.js';

/** Of each provider, as an administrator enters them. */
export class EntraSettings {
  @Texts(1, {
    maxItems: 100,
    form: TENANT,
    description:
      'The IDs of the tenants whose users may sign in, at least one. With one, users are sent to its own page; with several, to that of all organizations, and with that of personal accounts (9188040d-6c67-4c5b-b112-36a304b66dad) among them, to that of everybody. The word `organizations` alone lets users of any tenant sign in, `common` those with a personal account besides: anybody can make a tenant.',
    example: ['8eaef023-2b34-4da1-9baa-8bc8c9d6a490'],
  })
  readonly tenants!: readonly string[];

  @Texts(2, {
    maxItems: 100,
    form: VERIFIED_DOMAIN,
    description:
      'Domains that are verified in a tenant, each behind the ID of the tenant: addresses in them count as verified if a user of that tenant has them. Others do if the token has the claim `xms_edov`.',
    example: ['8eaef023-2b34-4da1-9baa-8bc8c9d6a490/acme.example'],
  })
  readonly verifiedDomains!: readonly string[];

  @Text(3, {
    max: 200,
    form: BASE_URL,
    description: 'The address of a national cloud, such as https://login.microsoftonline.us. Empty for the global one.',
    example: '',
  })
  readonly base!: string;

  @FurtherScopes(4)
  readonly scopes!: readonly string[];
}
