import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { TOKEN_CODE } from '../../management/why/why.enums.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ExplainedMend, ExplainedRule } from './sign-in-explanation.dto.js';

@Named('ExplainTokenRequest')
export class ExplainTokenRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the application.', example: EXAMPLE.oidcApp })
  readonly appId!: string;

  @Text(3, { min: 1, max: 200, description: 'The user who would sign in.', example: EXAMPLE.person })
  readonly userId!: string;

  @Texts(4, {
    min: 1,
    max: 500,
    maxItems: 100,
    description: 'The scopes that the application would request.',
    example: ['openid', 'profile', 'email'],
  })
  readonly scopes!: string[];

  @Text(5, {
    max: 200,
    description: 'The claim to explain. If this and `role` are empty, everything that would be there.',
    example: 'email',
  })
  readonly claim!: string;

  @Text(6, { max: 200, description: 'The role of the project to explain, by its key.', example: '' })
  readonly role!: string;
}

@Named('TokenLink')
export class TokenLink {
  @Choice(1, TOKEN_CODE, { description: 'For programs.', example: 'TOKEN_LINK_CODE_SCOPE' })
  readonly code!: ValueOf<typeof TOKEN_CODE>;

  @Flag(2, { description: 'Whether it says why something is there, or why it is not.', example: true })
  readonly isPresent!: boolean;

  @Text(3, { description: 'The claim; empty if it is about a role.', example: 'email' })
  readonly claim!: string;

  @Text(4, { description: 'The role, by its key; empty if it is about a claim.', example: '' })
  readonly role!: string;

  @Texts(5, {
    description: 'Where it is: `idToken`, `accessToken`, `userinfo`, `introspection`.',
    example: ['userinfo', 'introspection'],
  })
  readonly tokens!: readonly string[];

  @Text(6, {
    description: 'For people.',
    example: 'email is in userinfo and introspection: the scope email gives it.',
  })
  readonly sentence!: string;

  @Part(7, () => ExplainedRule, { description: 'The rule behind it; absent if there is none that you may read.' })
  readonly rule?: ExplainedRule | undefined;

  @Parts(8, () => ExplainedMend, { description: 'The operations that would change it, the most obvious one first.' })
  readonly mends!: readonly ExplainedMend[];
}

@Named('ExplainTokenResponse')
export class ExplainTokenResponse {
  @Text(1, { description: 'The answer in a sentence.', example: 'email is in userinfo and introspection.' })
  readonly summary!: string;

  @Parts(2, () => TokenLink, { description: 'One reason for each claim and role; several where tokens differ.' })
  readonly links!: readonly TokenLink[];
}
