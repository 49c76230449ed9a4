import { Text } from 'gatehouse/admin';
import { BASE_URL } from '../settings-forms.js';

/** Of each provider, as an administrator enters them. */
export class GithubSettings {
  @Text(1, {
    max: 200,
    form: BASE_URL,
    description: 'The address of your GitHub Enterprise Server. Empty for github.com.',
    example: 'https://github.acme.example',
  })
  readonly base!: string;
}
