import { Flag, Named, Parts, Text } from '../kit/wire/fields.js';

@Named('TestedPart')
export class TestedPart {
  @Text(1, {
    description:
      'What was checked: `extension`, `directory`, `discovery`, `issuer`, `authorization_endpoint`, `token_endpoint`, `response_type`, `keys`, `signature`.',
    example: 'discovery',
  })
  readonly part!: string;

  @Flag(2, { description: 'Whether the check succeeded.', example: true })
  readonly ok!: boolean;

  @Text(3, {
    description: 'The result of the check, or what to do.',
    example: 'https://accounts.example.com/.well-known/openid-configuration was read.',
  })
  readonly detail!: string;
}

@Named('TestIdpResponse')
export class TestIdpResponse {
  @Flag(1, { description: 'Whether all checks succeeded.', example: true })
  readonly ok!: boolean;

  @Parts(2, () => TestedPart, { description: 'The individual checks, in order.' })
  readonly parts!: readonly TestedPart[];
}
