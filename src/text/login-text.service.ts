import { Injectable } from '@nestjs/common';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { Details } from '../foundation/database/recorded.js';
import { Journal } from '../foundation/event/journal.js';
import { isLanguageTag } from '../foundation/language/language-tag.js';
import type { Instance } from '../org/instance/instance.entity.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { ENGLISH_LOGIN_TEXTS, findBuiltInLoginTexts, type LoginTexts } from './login-catalogue/catalogue.js';
import { differences, isEmpty, layOver, onlyOwn, withBlanks } from './login-text.js';
import { findMessageLanguage, type MessageLanguage } from './message-catalogue/catalogue.js';
import type { CustomLoginText, CustomLoginTexts } from './text.entity.js';
import { languageMalformed, languageUnsupported, textNotCustom } from './text.errors.js';
import { customTextRemoved, customTextSet } from './text.events.js';
import { TextRepository } from './text.repository.js';
import { detailsAt, detailsOf, detailsOfBuiltIn, layersOf, messageLanguageFor, ownerOf } from './text-owner.js';

const TEMPLATE = 'login';

/** The texts of the login screens, and where they come from. */
export interface FoundLoginTexts {
  readonly texts: LoginTexts;
  readonly details: Details;
  /** Whether nothing of it is the owner's own. */
  readonly isDefault: boolean;
}

