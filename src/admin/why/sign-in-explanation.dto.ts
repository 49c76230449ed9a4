import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { CAN_SIGN_IN, LINK_CODE, LINK_EFFECT, RULE_OWNER, SIGN_IN_METHOD } from '../../management/why/why.enums.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Count, Flag, Moment, Named, Part, Parts, Span, Struct, Text, Texts } from '../kit/wire/fields.js';

@Named('ExplainSignInRequest')
export class ExplainSignInRequest {
  @Text(1, { min: 1, max: 200, description: 'The user.', example: EXAMPLE.person })
  readonly userId!: string;

  @Text(2, {
    max: 500,
    description:
      'The application: its client ID, or, for those who may read it, its ID or name. If empty, the pages of the service itself.',
    example: '',
  })
  readonly application!: string;

  @Texts(3, {
    min: 1,
    max: 500,
    maxItems: 100,
    description: 'The scopes that the application would request besides `openid`.',
    example: [],
  })
  readonly scopes!: string[];

  @Text(4, {
    max: 45,
    description:
      'The address from which the user would come: limits count by network, and steps of extensions may judge it.',
    example: '203.0.113.7',
  })
  readonly network!: string;

  @Choice(5, SIGN_IN_METHOD, {
    description: 'How the user would prove who they are. If unspecified, the first way that works.',
    example: 'SIGN_IN_METHOD_PASSWORD',
  })
  readonly method!: ValueOf<typeof SIGN_IN_METHOD>;

  @Text(6, { max: 200, description: 'The identity provider, by its ID or name, for that method.', example: '' })
  readonly provider!: string;

  @Text(7, {
    max: 400,
    description: 'What the user types as the login name. If empty, the preferred one.',
    example: '',
  })
  readonly loginName!: string;

  @Texts(8, {
    max: 20,
    maxItems: 5,
    description: 'The values of `prompt` in the request of the application: `none`, `login`, `consent`, …',
    example: [],
    form: {
      fits: (text) => ['none', 'login', 'consent', 'select_account', 'create'].includes(text),
      says: 'must be none, login, consent, select_account or create',
    },
  })
  readonly prompts!: string[];

  @Span(9, { description: '`max_age` in the request of the application.', example: '3600s' })
  readonly maxAge?: number | undefined;

  @Texts(10, { max: 20, maxItems: 10, description: '`acr_values` in the request of the application.', example: [] })
  readonly acrValues!: string[];

  @Flag(11, {
    description: 'Whether the request of the application demands two factors, by an essential `acr` claim.',
    example: false,
  })
  readonly requiresSecondFactor!: boolean;
}

@Named('ExplainedRule')
export class ExplainedRule {
  @Text(1, { description: 'What it is, in words.', example: 'login policy' })
  readonly name!: string;

  @Text(2, { description: 'The setting, as the API calls it; empty if there is none.', example: 'forceMfa' })
  readonly setting!: string;

  @Choice(3, RULE_OWNER, { description: 'Whose it is.', example: 'EXPLAINED_OWNER_TYPE_ORGANIZATION' })
  readonly ownerType!: ValueOf<typeof RULE_OWNER>;

  @Text(4, { description: 'The ID of the owner, or the name of the extension.', example: EXAMPLE.org })
  readonly ruleOwnerId!: string;

  @Text(5, { description: 'Empty if it has none, or you may not read it.', example: 'Acme' })
  readonly ownerName!: string;

  @Moment(6, { description: 'When it was last changed.', example: '2026-05-12T09:30:00Z' })
  readonly changedDate?: Date | undefined;

  @Text(7, {
    description: 'Who changed it; empty for the service itself, and for users that you may not read.',
    example: EXAMPLE.administrator,
  })
  readonly changedByUserId!: string;

  @Text(8, { description: 'The display name of that user.', example: 'Ada Admin' })
  readonly changedByName!: string;

  @Flag(9, { description: 'Whether nobody has ever changed it.', example: false })
  readonly isDefault!: boolean;
}

@Named('ExplainedMend')
export class ExplainedMend {
  @Text(1, { description: 'The operation that changes it.', example: 'UnlockUser' })
  readonly operationId!: string;

  @Struct(2, {
    description: 'All fields of its request, those of the path included.',
    example: { id: EXAMPLE.person },
  })
  readonly parameters!: object;

