import { Controller, Delete, Get, Put, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Database } from '../../database/database.js';
import { InstanceService } from '../../instance/instance.service.js';
import type { Actor } from '../../permission/actor.js';
import { LoginTextService } from '../../text/login-text.service.js';
import { languageMalformed, languageUnsupported, textNotCustom } from '../../text/text.errors.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse, toOwnDetails } from '../wire/details.dto.js';
import { Message } from '../wire/message.js';
import { LoginTextsResponse, SetLoginTextsRequest, toLoginTexts } from './login-text.dto.js';
import { LanguageRequest } from './message-text.dto.js';
import { toLoginTextsResponse } from './text.mapping.js';
import { OF_INSTANCE, OF_ORG, type TextLevel } from './text-level.js';

export const loginTextControllers: readonly Type[] = [OF_INSTANCE, OF_ORG].map(controllerOf);

function controllerOf(level: TextLevel): Type {
  const { operationId } = level;

  @ApiTags('Login texts' satisfies Tag)
  @Controller(`${level.prefix}/text`)
  @level.documentation
  class LoginTextController {
    constructor(
      private readonly database: Database,
      private readonly instances: InstanceService,
      private readonly texts: LoginTextService,
    ) {}

    @Get('default/login/:language')
    @Requires(level.read)
    @Operation({
      id: operationId('GetDefaultLoginTexts'),
      summary: level.isOrg
        ? 'The login texts that hold for organizations without their own'
        : 'The built-in texts of the login screens',
      description:
        'A language without texts of its own is answered in the default language of the instance, or else in English.',
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
    @Requires(level.read)
    @Operation({
      id: operationId('GetCustomLoginTexts'),
      summary: `The texts that ${level.owner} has for the login screens`,
      description: `As they are stored, empty fields included; with isDefault, ${level.above}, because nothing is stored.`,
      request: LanguageRequest,
      returns: LoginTextsResponse,
      refuses: [languageMalformed()],
    })
    async getCustom(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<LoginTextsResponse> {
      return toLoginTextsResponse(await this.texts.findCustom(await this.ownerId(actor), language));
    }

    @Put('login/:language')
    @Requires(level.write)
    @Operation({
      id: operationId('SetCustomLoginText'),
      summary: `Sets the texts that ${level.owner} has for the login screens`,
      description: `Replaces all texts of the language; for what is left empty, ${level.above} holds.`,
      request: SetLoginTextsRequest,
      example: {
        language: 'en',
        loginText: { title: 'Sign in', loginNameLabel: 'Login name' },
        footerText: { help: 'Help' },
      },
      returns: DetailsResponse,
      refuses: [languageUnsupported()],
    })
    async set(@Asking() actor: Actor, @Message() request: SetLoginTextsRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const texts = toLoginTexts(request);
      const details = await this.database.transaction((tx) =>
        this.texts.set(tx, ownerId, request.language, texts, actor.userId),
      );
      return { details: toOwnDetails(details) };
    }

    @Delete('login/:language')
    @Requires(level.remove)
    @Operation({
      id: operationId('ResetCustomLoginTextToDefault'),
      summary: `Removes the texts that ${level.owner} has for the login screens`,
      description: `From then on ${level.above} holds.`,
      request: LanguageRequest,
      returns: DetailsResponse,
      refuses: [languageMalformed(), textNotCustom()],
    })
    async reset(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const details = await this.database.transaction((tx) => this.texts.reset(tx, ownerId, language, actor.userId));
      return { details: toOwnDetails(details) };
    }

    private async ownerId(actor: Actor): Promise<string> {
      return level.ownerId(actor, await this.instances.get());
    }
  }
  return LoginTextController;
}
