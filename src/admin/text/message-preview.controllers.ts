import { Controller, Post, type Type } from '@nestjs/common';
import { MessagePreview } from '../../mail/message-preview.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { languageUnsupported } from '../../text/text.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { LEVELS, type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { mailTextsAt } from './message-kinds.js';
import { PreviewMessageTextRequest, PreviewMessageTextResponse } from './message-text.dto.js';
import { toMessageText } from './text.mapping.js';

export const messagePreviewControllers: readonly Type[] = LEVELS.map(controllerOf);

function controllerOf(level: Level): Type {
  @Tagged(mailTextsAt(level))
  @Controller(`${level.prefix}/text`)
  @level.documentation
  class MessagePreviewController {
    constructor(
      private readonly instances: InstanceService,
      private readonly previews: MessagePreview,
    ) {}

    @Post('message/:kind/:language/_preview')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'PreviewMessageText'),
      summary: `Preview a message to the users of ${level.owner}, with sample values`,
      description:
        'Renders the texts of the request body, and the effective texts for fields that are empty there. Nothing is stored or sent.',
      request: PreviewMessageTextRequest,
      returns: PreviewMessageTextResponse,
      refuses: [languageUnsupported()],
    })
    async preview(
      @Asking() actor: Actor,
      @Message() request: PreviewMessageTextRequest,
    ): Promise<PreviewMessageTextResponse> {
      const ownerId = await level.ownerId(actor, this.instances);
      return this.previews.render(request.kind, ownerId, request.language, toMessageText(request));
    }
  }
  return named(level, 'MessagePreview', MessagePreviewController);
}