  @Text(3, {
    description: 'The organization to name in the header of the call; empty for operations that take none.',
    example: EXAMPLE.org,
  })
  readonly orgId!: string;

  @Flag(4, { description: 'Whether you have the permission that the operation requires.', example: true })
  readonly isAllowed!: boolean;

  @Text(5, { description: 'That permission.', example: 'user.write' })
  readonly permission!: string;
}

@Named('SignInLink')
export class SignInLink {
  @Choice(1, LINK_CODE, { description: 'For programs.', example: 'SIGN_IN_LINK_CODE_USER_LOCKED' })
  readonly code!: ValueOf<typeof LINK_CODE>;

  @Choice(2, LINK_EFFECT, {
    description: 'Whether it asks the user for something, refuses the sign-in, or merely informs.',
    example: 'SIGN_IN_LINK_EFFECT_REFUSES',
  })
  readonly effect!: ValueOf<typeof LINK_EFFECT>;

  @Text(3, { description: 'For people.', example: 'Ilse has been locked since 12 May 2026 (by Ada Admin).' })
  readonly sentence!: string;

  @Text(4, { description: 'The page, if it is one.', example: 'password' })
  readonly step!: string;

  @Part(5, () => ExplainedRule, { description: 'The rule behind it; absent if there is none that you may read.' })
  readonly rule?: ExplainedRule | undefined;

  @Parts(6, () => ExplainedMend, { description: 'The operations that would change it, the most obvious one first.' })
  readonly mends!: readonly ExplainedMend[];

  @Moment(7, { description: 'Until when it holds, if it ends by itself.', example: '2026-05-12T09:45:00Z' })
  readonly untilDate?: Date | undefined;
}

@Named('SignInLimit')
export class SignInLimit {
  @Text(1, { description: 'For people.', example: '4 wrong passwords of 10 count until 10:42 UTC on 12 May 2026.' })
  readonly sentence!: string;

  @Flag(2, { description: 'Whether it refuses further attempts now.', example: false })
  readonly isReached!: boolean;

  @Count(3, { description: 'The attempts that count.', example: 4 })
  readonly failures!: number;

  @Count(4, { description: 'How many are tolerated.', example: 10 })
  readonly maxFailures!: number;

  @Moment(5, {
    description: 'When they no longer count; absent if only a right attempt or a manager ends it.',
    example: '2026-05-12T09:45:00Z',
  })
  readonly untilDate?: Date | undefined;
}

@Named('FailedSignIn')
export class FailedSignIn {
  @Moment(1, { description: 'When.', example: '2026-05-12T09:30:00Z' })
  readonly date!: Date;

  @Text(2, { description: 'Why, as the journal has it.', example: 'password_wrong' })
  readonly reason!: string;

  @Text(3, { description: 'For people.', example: 'The password was wrong.' })
  readonly sentence!: string;
}

@Named('HeldFactorKind')
export class HeldFactorKind {
  @Text(1, {
    description: '`password`, `passkey`, `u2f`, `otp`, `otp_email`, `recovery_codes` or `provider`.',
    example: 'passkey',
  })
  readonly kind!: string;

  @Count(2, { description: 'How many the user has.', example: 1 })
  readonly count!: number;
}

@Named('ExplainSignInResponse')
export class ExplainSignInResponse {
  @Choice(1, CAN_SIGN_IN, { description: 'The short answer.', example: 'CAN_SIGN_IN_NO' })
  readonly canSignIn!: ValueOf<typeof CAN_SIGN_IN>;

  @Text(2, { description: 'The answer in a sentence.', example: 'Ilse cannot sign in. Ilse has been locked.' })
  readonly summary!: string;

  @Parts(3, () => SignInLink, {
    description: 'What happens, in order: what refuses is the end, and what is asked comes page by page.',
  })
  readonly chain!: readonly SignInLink[];

  @Parts(4, () => SignInLimit, { description: 'The attempts that count now.' })
  readonly limits!: readonly SignInLimit[];

  @Parts(5, () => FailedSignIn, { description: 'The last ten sign-ins that failed, the latest first.' })
  readonly failures!: readonly FailedSignIn[];

  @Parts(6, () => HeldFactorKind, { description: 'What the user can prove who they are with.' })
  readonly factors!: readonly HeldFactorKind[];
}
