import { Controller, Post } from '@nestjs/common';
import { TokenExplanations } from '../../management/why/token-explanations.js';
import { clientInactive, clientNotFound, clientOfOtherKind } from '../../project/client/client.errors.js';
import { projectNotFound } from '../../project/project.errors.js';
import { previewOfProgram } from '../../token/token-preview.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { toTokenExplanation } from './explanation.mapping.js';
import { ExplainTokenRequest, ExplainTokenResponse } from './token-explanation.dto.js';

/** Why a claim or a role is or is not in a token. */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId/apps/:appId')
@OfOrg()
export class TokenExplanationController {
  constructor(private readonly explanations: TokenExplanations) {}

  @Post('_explain_token')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'ExplainToken',
    summary: 'Explain why a claim or a role is or is not in the tokens of a user',
    description:
      'About the tokens that `PreviewTokens` shows: the rule that has put each claim there, or the first reason for which one is missing. Also requires user.read on the user.',
    request: ExplainTokenRequest,
    exampleWith: { projectId: EXAMPLE.systemProject, appId: EXAMPLE.documentationApp, userId: EXAMPLE.administrator },
    returns: ExplainTokenResponse,
    refuses: [
      projectNotFound(),
      clientNotFound(),
      clientOfOtherKind('oidc'),
      clientInactive(),
      userNotFound(),
      previewOfProgram(),
    ],
  })
  async explain(
    @Asking() actor: Actor,
    @Message() { projectId, appId, ...asked }: ExplainTokenRequest,
  ): Promise<ExplainTokenResponse> {
    return toTokenExplanation(await this.explanations.explain(actor, { projectId, appId }, asked));
  }
}
