import { Controller, Delete, Get, Put, type Type } from '@nestjs/common';
import { InstanceService } from '../../org/instance/instance.service.js';
import { LoginTextService } from '../../text/login-text.service.js';
import { languageMalformed, languageUnsupported, textNotCustom } from '../../text/text.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { LEVELS, type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toOwnDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { LoginTextsResponse, SetLoginTextsRequest, toLoginTexts } from './login-text.dto.js';
import { LanguageRequest } from './message-text.dto.js';
import { toLoginTextsResponse } from './text.mapping.js';
import { defaultTextAt } from './text-words.js';

export const loginTextControllers: readonly Type[] = LEVELS.map(controllerOf);

function controllerOf(level: Level): Type {
  const defaultText = defaultTextAt(level);

  @Tagged('Login texts')
  @Controller(`${level.prefix}/text`)
  @level.documentation
  class LoginTextController {
    constructor(
      private readonly instances: InstanceService,
      private readonly texts: LoginTextService,
    ) {}

    @Get('default/login/:language')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'GetDefaultLoginTexts'),
      summary: level.isOrg ? 'Get the default login texts of organizations' : 'Get the built-in login texts',
      description: "For a language without texts, returns those of the instance's default language, or else English.",
      request: LanguageRequest,
      returns: LoginTextsResponse,
      refuses: [languageMalformed()],
    })
    async getDefault(@Asking() _actor: Actor, @Message() { language }: LanguageRequest): Promise<LoginTextsResponse> {
      return toLoginTextsResponse(
        await (level.isOrg ? this.texts.findInherited(language) : this.texts.findDefault(language)),
      );
    }

    @Get('login/:language')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'GetCustomLoginTexts'),
      summary: `Get ${level.owner}'s custom login texts`,
      description: `Returns the texts as stored, including empty fields. If nothing is stored, isDefault is true and ${defaultText} is returned.`,
      request: LanguageRequest,
      returns: LoginTextsResponse,
      refuses: [languageMalformed()],
    })
    async getCustom(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<LoginTextsResponse> {
      return toLoginTextsResponse(await this.texts.findCustom(await this.ownerId(actor), language));
    }

    @Put('login/:language')
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: operationIdAt(level, 'SetCustomLoginText'),
      summary: `Set ${level.owner}'s custom login texts`,
      description: `Replaces all texts of the language. Where a field is empty, ${defaultText} is used.`,
      request: SetLoginTextsRequest,
      // A text that belongs to no language: users read the rest in their own, whichever language is put in its place.
      example: { language: 'en', loginText: { loginNamePlaceholder: 'name@example.com' } },
      returns: DetailsResponse,
      refuses: [languageUnsupported()],
    })
    async set(@Asking() actor: Actor, @Message() request: SetLoginTextsRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const texts = toLoginTexts(request);
      const details = await this.texts.set(ownerId, request.language, texts, actor.userId);
      return { details: toOwnDetails(details) };
    }

    @Delete('login/:language')
    @Requires(level.permissions.removePolicy)
    @Operation({
      id: operationIdAt(level, 'ResetCustomLoginTextToDefault'),
      summary: `Reset ${level.owner}'s custom login texts to the default`,
      description: `From then on, ${defaultText} is used.`,
      request: LanguageRequest,
      returns: DetailsResponse,
      refuses: [languageMalformed(), textNotCustom()],
    })
    async reset(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const details = await this.texts.reset(ownerId, language, actor.userId);
      return { details: toOwnDetails(details) };
    }

    private async ownerId(actor: Actor): Promise<string> {
      return level.ownerId(actor, this.instances);
    }
  }
  return named(level, 'LoginText', LoginTextController);
}
