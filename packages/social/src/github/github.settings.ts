import { Text } from 'gatehouse/admin';
import { FurtherScopes } from '../openid/asked-scopes.js';
import { BASE_URL, ENDPOINT } from '../settings-forms.js';

const Endpoint = (number: number, description: string): PropertyDecorator =>
  Text(number, { max: 500, form: ENDPOINT, description, example: '' });

/** Of each provider, as an administrator enters them. */
export class GithubSettings {
  @Text(1, {
    max: 200,
    form: BASE_URL,
    description: 'The address of your GitHub Enterprise Server. Empty for github.com.',
    example: 'https://github.acme.example',
  })
  readonly base!: string;

  @FurtherScopes(2)
  readonly scopes!: readonly string[];

  @Endpoint(3, 'Where browsers are sent, if it is not at its usual place below `base`.')
  readonly authorizationEndpoint!: string;

  @Endpoint(4, 'Where the code is redeemed, if it is not at its usual place below `base`.')
  readonly tokenEndpoint!: string;

  @Endpoint(
    5,
    'What says who the user is, if it is not at its usual place below `base`; their addresses are below it, at `/emails`.',
  )
  readonly userEndpoint!: string;
}
