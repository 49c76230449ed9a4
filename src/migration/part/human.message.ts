import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { MAX_PASSWORD_CHARACTERS } from '../../foundation/password/password-hash.js';
import { MOST_KEYS } from '../../user/factor/auth-key.entity.js';
import type { ProfileMember } from '../../user/profile.js';
import { GENDER, USER_STATE } from '../../user/user.enums.js';
import { choice, type EntryOf, type Fields, flag, Message, moment, part, parts, text } from '../document/field.js';
import { idOf, ownId } from './ids.js';
import { PASSKEY } from './passkey.message.js';

export type WireState = ValueOf<typeof USER_STATE>;

const NAME = { max: 200 };
const URL = { max: 2_000 };
export const ADDRESS = new Message({
  formatted: text(1, { max: 1_000 }),
  streetAddress: text(2, NAME),
  locality: text(3, NAME),
  region: text(4, NAME),
  postalCode: text(5, NAME),
  country: text(6, NAME),
});
export const PROFILE = new Message(
  {
    firstName: text(1, { min: 1, max: 200 }),
    lastName: text(2, { min: 1, max: 200 }),
    nickName: text(3, NAME),
    displayName: text(4, NAME),
    preferredLanguage: text(5, { max: 10 }),
    gender: choice(6, GENDER),
    middleName: text(100, NAME),
    profileUrl: text(101, URL),
    pictureUrl: text(102, URL),
    website: text(103, URL),
    birthdate: text(104, { max: 10 }),
    zoneinfo: text(105, { max: 64 }),
    address: part(106, ADDRESS),
  } satisfies Readonly<Record<ProfileMember, Fields[string]>>,
  ['firstName', 'lastName'],
);
const PROVIDER = new Message(
  { configId: idOf(1), externalUserId: text(2, { min: 1, max: 200 }), displayName: text(3, NAME) },
  ['configId', 'externalUserId'],
);
/** Earlier versions of the described system wrote the algorithm as well; the hash itself states it. */
const HASHED_PASSWORD = new Message({ value: text(1) }, [], { ignored: ['algorithm'] });
export const HUMAN = new Message(
  {
    userName: text(1, { min: 1, max: 200 }),
    profile: part(2, PROFILE),
    email: part(
      3,
      new Message({ email: text(1, { max: 200 }), isEmailVerified: flag(2), mayStayUnverified: flag(100) }),
    ),
    phone: part(4, new Message({ phone: text(1, { max: 50 }), isPhoneVerified: flag(2) })),
    password: text(5, { max: MAX_PASSWORD_CHARACTERS }),
    hashedPassword: part(6, HASHED_PASSWORD),
    passwordChangeRequired: flag(7),
    requestPasswordlessRegistration: flag(8),
    otpCode: text(9, { max: 200 }),
    idps: parts(10, PROVIDER, 20),
    recoveryCodes: parts(11, new Message({ raw: text(1, NAME), hash: text(2) }), 32),
    otpEmail: flag(100),
    passwordChanged: moment(101),
    hasKeys: flag(102),
    passkeys: parts(103, PASSKEY, MOST_KEYS),
  },
  ['userName', 'profile'],
);

export type Human = EntryOf<typeof HUMAN.fields>;

/** An entry of `humanUsers`. */
export const HUMAN_USER = new Message(
  { userId: ownId(1), user: part(2, HUMAN), state: choice(3, USER_STATE), awaitsSetUp: flag(100) },
  ['user'],
);
