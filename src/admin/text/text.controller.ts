import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../permission/actor.js';
import { languageMalformed, textMissing } from '../../text/text.errors.js';
import { TextService } from '../../text/text.service.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import { Message } from '../wire/message.js';
import { LanguageRequest, MessageTextResponse } from './message-text.dto.js';
import { toMessageText } from './text.mapping.js';

@ApiTags('Message texts')
@Controller('admin/v1/text')
export class TextController {
  constructor(private readonly texts: TextService) {}

  @Get('default/message/init/:language')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetDefaultInitMessageText',
    summary: 'The built-in text of the message that lets a new user set up their account',
    description: 'A language without a text of its own is answered in the default language of the instance.',
    request: LanguageRequest,
    returns: MessageTextResponse,
    refuses: [languageMalformed(), textMissing()],
  })
  async getDefaultInit(@Asking() _actor: Actor, @Message() request: LanguageRequest): Promise<MessageTextResponse> {
    return toMessageText(await this.texts.findDefault('init', request.language));
  }
}
