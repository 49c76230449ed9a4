import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { Details } from '../foundation/database/recorded.js';
import { type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';
import { Journal } from '../foundation/event/journal.js';
import { isLanguageTag } from '../foundation/language/language-tag.js';
import type { Instance } from '../org/instance/instance.entity.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { findBuiltIn, findMessageLanguage, type MessageLanguage, textsIn } from './message-catalogue/catalogue.js';
import {
  type MessageKind,
  type MessageText,
  TEMPLATE_FIELDS,
  TEXT_PARTS,
  type TextPart,
} from './message-catalogue/message-text.js';
import { templateProblem } from './template.js';
import type { CustomMessageText } from './text.entity.js';
import { LANGUAGE_UNSUPPORTED, languageMalformed, textMissing, textNotCustom } from './text.errors.js';
import { customTextRemoved, customTextSet } from './text.events.js';
import { TextRepository } from './text.repository.js';
import { detailsAt, detailsOf, detailsOfBuiltIn, layersOf, messageLanguageFor, ownerOf } from './text-owner.js';

/** The text of a message, and its origin. */
export interface FoundText {
  readonly text: MessageText;
  readonly details: Details;
  /** Whether none of it is the owner's own. */
  readonly isDefault: boolean;
}

/** A message as it is sent. */
export interface ResolvedText {
  readonly text: MessageText;
  /** The language that it is written in. */
  readonly language: MessageLanguage;
}

/**
 * Determines the text of a message. An owner is an organization or the instance, by id; empty parts of its text are
 * inherited: from organization to instance to built-in.
 */
@Injectable()
export class TextService {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly texts: TextRepository,
    private readonly journal: Journal,
  ) {}

  /**
   * The built-in text of a kind of message in a language, otherwise in the instance's default language.
   * @throws DomainError InvalidArgument `request.invalid` for an invalid language tag; NotFound `text.missing`
   */
  async findDefault(kind: MessageKind, languageTag: string): Promise<FoundText> {
    if (!isLanguageTag(languageTag)) throw languageMalformed();
    const instance = await this.instances.get();
    const texts = findBuiltIn(languageTag) ?? findBuiltIn(instance.defaultLanguage);
    if (!texts) throw textMissing();
    return { text: texts[kind], details: detailsOfBuiltIn(instance), isDefault: true };
  }

  /**
   * The text for organizations without their own: the built-in text overridden by the instance's.
   * @throws DomainError as `findDefault`
   */
  async findInherited(kind: MessageKind, languageTag: string): Promise<FoundText> {
    const { instance, language } = await this.languageOf(languageTag);
    const [custom] = await this.texts.findMessages([instance.id], kind, language);
    return inherited(kind, language, instance, custom);
  }

  /**
   * The owner's own text as it is stored, including empty parts, otherwise the inherited one.
   * @throws DomainError as `findDefault`
   */
  async findCustom(ownerId: string, kind: MessageKind, languageTag: string): Promise<FoundText> {
    const { instance, language } = await this.languageOf(languageTag);
    const rows = await this.texts.findMessages([ownerId, instance.id], kind, language);
    const own = rows.find((row) => row.ownerId === ownerId);
    if (own) return { text: partsOf(own), details: detailsOf(own), isDefault: false };
    return inherited(
      kind,
      language,
      instance,
      rows.find((row) => row.ownerId === instance.id),
    );
  }

  /** The text for a user of an organization, in their language or else in the instance's. Always has a result. */
  async resolve(kind: MessageKind, orgId: string, languageTag: string): Promise<ResolvedText> {
    const instance = await this.instances.get();
    const language = messageLanguageFor(languageTag, instance);
    const rows = await this.texts.findMessages([orgId, instance.id], kind, language);
    const layers = layersOf(rows, [instance.id, orgId]);
    return { text: layers.reduce<MessageText>(layOver, textsIn(language)[kind]), language };
  }

  /** `text` completed with inherited parts: a preview of what is about to be stored. */
  async resolveUnsaved(
    kind: MessageKind,
    ownerId: string,
    languageTag: string,
    text: MessageText,
  ): Promise<ResolvedText> {
    checkText(kind, languageTag, text);
    const resolved = await this.resolve(kind, ownerId, languageTag);
    return { ...resolved, text: layOver(resolved.text, text) };
  }

  /** The languages in which an owner has a text of its own. */
  async languagesOf(ownerId: string, kind: MessageKind): Promise<readonly string[]> {
    const own = await this.texts.messagesOf(ownerId);
    return own.filter((one) => one.kind === kind).map(({ language }) => language);
  }

  /**
   * Replaces an owner's text; empty parts are inherited. Without any difference there is no event.
   * @throws DomainError InvalidArgument `request.invalid` with every broken field: a language that is not supported, a
   * template field that the kind does not have
   */
  async set(
    ownerId: string,
    kind: MessageKind,
    languageTag: string,
    text: MessageText,
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const language = checkText(kind, languageTag, text);
      const instance = await this.instances.get();
      const stored = await this.texts.lockMessage(tx, ownerId, kind, language);
      const changed = TEXT_PARTS.filter((part) => text[part] !== (stored?.[part] ?? ''));
      if (changed.length === 0)
        return stored ? detailsOf(stored) : { ...detailsOfBuiltIn(instance), resourceOwner: ownerId };
      const owner = ownerOf(ownerId, instance);
      const place = { template: kind, language };
      const isEmpty = TEXT_PARTS.every((part) => text[part] === '');
      const change = Object.fromEntries(changed.map((part) => [part, text[part]]));
      const mark = await this.journal.append(
        tx,
        isEmpty ? customTextRemoved(owner, place, editorId) : customTextSet(owner, place, change, editorId),
      );
      if (isEmpty) await this.texts.removeMessage(tx, ownerId, kind, language);
      else await this.texts.putMessage(tx, ownerId, kind, language, text, mark);
      return detailsAt(mark, ownerId, stored);
    });
  }

  /**
   * Removes it, so that the inherited text applies again.
   * @throws DomainError InvalidArgument `request.invalid` for an invalid language tag; NotFound `text.not_custom`
   */
  async reset(ownerId: string, kind: MessageKind, languageTag: string, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      if (!isLanguageTag(languageTag)) throw languageMalformed();
      const language = findMessageLanguage(languageTag, 'exactly');
      const stored = language && (await this.texts.lockMessage(tx, ownerId, kind, language));
      if (!stored) throw textNotCustom();
      const mark = await this.journal.append(
        tx,
        customTextRemoved(ownerOf(ownerId, await this.instances.get()), { template: kind, language }, editorId),
      );
      await this.texts.removeMessage(tx, ownerId, kind, language);
      return { ...detailsOf(stored), sequence: mark.sequence, changeDate: mark.at };
    });
  }

  /** Removes all message texts of an organization, with an event for each. */
  async removeAllOf(tx: Transaction, orgId: string, editorId: string): Promise<void> {
    for (const { kind, language } of await this.texts.lockMessagesOf(tx, orgId)) {
      await this.journal.append(
        tx,
        customTextRemoved({ level: 'org', id: orgId }, { template: kind, language }, editorId),
      );
      await this.texts.removeMessage(tx, orgId, kind, language);
    }
  }

  private async languageOf(languageTag: string): Promise<{ instance: Instance; language: MessageLanguage }> {
    if (!isLanguageTag(languageTag)) throw languageMalformed();
    const instance = await this.instances.get();
    const language = findMessageLanguage(languageTag) ?? findMessageLanguage(instance.defaultLanguage);
    if (!language) throw textMissing();
    return { instance, language };
  }
}

