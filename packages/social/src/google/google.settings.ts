import { Texts } from 'gatehouse/admin';
import { FurtherScopes } from '../openid/asked-scopes.js';
import { DOMAIN } from '../settings-forms.js';

/** Of each provider, as an administrator enters them. */
export class GoogleSettings {
  @Texts(1, {
    maxItems: 100,
    max: 253,
    form: DOMAIN,
    description:
      'The Google Workspace domains whose users may sign in, as the claim `hd` names them. If empty, everybody with a Google account may.',
    example: ['acme.example'],
  })
  readonly hostedDomains!: readonly string[];

  @FurtherScopes(2)
  readonly scopes!: readonly string[];
}
