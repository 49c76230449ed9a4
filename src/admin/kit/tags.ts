/**
 * The groups of the administrative API, in the sections under which Swagger UI shows them and in the order in which one
 * sets up an instance. A group has at most 40 operations, so that it can be looked through; the texts of messages,
 * eighty operations that differ in little, are therefore three groups.
 */
export const SECTIONS = {
  Start: {
    Instance: 'The instance itself, its default organization and its languages.',
    Organizations: 'Organizations and their domains.',
  },
  People: {
    Users: 'Human users and service users alike: search, get, lock, deactivate, remove, sessions, metadata.',
    'Human users': 'Human users: create, import, profile, e-mail address, phone number, password, second factors.',
    Groups: 'Users of an organization under one name. Roles are granted to them under User grants.',
    'Service users': 'Service users (programs) and their secrets, keys and personal access tokens.',
  },
  Applications: {
    Projects: 'Projects and their roles.',
    Applications: 'Clients of a project: OpenID Connect and API applications, their secrets and keys.',
    'Project grants': 'Projects granted to other organizations.',
    'User grants': 'The roles that users hold on projects, by themselves or as members of groups.',
    Members: 'Users with manager roles on the instance, organizations, projects and project grants.',
  },
  Security: {
    'Login policy': 'How users may sign in: password, second factors, identity providers, lifetimes.',
    'Password and lockout policies':
      'What a password must contain, when it expires, and after how many attempts a user is locked.',
    'Self-service': 'What users may change about their own account, and whether they may delete it.',
    'Security policy': 'Whether users may act for other users, by exchanging tokens.',
    'Domain policy': 'Whether login names end with the domain of the organization.',
    'Identity providers': 'Sign-in through external OpenID Connect and JWT providers.',
    'Identity providers of vendors':
      'Sign-in through Google, Microsoft, GitHub, GitLab, Apple and plain OAuth 2.0, by the extension `social`.',
    'Signing keys': 'The keys that sign tokens, and how long tokens live.',
  },
  'Look and texts': {
    Appearance:
      'Colors, logo and icon of the login pages and e-mails. Changes go to a preview, which is then activated.',
    'Logo and icon files': 'Logos and icons, uploaded and downloaded as files.',
    'Login texts': 'The texts of the login pages.',
    'E-mail texts of the instance': 'The texts of the e-mails that the service sends, for all organizations.',
    'E-mail texts of organizations': 'The texts of the e-mails that the service sends, for one organization.',
    'SMS texts': 'The texts of the messages to phones, of the instance and of organizations.',
    'Privacy and notifications': 'Links to terms and privacy statements, and which changes users are notified of.',
  },
  'Second generation': {
    'Instance v2': 'The instance of this service, and its domains.',
    'Features v2': 'The switches of the described system, as this service behaves.',
    'Signing keys v2': 'The keys that sign tokens.',
    'Settings v2': 'Settings as they apply to an organization, and those of the instance.',
    'Users v2': 'Human users and service users. Requests name the user, of any organization.',
    'Groups v2': 'Groups of users. Requests name the group, of any organization.',
    'User contact v2': 'E-mail addresses, phone numbers and metadata of users. Requests name the user.',
    'User credentials v2':
      'Passwords of human users; secrets, keys and personal access tokens of service users. Requests name the user.',
    'User factors v2':
      'How users sign in: linked accounts, passkeys, security keys, second factors, invitations. Requests name the user.',
    'Identity providers v2': 'Identity providers of the instance and of organizations. Requests name the provider.',
    'Organizations v2': 'Organizations, their domains and metadata. Requests name the organization.',
    'Projects v2': 'Projects, their roles and grants. Requests name the project, of any organization.',
    'Authorizations v2': 'The roles that users hold on projects. Requests name the authorization, of any organization.',
    'Administrators v2': 'Users with manager roles on the instance, organizations, projects and project grants.',
    'Applications v2':
      'Applications of all kinds, and the keys with which they authenticate. Requests name the application, of any organization.',
  },
  Operation: {
    'E-mails': 'How the service sends e-mails (mail servers, SMTP), and what became of them.',
    'E-mail providers': 'The mail servers once more, under the newer name of the described API.',
    'Logout notices': 'Which applications were told that a session has ended (back-channel logout).',
    Webhooks: 'Addresses of other services that receive events, and their deliveries.',
    Events: 'The audit log of all changes.',
    Configuration: 'Policies, projects, applications and the like as one document: read, planned, applied, taken back.',
    Migration: 'Export and import of organizations.',
    'My account': 'The calling user, their permissions and memberships.',
    'My sign-in': 'What signs the calling user in: password, passkeys, security keys, second factors, linked accounts.',
    Health: 'Health checks.',
  },
} as const satisfies Record<string, Record<string, string>>;

type Section = (typeof SECTIONS)[keyof typeof SECTIONS];
type KeysOf<Groups> = Groups extends unknown ? keyof Groups : never;

export type Tag = KeysOf<Section>;

/** Each group with its description. */
export const TAGS = Object.assign({}, ...Object.values(SECTIONS)) as Readonly<Record<Tag, string>>;

/** The heading of the operations of an extension. */
export function extTagOf(id: string): string {
  return `Extension ${id}`;
}
