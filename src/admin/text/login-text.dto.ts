import type { LoginTexts } from '../../text/login-catalogue/catalogue.js';
import { LOGIN_SCREENS, type ScreenFacts } from '../../text/login-screens.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import type { MessageClass } from '../kit/wire/field.js';
import { Flag, Named, Part, Text } from '../kit/wire/fields.js';
import { LanguageRequest } from './message-text.dto.js';

const PLACES: ReadonlyArray<readonly [name: RegExp, place: string]> = [
  [/^title/, 'Heading of the page.'],
  [/description/i, 'Paragraph below the heading.'],
  [/Label$/, 'Label of a field.'],
  [/Placeholder$/, 'Placeholder of an empty field.'],
  [/(ButtonText|LinkText|Option)$/, 'Text of a button or link.'],
];

/** The place of a text; its name says which one it is. */
function placeOf(field: string): string {
  return PLACES.find(([name]) => name.test(field))?.[1] ?? 'Line of text on the page.';
}

/** A message of texts, as the facts of its screen have it. */
function messageOf({ message, fields }: ScreenFacts): MessageClass {
  const made = class {};
  Named(message)(made);
  for (const [field, [number, max]] of Object.entries(fields))
    Text(number, { max, description: placeOf(field) })(made.prototype, field);
  return made;
}

const MESSAGES = new Map(Object.entries(LOGIN_SCREENS).map(([name, facts]) => [name, messageOf(facts)]));

/** Adds a field for each screen to a message. `linkingUserPrompt`: its number, which is not the same everywhere. */
function withScreens(message: MessageClass, linkingUserPrompt = LOGIN_SCREENS.linkingUserPromptText.number): void {
  for (const [name, { number }] of Object.entries(LOGIN_SCREENS)) {
    Part(name === 'linkingUserPromptText' ? linkingUserPrompt : number, () => MESSAGES.get(name)!)(
      message.prototype as object,
      name,
    );
  }
}

/** Texts to be stored, a member for each screen: what is empty or absent is not the owner's own. */
@Named('SetLoginTextsRequest')
export class SetLoginTextsRequest extends LanguageRequest {}
withScreens(SetLoginTextsRequest);

@Named('LoginCustomText')
class LoginCustomText {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(36, {
    example: true,
    description: 'Whether the owner has no custom text, so that the default is returned.',
  })
  readonly isDefault!: boolean;
}
withScreens(LoginCustomText, 37);

@Named('LoginTextsResponse')
export class LoginTextsResponse {
  @Part(1, () => LoginCustomText)
  readonly customText!: LoginCustomText & LoginTexts;
}

/** The texts with every screen and every field, empty where nothing was sent. */
export function toLoginTexts(request: SetLoginTextsRequest): LoginTexts {
  const sent = request as unknown as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const screens = Object.entries(LOGIN_SCREENS).map(([name, { fields }]) => [
    name,
    Object.fromEntries(Object.keys(fields).map((field) => [field, sent[name]?.[field] ?? ''])),
  ]);
  return Object.fromEntries(screens) as LoginTexts;
}
