import { bytes, type DraftOf, type EntryOf, type Fields, Message, text } from '../document/field.js';
import { API_APP, OIDC_APP } from '../part/client.message.js';
import { EXTENSION_APP } from '../part/ext-app.part.js';
import { PROJECT_GRANT, USER_GRANT } from '../part/grant.part.js';
import { GROUP, GROUP_GRANT, GROUP_MEMBER } from '../part/group.part.js';
import { HUMAN_USER } from '../part/human.message.js';
import { EXTENSION_IDP, JWT_IDP, OIDC_IDP } from '../part/idp.part.js';
import { APP_KEY, MACHINE_KEY } from '../part/key.part.js';
import { LABEL_POLICY } from '../part/label.part.js';
import { USER_LINK } from '../part/link.part.js';
import { LOGIN_POLICY } from '../part/login-policy.part.js';
import { MACHINE_USER } from '../part/machine.part.js';
import { ORG_MEMBER, PROJECT_GRANT_MEMBER, PROJECT_MEMBER } from '../part/member.part.js';
import { USER_METADATA } from '../part/metadata.part.js';
import { DOMAIN, ORG } from '../part/org.part.js';
import {
  DOMAIN_POLICY,
  LOCKOUT_POLICY,
  NOTIFICATION_POLICY,
  PASSWORD_AGE_POLICY,
  PASSWORD_COMPLEXITY_POLICY,
  PRIVACY_POLICY,
} from '../part/policy.part.js';
import { PROJECT, PROJECT_ROLE } from '../part/project.part.js';
import { LOGIN_TEXT } from '../part/text.part.js';

/**
 * The output of conversions, in the fields by which the import reads it and in our own words: `active`, not the name of
 * an enumeration on the wire.
 */

/** A message of any kind, and in any length: the import knows the limits of each. */
const MESSAGE_TEXT = new Message({
  language: text(1),
  title: text(2),
  preHeader: text(3),
  subject: text(4),
  greeting: text(5),
  text: text(6),
  buttonText: text(7),
  footerText: text(8),
});

/** Members of an organization that are objects. */
const SINGLE = {
  domainPolicy: DOMAIN_POLICY,
  passwordComplexityPolicy: PASSWORD_COMPLEXITY_POLICY,
  lockoutPolicy: LOCKOUT_POLICY,
  loginPolicy: LOGIN_POLICY,
  passwordAgePolicy: PASSWORD_AGE_POLICY,
  notificationPolicy: NOTIFICATION_POLICY,
  privacyPolicy: PRIVACY_POLICY,
  labelPolicy: LABEL_POLICY,
};
/** Members that are lists, each with what one of its entries is. */
const LISTED = {
  domains: DOMAIN,
  orgMetadata: new Message({ key: text(1), value: bytes(2) }),
  projects: PROJECT,
  projectRoles: PROJECT_ROLE,
  oidcIdps: OIDC_IDP,
  jwtIdps: JWT_IDP,
  extensionIdps: EXTENSION_IDP,
  oidcApps: OIDC_APP,
  apiApps: API_APP,
  extensionApps: EXTENSION_APP,
  appKeys: APP_KEY,
  machineUsers: MACHINE_USER,
  machineKeys: MACHINE_KEY,
  humanUsers: HUMAN_USER,
  userLinks: USER_LINK,
  loginTexts: LOGIN_TEXT,
  initMessages: MESSAGE_TEXT,
  passwordResetMessages: MESSAGE_TEXT,
  verifyEmailMessages: MESSAGE_TEXT,
  verifyPhoneMessages: MESSAGE_TEXT,
  domainClaimedMessages: MESSAGE_TEXT,
  passwordlessRegistrationMessages: MESSAGE_TEXT,
  verifySmsOtpMessages: MESSAGE_TEXT,
  verifyEmailOtpMessages: MESSAGE_TEXT,
  inviteUserMessages: MESSAGE_TEXT,
  passwordChangeMessages: MESSAGE_TEXT,
  projectGrants: PROJECT_GRANT,
  userGrants: USER_GRANT,
  orgMembers: ORG_MEMBER,
  projectMembers: PROJECT_MEMBER,
  projectGrantMembers: PROJECT_GRANT_MEMBER,
  groups: GROUP,
  groupMembers: GROUP_MEMBER,
  groupGrants: GROUP_GRANT,
  userMetadata: USER_METADATA,
};

type Single = keyof typeof SINGLE;
export type ListName = keyof typeof LISTED;
type DraftIn<M> = M extends Message<infer F> ? DraftOf<EntryOf<F>> : never;

/** An entry of a list: `Entry<'oidcApps'>`. */
export type Entry<List extends ListName> = DraftIn<(typeof LISTED)[List]>;
export type ConvertedPolicies = { readonly [Name in Single]?: DraftIn<(typeof SINGLE)[Name]> | undefined };
/** Lists that are short enough to be in memory. */
export type ShortLists = { readonly [Name in ListName]?: ReadonlyArray<Entry<Name>> };
/** A list that is read while it is written. */
export type LongList = {
  [Name in ListName]: readonly [name: Name, entries: () => AsyncIterable<Entry<Name>>];
}[ListName];
export type About = DraftIn<typeof ORG> & { readonly orgId: string };

/** An organization of the document. */
export interface ConvertedOrg {
  readonly about: About;
  readonly policies: ConvertedPolicies;
  readonly shortLists: ShortLists;
  readonly longLists: readonly LongList[];
  /** Rows of extensions, by extension and table, as docs/migration.md describes them. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>> | undefined;
}

/** Drafts in the spelling of the document: members with their usual values are omitted. */
export const toWire = {
  about: (about: About): object => write(ORG, about),
  policy: (name: Single, policy: object): object => write(SINGLE[name], policy),
  entry: (list: ListName, entry: object): object => write(LISTED[list], entry),
};

/** Writes a draft, leaving out what is absent. The types above pair each message with its own drafts. */
function write(message: object, draft: object): object {
  return (message as Message<Fields>).write(draft);
}

export const POLICY_NAMES = Object.keys(SINGLE) as readonly Single[];
export const LIST_NAMES = Object.keys(LISTED) as readonly ListName[];
