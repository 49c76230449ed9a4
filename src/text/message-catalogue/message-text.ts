/**
 * The texts of a message that the service sends. Template fields such as `{{.FirstName}}` are filled in when it is
 * sent.
 */
export interface MessageText {
  readonly title: string;
  readonly preHeader: string;
  readonly subject: string;
  readonly greeting: string;
  readonly text: string;
  readonly buttonText: string;
  /** The text at the bottom, which may be empty. */
  readonly footerText: string;
}

export type TextPart = keyof MessageText;

/** The parts in the order in which people read them. */
export const TEXT_PARTS = [
  'title',
  'preHeader',
  'subject',
  'greeting',
  'text',
  'buttonText',
  'footerText',
] as const satisfies readonly TextPart[];

/** Template fields that every kind of message may use. */
const FIELDS_OF_THE_PERSON = [
  'UserName',
  'FirstName',
  'LastName',
  'NickName',
  'DisplayName',
  'LastEmail',
  'VerifiedEmail',
  'LastPhone',
  'VerifiedPhone',
  'PreferredLoginName',
  'LoginName',
  'LoginNames',
  'UserID',
  'OrgID',
  'ChangeDate',
  'CreationDate',
] as const;

const FIELDS_OF_A_ONE_TIME_CODE = ['OTP', 'VerifyURL', 'Expiry', 'Domain', ...FIELDS_OF_THE_PERSON] as const;

/**
 * The kinds of message, and the template fields that each may use. A kind is one line here and one member in each
 * language's file.
 */
export const TEMPLATE_FIELDS = {
  init: ['Code', 'Expiry', ...FIELDS_OF_THE_PERSON],
  passwordReset: ['Code', 'Expiry', ...FIELDS_OF_THE_PERSON],
  verifyEmail: ['Code', 'Expiry', ...FIELDS_OF_THE_PERSON],
  verifyPhone: ['Code', ...FIELDS_OF_THE_PERSON],
  verifySmsOtp: FIELDS_OF_A_ONE_TIME_CODE,
  verifyEmailOtp: FIELDS_OF_A_ONE_TIME_CODE,
  domainClaimed: ['Domain', 'TempUsername', 'Username', ...FIELDS_OF_THE_PERSON],
  passwordlessRegistration: ['Code', 'Expiry', ...FIELDS_OF_THE_PERSON],
  passwordChange: FIELDS_OF_THE_PERSON,
  inviteUser: ['Code', 'Expiry', 'ApplicationName', ...FIELDS_OF_THE_PERSON],
} as const satisfies Record<string, readonly string[]>;

export type MessageKind = keyof typeof TEMPLATE_FIELDS;

export const MESSAGE_KINDS = Object.keys(TEMPLATE_FIELDS) as readonly MessageKind[];

/** The part that is sent as a short message: plain text. */
const SHORT_MESSAGES: ReadonlySet<MessageKind> = new Set(['verifyPhone', 'verifySmsOtp']);

export function isShortMessage(kind: MessageKind): boolean {
  return SHORT_MESSAGES.has(kind);
}

/** The template fields of a kind, and the meaning of each. */
export type TemplateValues = Readonly<Record<string, string>>;

/** The type of every catalogue file; the compiler checks the members, catalogue.spec.ts the rest. */
export type MessageTexts = Readonly<Record<MessageKind, MessageText>>;