/** What the login screens say; the owners are those of `TextService`, and their texts hold field by field. */
@Injectable()
export class LoginTextService {
  private readonly own: CachedReads<CustomLoginTexts>;

  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly texts: TextRepository,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.own = new CachedReads(changes, 'login-text', (key) => this.loadOwn(key));
  }

  /**
   * The built-in texts in a language, or else in the instance's default language, or else in English.
   * @throws DomainError InvalidArgument `request.invalid` for what is no language tag
   */
  async findDefault(languageTag: string): Promise<FoundLoginTexts> {
    if (!isLanguageTag(languageTag)) throw languageMalformed();
    const instance = await this.instances.get();
    return { texts: builtIn(languageTag, instance), details: detailsOfBuiltIn(instance), isDefault: true };
  }

  /** The effective texts of organizations without texts of their own. @throws DomainError as `findDefault` */
  async findInherited(languageTag: string): Promise<FoundLoginTexts> {
    const { instance, language } = await this.languageOf(languageTag);
    const [custom] = await this.texts.findLogin([instance.id], language);
    return inherited(language, instance, custom);
  }

  /**
   * The owner's own texts as they are stored, empty fields included, or else the effective texts.
   * @throws DomainError as `findDefault`
   */
  async findCustom(ownerId: string, languageTag: string): Promise<FoundLoginTexts> {
    const { instance, language } = await this.languageOf(languageTag);
    const rows = await this.texts.findLogin([ownerId, instance.id], language);
    const own = rows.find((row) => row.ownerId === ownerId);
    if (own) return { texts: withBlanks(own.texts), details: detailsOf(own), isDefault: false };
    return inherited(
      language,
      instance,
      rows.find((row) => row.ownerId === instance.id),
    );
  }

  /** The texts that people of an organization read. There is always an answer. */
  async resolve(orgId: string, languageTag: string): Promise<LoginTexts> {
    const instance = await this.instances.get();
    const language = messageLanguageFor(languageTag, instance);
    const rows = await this.texts.findLogin([orgId, instance.id], language);
    return layersOf(rows, [instance.id, orgId]).reduce(
      (below, above) => layOver(below, above.texts),
      builtIn(language, instance),
    );
  }

  /**
   * The texts that an organization or the instance has written itself, and nothing built in; from memory, for every
   * page asks. `language`: one of the supported languages; for any other there is nothing.
   */
  async findOwn(ownerId: string, language: string): Promise<CustomLoginTexts> {
    return (await this.own.find(`${language}:${ownerId}`)) ?? {};
  }

  /** The languages in which an owner has texts of its own. */
  async languagesOf(ownerId: string): Promise<readonly string[]> {
    return this.texts.loginsOf(ownerId);
  }

  /**
   * Replaces an owner's texts; empty fields revert to inherited texts. Without any difference there is no event.
   * @throws DomainError InvalidArgument `request.invalid` for a language that is not supported
   */
  async set(ownerId: string, languageTag: string, texts: LoginTexts, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const language = findMessageLanguage(languageTag, 'exactly');
      if (!language) throw languageUnsupported();
      const instance = await this.instances.get();
      const stored = await this.texts.lockLogin(tx, ownerId, language);
      const changed = differences(withBlanks(stored?.texts ?? {}), texts);
      if (isEmpty(changed))
        return stored ? detailsOf(stored) : { ...detailsOfBuiltIn(instance), resourceOwner: ownerId };
      const own = onlyOwn(texts);
      const owner = ownerOf(ownerId, instance);
      const place = { template: TEMPLATE, language } as const;
      const mark = await this.journal.append(
        tx,
        isEmpty(own) ? customTextRemoved(owner, place, editorId) : customTextSet(owner, place, changed, editorId),
      );
      if (isEmpty(own)) await this.texts.removeLogin(tx, ownerId, language);
      else await this.texts.putLogin(tx, ownerId, language, own, mark);
      await this.changes.announce(tx, 'login-text', EVERYTHING);
      return detailsAt(mark, ownerId, stored);
    });
  }

  /**
   * Removes them, so that inherited texts apply again.
   * @throws DomainError InvalidArgument `request.invalid` for an invalid language tag; NotFound `text.not_custom`
   */
  async reset(ownerId: string, languageTag: string, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      if (!isLanguageTag(languageTag)) throw languageMalformed();
      const language = findMessageLanguage(languageTag, 'exactly');
      const stored = language && (await this.texts.lockLogin(tx, ownerId, language));
      if (!stored) throw textNotCustom();
      const owner = ownerOf(ownerId, await this.instances.get());
      const mark = await this.journal.append(tx, customTextRemoved(owner, { template: TEMPLATE, language }, editorId));
      await this.texts.removeLogin(tx, ownerId, language);
      await this.changes.announce(tx, 'login-text', EVERYTHING);
      return { ...detailsOf(stored), sequence: mark.sequence, changeDate: mark.at };
    });
  }

  /** Removes all login texts of an organization, with an event for each. */
  async removeAllOf(tx: Transaction, orgId: string, editorId: string): Promise<void> {
    for (const { language } of await this.texts.lockLoginsOf(tx, orgId)) {
      await this.journal.append(
        tx,
        customTextRemoved({ level: 'org', id: orgId }, { template: TEMPLATE, language }, editorId),
      );
      await this.texts.removeLogin(tx, orgId, language);
    }
    await this.changes.announce(tx, 'login-text', EVERYTHING);
  }

  private async loadOwn(key: string): Promise<CustomLoginTexts> {
    const colon = key.indexOf(':');
    const [language, ownerId] = [key.slice(0, colon), key.slice(colon + 1)];
    const instance = await this.instances.get();
    const rows = await this.texts.findLogin([ownerId, instance.id], language);
    return layersOf(rows, [instance.id, ownerId]).reduce<CustomLoginTexts>(
      (below, above) => onlyOwn(layOver(withBlanks(below), above.texts)),
      {},
    );
  }

  private async languageOf(languageTag: string): Promise<{ instance: Instance; language: MessageLanguage }> {
    if (!isLanguageTag(languageTag)) throw languageMalformed();
    const instance = await this.instances.get();
    return { instance, language: messageLanguageFor(languageTag, instance) };
  }
}

function builtIn(languageTag: string, instance: Instance): LoginTexts {
  return findBuiltInLoginTexts(languageTag) ?? findBuiltInLoginTexts(instance.defaultLanguage) ?? ENGLISH_LOGIN_TEXTS;
}

function inherited(
  language: MessageLanguage,
  instance: Instance,
  custom: CustomLoginText | undefined,
): FoundLoginTexts {
  const texts = builtIn(language, instance);
  if (!custom) return { texts, details: detailsOfBuiltIn(instance), isDefault: true };
  return { texts: layOver(texts, custom.texts), details: detailsOf(custom), isDefault: true };
}
