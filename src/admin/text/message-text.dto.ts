import { Flag, Part, Text } from '../wire/fields.js';
import { ObjectDetails } from '../wire/details.dto.js';

export class LanguageRequest {
  @Text(1, { min: 1, max: 200, description: 'BCP 47 language tag.', example: 'en' })
  readonly language!: string;
}

export class MessageCustomText {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: 'Welcome to Gatehouse' })
  readonly title!: string;

  @Text(3, { example: 'Set up your account', description: 'What a mail program shows beside the subject.' })
  readonly preHeader!: string;

  @Text(4, { example: 'Set up your account' })
  readonly subject!: string;

  @Text(5, { example: 'Hello {{.FirstName}} {{.LastName}},', description: 'May contain template fields.' })
  readonly greeting!: string;

  @Text(6, { example: 'An account was created for you. Your login name is {{.PreferredLoginName}}.', description: 'May contain template fields.' })
  readonly text!: string;

  @Text(7, { example: 'Set up my account' })
  readonly buttonText!: string;

  @Text(8, { example: 'The link and the code can be used once and expire after some time.', description: 'May be empty.' })
  readonly footerText!: string;

  @Flag(9, { example: true, description: 'Whether it is the built-in text.' })
  readonly isDefault!: boolean;
}

export class MessageTextResponse {
  @Part(1, () => MessageCustomText)
  readonly customText!: MessageCustomText;
}
