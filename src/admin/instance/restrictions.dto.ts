import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Flag, Named, Part, Texts } from '../kit/wire/fields.js';

const NO_ORGANIZATIONS = { description: 'People cannot register organizations here: always true.', example: true };

@Named('SelectLanguages')
export class SelectLanguages {
  @Texts(1, {
    max: 10,
    maxItems: 100,
    description: 'All supported languages, or none for no restriction; others are refused.',
    example: [],
  })
  readonly list!: string[];
}

@Named('GetRestrictionsResponse')
export class GetRestrictionsResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, NO_ORGANIZATIONS)
  readonly disallowPublicOrgRegistration!: boolean;

  @Texts(3, { description: 'All supported languages.', example: ['de', 'en'] })
  readonly allowedLanguages!: readonly string[];
}

@Named('SetRestrictionsRequest')
export class SetRestrictionsRequest {
  @Flag(1, { optional: true, ...NO_ORGANIZATIONS })
  readonly disallowPublicOrgRegistration?: boolean;

  @Part(2, () => SelectLanguages)
  readonly allowedLanguages?: SelectLanguages;
}
