import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { languageMalformed, textMissing } from '../../text/text.errors.js';
import { TextService } from '../../text/text.service.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import { MessageTextResponse } from './message-text.dto.js';
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
    returns: MessageTextResponse,
    refuses: [languageMalformed(), textMissing()],
  })
  @ApiParam({ name: 'language', description: 'BCP 47 language tag.', schema: { type: 'string', maxLength: 35, example: 'en' } })
  async getDefaultInit(@Param('language') language: string): Promise<MessageTextResponse> {
    return toMessageText(await this.texts.findDefault('init', language));
  }
}
