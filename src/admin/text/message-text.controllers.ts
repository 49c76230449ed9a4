import { Controller, Delete, Get, Put, type Type } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { type MessageKind, TEMPLATE_FIELDS } from '../../text/message-catalogue/message-text.js';
import { templateProblem } from '../../text/template.js';
import { LANGUAGE_UNSUPPORTED, languageMalformed, textMissing, textNotCustom } from '../../text/text.errors.js';
import { TextService } from '../../text/text.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { LEVELS, type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toOwnDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { KINDS, type KindFacts, mailTextsAt, templateFieldsOf } from './message-kinds.js';
import { LanguageRequest, MessageTextResponse, SET_REQUESTS, type SetMessageTextRequest } from './message-text.dto.js';
import { toMessageText, toMessageTextResponse } from './text.mapping.js';
import { defaultTextAt } from './text-words.js';

/** Messages to phones; the others are e-mails. */
const BY_SMS: ReadonlySet<MessageKind> = new Set(['verifyPhone', 'verifySmsOtp']);

/** The path is spelt wrong, and clients are written against it. */
const MISSPELT_SINCE = new Date('2026-11-20T00:00:00Z');

/**
 * The four operations of every kind of message, at both levels: eighty operations that differ in nothing but their
 * names, so a class is created for each kind and level. The differences are in `KINDS` and in the level.
 */
export const messageTextControllers: readonly Type[] = [
  ...LEVELS.flatMap((level) => KINDS.map((facts) => controllerOf(facts, level))),
  ...LEVELS.map(misspeltControllerOf),
];

function controllerOf(facts: KindFacts, level: Level): Type {
  const { kind, word, name, message } = facts;
  const defaultText = defaultTextAt(level);

  @Tagged(BY_SMS.has(kind) ? 'SMS texts' : mailTextsAt(level))
  @Controller(`${level.prefix}/text`)
  @level.documentation
  class MessageTextController {
    constructor(
      private readonly instances: InstanceService,
      private readonly texts: TextService,
    ) {}

    @Get(`default/message/${word}/:language`)
    @Requires(level.permissions.readPolicy)
    @Operation({ ...defaultRead(facts, level), id: operationIdAt(level, `GetDefault${name}MessageText`) })
    async getDefault(@Asking() _actor: Actor, @Message() request: LanguageRequest): Promise<MessageTextResponse> {
      return findDefault(this.texts, facts, level, request);
    }

    @Get(`message/${word}/:language`)
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, `GetCustom${name}MessageText`),
      summary: `Get ${level.owner}'s custom text of ${message}`,
      description: `Returns the text as stored, including empty fields. If nothing is stored, isDefault is true and ${defaultText} is returned.`,
      request: LanguageRequest,
      returns: MessageTextResponse,
      refuses: [languageMalformed(), textMissing()],
    })
    async getCustom(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<MessageTextResponse> {
      return toMessageTextResponse(await this.texts.findCustom(await this.ownerId(actor), kind, language));
    }

    @Put(`message/${word}/:language`)
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: level.isOrg ? `SetCustom${name}${facts.setEnding}` : `SetDefault${name}MessageText`,
      summary: `Set ${level.owner}'s custom text of ${message}`,
      description: `Replaces the whole text. Where a field is empty, ${defaultText} is used.\n\n${templateFieldsOf(kind)}`,
      request: SET_REQUESTS[kind],
      example: exampleOf(kind),
      returns: DetailsResponse,
      refuses: [
        invalidFields([
          LANGUAGE_UNSUPPORTED,
          { field: 'text', description: templateProblem('{{.Password}}', TEMPLATE_FIELDS[kind])! },
        ]),
      ],
    })
    async set(@Asking() actor: Actor, @Message() request: SetMessageTextRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const text = toMessageText(request);
      const details = await this.texts.set(ownerId, kind, request.language, text, actor.userId);
      return { details: toOwnDetails(details) };
    }

    @Delete(`message/${word}/:language`)
    @Requires(level.permissions.removePolicy)
    @Operation({
      id: operationIdAt(level, `ResetCustom${name}MessageTextToDefault`),
      summary: `Reset ${level.owner}'s custom text of ${message} to the default`,
      description: `From then on, ${defaultText} is used.`,
      request: LanguageRequest,
      returns: DetailsResponse,
      refuses: [languageMalformed(), textNotCustom()],
    })
    async reset(@Asking() actor: Actor, @Message() { language }: LanguageRequest): Promise<DetailsResponse> {
      const ownerId = await this.ownerId(actor);
      const details = await this.texts.reset(ownerId, kind, language, actor.userId);
      return { details: toOwnDetails(details) };
    }

    private async ownerId(actor: Actor): Promise<string> {
      return level.ownerId(actor, this.instances);
    }
  }
  return named(level, `${name}MessageText`, MessageTextController);
}

/** A text that belongs to no language: users read the rest in their own, whichever language is put in its place. */
function exampleOf(kind: MessageKind): Record<string, string> {
  return kind === 'verifySmsOtp'
    ? { language: 'en', text: '{{.OTP}}\n@{{.Domain}} #{{.OTP}}' }
    : { language: 'en', greeting: '{{.FirstName}} {{.LastName}},' };
}

function misspeltControllerOf(level: Level): Type {
  const facts = KINDS.find(({ kind }) => kind === 'passwordReset')!;

  @Tagged(mailTextsAt(level))
  @Controller(`${level.prefix}/text`)
  @level.documentation
  class MisspeltMessageTextController {
    constructor(private readonly texts: TextService) {}

    @Get(`deafult/message/${facts.word}/:language`)
    @Requires(level.permissions.readPolicy)
    @Operation({
      ...defaultRead(facts, level),
      id: operationIdAt(level, `GetDeafult${facts.name}MessageText`),
      binds: operationIdAt(level, `GetDefault${facts.name}MessageText`),
      formerNameOf: operationIdAt(level, `GetDefault${facts.name}MessageText`),
      deprecated: MISSPELT_SINCE,
      description: 'A misspelled path, kept for existing clients. Use the correct spelling instead.',
    })
    async getDefault(@Asking() _actor: Actor, @Message() request: LanguageRequest): Promise<MessageTextResponse> {
      return findDefault(this.texts, facts, level, request);
    }
  }
  return named(level, 'MisspeltMessageText', MisspeltMessageTextController);
}

function defaultRead({ message }: KindFacts, level: Level): Omit<Parameters<typeof Operation>[0], 'id'> {
  return {
    summary: level.isOrg
      ? `Get the default text of ${message} for organizations`
      : `Get the built-in text of ${message}`,
    description: "For a language without a text, returns that of the instance's default language.",
    request: LanguageRequest,
    returns: MessageTextResponse,
    refuses: [languageMalformed(), textMissing()],
  };
}

async function findDefault(
  texts: TextService,
  { kind }: KindFacts,
  level: Level,
  { language }: LanguageRequest,
): Promise<MessageTextResponse> {
  return toMessageTextResponse(
    await (level.isOrg ? texts.findInherited(kind, language) : texts.findDefault(kind, language)),
  );
}
