/** The texts of one message that the service sends. Template fields such as `{{.FirstName}}` are filled in when it leaves. */
export interface MessageText {
  readonly title: string;
  readonly preHeader: string;
  readonly subject: string;
  readonly greeting: string;
  readonly text: string;
  readonly buttonText: string;
  /** May be empty. */
  readonly footerText: string;
}

/** Template fields that every kind of message may use. */
const FIELDS_OF_THE_PERSON = [
  'UserName', 'FirstName', 'LastName', 'NickName', 'DisplayName', 'LastEmail', 'VerifiedEmail', 'LastPhone', 'VerifiedPhone',
  'PreferredLoginName', 'LoginNames', 'ChangeDate', 'CreationDate',
] as const;

/** The kinds of message, and the template fields that each may use. A kind is one line here and one member in each language's file. */
export const TEMPLATE_FIELDS = {
  init: ['Code', ...FIELDS_OF_THE_PERSON],
} as const satisfies Record<string, readonly string[]>;

export type MessageKind = keyof typeof TEMPLATE_FIELDS;

/** What every file of the catalogue must fit; the compiler checks the members, catalogue.spec.ts the rest. */
export type MessageTexts = Readonly<Record<MessageKind, MessageText>>;
