import { isIP } from 'node:net';
import { Controller, Post } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { SignInExplanations } from '../../management/why/sign-in-explanations.js';
import { clientNotFound } from '../../project/client/client.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { toAsked, toExplanation } from './explanation.mapping.js';
import { ExplainSignInRequest, ExplainSignInResponse } from './sign-in-explanation.dto.js';

/** Why somebody can or cannot sign in. */
@Tagged('Users')
@Controller()
export class ExplanationController {
  constructor(private readonly explanations: SignInExplanations) {}

  @Post('admin/v1/users/:userId/_explain')
  @Requires('user.global.read')
  @Operation({
    id: 'ExplainSignIn',
    summary: 'Explain the sign-in of a user of any organization',
    description:
      'Asks the decision of every sign-in what it would ask for in a new browser, and what refuses: each reason in a sentence, with the rule behind it, and the operation that changes it. Nothing is changed, counted or sent. What you may not read is not named.',
    request: ExplainSignInRequest,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: ExplainSignInResponse,
    refuses: [userNotFound(), clientNotFound()],
  })
  async explain(@Asking() actor: Actor, @Message() request: ExplainSignInRequest): Promise<ExplainSignInResponse> {
    checkNetwork(request);
    return toExplanation(await this.explanations.ofAny(actor, request.userId, toAsked(request)));
  }

  @Post('management/v1/users/:userId/_explain')
  @OfOrg()
  @Requires('user.read')
  @Operation({
    id: 'ExplainSignInOfOrg',
    summary: 'Explain the sign-in of a user of the organization',
    description: 'Like `ExplainSignIn`.',
    request: ExplainSignInRequest,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: ExplainSignInResponse,
    refuses: [userNotFound(), clientNotFound()],
  })
  async explainOfOrg(@Asking() actor: Actor, @Message() request: ExplainSignInRequest): Promise<ExplainSignInResponse> {
    checkNetwork(request);
    return toExplanation(await this.explanations.ofOrg(actor, request.userId, toAsked(request)));
  }
}

/** @throws DomainError InvalidArgument */
function checkNetwork({ network }: ExplainSignInRequest): void {
  if (network !== '' && isIP(network) === 0)
    throw invalidFields([{ field: 'network', description: 'must be an IP address' }]);
}