/** @returns the language @throws DomainError InvalidArgument `request.invalid` */
function checkText(kind: MessageKind, languageTag: string, text: MessageText): MessageLanguage {
  const language = findMessageLanguage(languageTag, 'exactly');
  const violations: FieldViolation[] = language ? [] : [LANGUAGE_UNSUPPORTED];
  for (const part of TEXT_PARTS) {
    const description = isUsed(kind, part) ? templateProblem(text[part], TEMPLATE_FIELDS[kind]) : unused(text[part]);
    if (description !== undefined) violations.push({ field: part, description });
  }
  if (!language || violations.length > 0) throw invalidFields(violations);
  return language;
}

/** A one-time code by short message consists of its text only. */
function isUsed(kind: MessageKind, part: TextPart): boolean {
  return kind !== 'verifySmsOtp' || part === 'text';
}

function unused(text: string): string | undefined {
  return text === '' ? undefined : 'is not part of this message';
}

function layOver(below: MessageText, above: MessageText): MessageText {
  return Object.fromEntries(TEXT_PARTS.map((part) => [part, above[part] === '' ? below[part] : above[part]])) as Record<
    TextPart,
    string
  >;
}

function inherited(
  kind: MessageKind,
  language: MessageLanguage,
  instance: Instance,
  custom: CustomMessageText | undefined,
): FoundText {
  const builtIn = textsIn(language)[kind];
  if (!custom) return { text: builtIn, details: detailsOfBuiltIn(instance), isDefault: true };
  return { text: layOver(builtIn, custom), details: detailsOf(custom), isDefault: true };
}

function partsOf(row: CustomMessageText): MessageText {
  return Object.fromEntries(TEXT_PARTS.map((part) => [part, row[part]])) as Record<TextPart, string>;
}
