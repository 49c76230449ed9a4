import { Text } from 'gatehouse/admin';

/** Of each provider, as an administrator enters them. */
export class GithubSettings {
  @Text(1, {
    min: 1,
    form: { fits: (base) => /^https?:\/\/[^/?#]+$/.test(base), says: 'must be an origin such as https://github.com' },
    description: 'Where the users sign in: https://github.com, or your GitHub Enterprise Server.',
    example: 'https://github.com',
  })
  readonly base!: string;
}
