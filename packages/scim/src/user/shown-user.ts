import { type Complex, type Document, type Simple } from '../resource/document.js';
import { type Attribute, subOf } from '../schema/attribute.js';
import {
  DISPLAY_NAME,
  EMAILS,
  NAME,
  NICK_NAME,
  PHONE_NUMBERS,
  PREFERRED_LANGUAGE,
  PROFILE_URL,
  TIMEZONE,
  USER_NAME,
} from '../schema/user.schema.js';
import { ACCOUNT_MEMBERS, type Account, mainEmail, mainPhone } from './account.js';

/**
 * What is shown of a user: what the directory said, in its own spelling, as long as the account is what became of it;
 * where somebody has changed the account since, what that says now.
 * @param became the account as it was after the directory's last word; empty if there was none
 */
export function shownOf(said: Document, became: Partial<Account>, now: Account): Document {
  return ACCOUNT_MEMBERS.filter((member) => became[member] !== now[member]).reduce(
    (shown, member) => SHOW[member](shown, now[member]),
    said,
  );
}

const SHOW: Readonly<Record<keyof Account, (shown: Document, value: string) => Document>> = {
  userName: text(USER_NAME),
  firstName: namePart('givenName'),
  middleName: namePart('middleName'),
  lastName: namePart('familyName'),
  nickName: text(NICK_NAME),
  displayName: text(DISPLAY_NAME),
  preferredLanguage: text(PREFERRED_LANGUAGE),
  timeZone: text(TIMEZONE),
  profileUrl: text(PROFILE_URL),
  email: (shown, value) => withMain(shown, EMAILS, mainEmail(shown), value),
  phone: (shown, value) => withMain(shown, PHONE_NUMBERS, mainPhone(shown), value),
};

function text(attribute: Attribute) {
  return (shown: Document, value: string): Document => shown.with(attribute, value === '' ? undefined : value);
}

function namePart(name: string) {
  return (shown: Document, value: string): Document => {
    const parts = new Map(shown.complex(NAME));
    if (value === '') parts.delete(subOf(NAME, name));
    else parts.set(subOf(NAME, name), value);
    // The whole name was made of the parts.
    parts.delete(subOf(NAME, 'formatted'));
    return shown.with(NAME, parts);
  };
}

/** The list with another main value, which is alone there if the directory said none. */
function withMain(shown: Document, attribute: Attribute, main: Complex | undefined, value: string): Document {
  const values = shown.list(attribute);
  const others = values.filter((one) => one !== main);
  if (value === '') return shown.with(attribute, others);
  const kept = new Map<Attribute, Simple>(main ?? [[subOf(attribute, 'primary'), true]]);
  kept.delete(subOf(attribute, 'display'));
  kept.set(subOf(attribute, 'value'), value);
  const at = main ? values.indexOf(main) : 0;
  return shown.with(attribute, others.toSpliced(at, 0, kept));
}
