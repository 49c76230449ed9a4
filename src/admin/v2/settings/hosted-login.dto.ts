import { isLanguageTag } from '../../../foundation/language/language-tag.js';
import { findMessageLanguage } from '../../../text/message-catalogue/catalogue.js';
import { LANGUAGE_UNSUPPORTED } from '../../../text/text.errors.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Flag, Named, Struct, Text } from '../../kit/wire/fields.js';

const ORGANIZATION_ID = {
  oneof: 'level',
  min: 1,
  max: 200,
  example: EXAMPLE.org,
  description: 'The texts that users of this organization read.',
} as const;
const INSTANCE = {
  oneof: 'level',
  description: 'The texts of the instance, for organizations without texts of their own.',
} as const;
const LOCALE = { min: 1, max: 200, description: 'BCP 47 language tag.', example: 'en' } as const;
const ANY_LOCALE = { ...LOCALE, form: { fits: isLanguageTag, says: 'must be a language tag' } } as const;
const OUR_LOCALE = {
  ...LOCALE,
  form: {
    fits: (text: string) => findMessageLanguage(text, 'exactly') !== undefined,
    says: LANGUAGE_UNSUPPORTED.description,
  },
} as const;
const TRANSLATIONS = {
  loginText: { loginNamePlaceholder: 'name@example.com' },
};
const ABOUT_TRANSLATIONS = 'An object for each screen, with its texts: the names are those of GetCustomLoginTexts.';

@Named('GetHostedLoginTranslationRequestV2')
export class GetHostedLoginTranslationRequestV2 {
  @Flag(1, { oneof: 'level', description: 'The built-in texts.' })
  readonly system?: boolean;

  @Flag(2, INSTANCE)
  readonly instance?: boolean;

  @Text(3, ORGANIZATION_ID)
  readonly organizationId?: string;

  @Text(4, ANY_LOCALE)
  readonly locale!: string;

  @Flag(5, { description: 'Only what was set at this level. By default, texts of the levels above complete it.' })
  readonly ignoreInheritance!: boolean;
}

@Named('GetHostedLoginTranslationResponseV2')
export class GetHostedLoginTranslationResponseV2 {
  @Text(1, { description: 'Changes with the texts.', example: 'X3C_GKCGAHAW6UiwSu07gqNqYh8m1qJ0b7e2D5p8c0E' })
  readonly etag!: string;

  @Struct(2, { description: ABOUT_TRANSLATIONS, example: TRANSLATIONS })
  readonly translations!: object;
}

@Named('SetHostedLoginTranslationRequestV2')
export class SetHostedLoginTranslationRequestV2 {
  @Flag(1, INSTANCE)
  readonly instance?: boolean;

  @Text(2, ORGANIZATION_ID)
  readonly organizationId?: string;

  @Text(3, OUR_LOCALE)
  readonly locale!: string;

  @Struct(4, {
    description: `${ABOUT_TRANSLATIONS} They replace all texts of the language; where one is absent or empty, that of the level above is used. Other names are refused: the pages have no such text.`,
    example: TRANSLATIONS,
  })
  readonly translations?: object;
}

@Named('SetHostedLoginTranslationResponseV2')
export class SetHostedLoginTranslationResponseV2 {
  @Text(1, { description: 'That of the texts that were set.', example: 'X3C_GKCGAHAW6UiwSu07gqNqYh8m1qJ0b7e2D5p8c0E' })
  readonly etag!: string;
}
