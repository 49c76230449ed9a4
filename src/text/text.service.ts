import { Injectable } from '@nestjs/common';
import type { Details } from '../database/recorded.js';
import { InstanceService } from '../instance/instance.service.js';
import { isLanguageTag } from '../language/language-tag.js';
import { findBuiltIn } from './catalogue/catalogue.js';
import type { MessageKind, MessageText } from './message-text.js';
import { languageMalformed, textMissing } from './text.errors.js';

/** The text of a message, and where it comes from. */
export interface FoundText {
  readonly text: MessageText;
  readonly details: Details;
  /** Whether it is the built-in text. */
  readonly isDefault: boolean;
}

/** Which text a message gets. */
@Injectable()
export class TextService {
  constructor(private readonly instances: InstanceService) {}

  /**
   * The built-in text of a kind of message in a language, or else in the instance's default language.
   * @throws DomainError InvalidArgument `request.invalid` for what is no language tag; NotFound `text.missing`
   */
  async findDefault(kind: MessageKind, languageTag: string): Promise<FoundText> {
    if (!isLanguageTag(languageTag)) throw languageMalformed();
    const instance = await this.instances.get();
    const texts = findBuiltIn(languageTag) ?? findBuiltIn(instance.defaultLanguage);
    if (!texts) throw textMissing();
    // Built-in texts come with the instance: there is no event about them.
    const details = { sequence: 0n, creationDate: instance.creationDate, changeDate: instance.creationDate, resourceOwner: instance.id };
    return { text: texts[kind], details, isDefault: true };
  }
}
