import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { isShortMessage, type MessageKind, type MessageText } from '../../text/message-catalogue/message-text.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import type { MessageClass } from '../kit/wire/field.js';
import { Choice, Flag, Named, Part, Text } from '../kit/wire/fields.js';
import { KINDS, MESSAGE_KIND } from './message-kinds.js';

@Named('LanguageRequest')
export class LanguageRequest {
  @Text(1, { min: 1, max: 200, description: 'BCP 47 language tag.', example: 'en' })
  readonly language!: string;
}

@Named('MessageCustomText')
export class MessageCustomText {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: 'Welcome to Gatehouse', description: 'The title, above the greeting.' })
  readonly title!: string;

  @Text(3, {
    example: 'Set up your account',
    description: 'The preview text that mail programs show beside the subject.',
  })
  readonly preHeader!: string;

  @Text(4, { example: 'Set up your account', description: 'The subject of the e-mail.' })
  readonly subject!: string;

  @Text(5, { example: 'Hello {{.FirstName}} {{.LastName}},', description: 'May contain template fields.' })
  readonly greeting!: string;

  @Text(6, {
    example: 'An account was created for you. Your login name is {{.PreferredLoginName}}.',
    description: 'May contain template fields.',
  })
  readonly text!: string;

  @Text(7, { example: 'Set up my account', description: 'Text of the button.' })
  readonly buttonText!: string;

  @Text(8, {
    example: 'The link and the code can be used once.',
    description: 'Footer in small print; may be empty.',
  })
  readonly footerText!: string;

  @Flag(9, {
    example: true,
    description: 'Whether the owner has no custom text, so that the default is returned.',
  })
  readonly isDefault!: boolean;
}

@Named('MessageTextResponse')
export class MessageTextResponse {
  @Part(1, () => MessageCustomText)
  readonly customText!: MessageCustomText;
}

/** A text to be stored: what is empty is not the owner's own. */
export type SetMessageTextRequest = LanguageRequest & MessageText;

/** Short messages are paid for by the piece. */
const SHORT = { max: 800 } as const;

const EMPTY = 'If empty, the default is used.';

/** The request to set the text of a kind; the kinds differ in their limits. */
function setRequestOf(kind: MessageKind, name: string): MessageClass<SetMessageTextRequest> {
  const textLimit = isShortMessage(kind) ? SHORT : { maxBytes: 40_000 };
  // Counted in characters where the described system does; the others count bytes.
  const footerLimit = kind === 'passwordChange' || kind === 'inviteUser' ? { max: 8_000 } : { maxBytes: 8_000 };

  class SetMessageText extends LanguageRequest {
    @Text(2, { maxBytes: 2_000, description: `The title, above the greeting. ${EMPTY}` })
    readonly title!: string;

    @Text(3, { maxBytes: 2_000, description: `The preview text that mail programs show beside the subject. ${EMPTY}` })
    readonly preHeader!: string;

    @Text(4, { maxBytes: 2_000, description: EMPTY })
    readonly subject!: string;

    @Text(5, { maxBytes: 4_000, description: EMPTY })
    readonly greeting!: string;

    @Text(6, { ...textLimit, description: `Each line becomes a paragraph. ${EMPTY}` })
    readonly text!: string;

    @Text(7, { maxBytes: 4_000, description: `Text of the button. ${EMPTY}` })
    readonly buttonText!: string;

    @Text(8, { ...footerLimit, description: `Footer in small print. ${EMPTY}` })
    readonly footerText!: string;
  }
  return named(SetMessageText, `Set${name}MessageTextRequest`);
}

/** The request for an SMS, which has only a text. */
@Named('SetVerifySMSOTPMessageTextRequest')
class SetVerifySMSOTPMessageTextRequest extends LanguageRequest {
  @Text(2, { ...SHORT, description: EMPTY })
  readonly text!: string;

  readonly title = '';
  readonly preHeader = '';
  readonly subject = '';
  readonly greeting = '';
  readonly buttonText = '';
  readonly footerText = '';
}

function named<T extends object>(message: MessageClass<T>, name: string): MessageClass<T> {
  Named(name)(message);
  return message;
}

/** The requests, one class for each kind, shared by the instance and organizations. */
export const SET_REQUESTS = Object.fromEntries(
  KINDS.map(({ kind, name }) => [
    kind,
    kind === 'verifySmsOtp' ? SetVerifySMSOTPMessageTextRequest : setRequestOf(kind, name),
  ]),
) as Readonly<Record<MessageKind, MessageClass<SetMessageTextRequest>>>;

/** A request with a text that need not be stored. */
@Named('PreviewMessageTextRequest')
export class PreviewMessageTextRequest extends LanguageRequest {
  @Text(2, { maxBytes: 2_000, description: `The title, above the greeting. ${EMPTY}`, example: 'Welcome' })
  readonly title!: string;

  @Text(3, { maxBytes: 2_000, description: EMPTY })
  readonly preHeader!: string;

  @Text(4, { maxBytes: 2_000, description: EMPTY })
  readonly subject!: string;

  @Text(5, { maxBytes: 4_000, description: EMPTY, example: 'Dear {{.FirstName}},' })
  readonly greeting!: string;

  @Text(6, { maxBytes: 40_000, description: EMPTY })
  readonly text!: string;

  @Text(7, { maxBytes: 4_000, description: EMPTY })
  readonly buttonText!: string;

  @Text(8, { maxBytes: 8_000, description: EMPTY })
  readonly footerText!: string;

  @Choice(9, MESSAGE_KIND, { description: 'The kind of message.', example: 'init' })
  readonly kind!: ValueOf<typeof MESSAGE_KIND>;
}

@Named('PreviewMessageTextResponse')
export class PreviewMessageTextResponse {
  @Text(1, { description: 'Empty for SMS.', example: 'Set up your account' })
  readonly subject!: string;

  @Text(2, { description: 'The complete HTML e-mail; empty for SMS.', example: '<!doctype html>…' })
  readonly html!: string;

  @Text(3, { description: 'The plain text version.', example: 'Hello Given Family, …' })
  readonly text!: string;

  @Text(4, { description: 'The language of the text.', example: 'en' })
  readonly language!: string;
}
