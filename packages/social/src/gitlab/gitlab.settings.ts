import { Text } from 'gatehouse/admin';
import { FurtherScopes } from '../openid/asked-scopes.js';
import { BASE_URL } from '../settings-forms.js';

/** Of each provider, as an administrator enters them. */
export class GitlabSettings {
  @Text(1, {
    max: 200,
    form: BASE_URL,
    description: 'The address of your own GitLab, as its users open it. Empty for gitlab.com.',
    example: 'https://gitlab.acme.example',
  })
  readonly base!: string;

  @FurtherScopes(2)
  readonly scopes!: readonly string[];
}
