import { type DraftOf, type EntryOf, type Fields, Message } from '../document/field.js';
import { API_APP, OIDC_APP } from '../part/client.message.js';
import { USER_GRANT } from '../part/grant.part.js';
import { GROUP, GROUP_GRANT, GROUP_MEMBER } from '../part/group.part.js';
import { HUMAN_USER } from '../part/human.message.js';
import { OIDC_IDP } from '../part/idp.part.js';
import { LOGIN_POLICY } from '../part/login-policy.part.js';
import { MACHINE_USER } from '../part/machine.part.js';
import { USER_METADATA } from '../part/metadata.part.js';
import { ORG } from '../part/org.part.js';
import { DOMAIN_POLICY, LOCKOUT_POLICY, PASSWORD_COMPLEXITY_POLICY } from '../part/policy.part.js';
import { PROJECT, PROJECT_ROLE } from '../part/project.part.js';

/**
 * The output of conversions, in the fields by which the import reads it and in our own words: `active`, not the name of
 * an enumeration on the wire.
 */

/** Members of an organization that are objects. */
const SINGLE = {
  domainPolicy: DOMAIN_POLICY,
  passwordComplexityPolicy: PASSWORD_COMPLEXITY_POLICY,
  lockoutPolicy: LOCKOUT_POLICY,
  loginPolicy: LOGIN_POLICY,
};
/** Members that are lists, each with what one of its entries is. */
const LISTED = {
  projects: PROJECT,
  projectRoles: PROJECT_ROLE,
  oidcIdps: OIDC_IDP,
  oidcApps: OIDC_APP,
  apiApps: API_APP,
  machineUsers: MACHINE_USER,
  humanUsers: HUMAN_USER,
  userGrants: USER_GRANT,
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
