/** The resources of the administrative API, in the order in which Swagger UI shows them: the order of setting up an instance. */
export const TAGS = {
  Instance: 'The instance itself, its default organization and its languages.',
  Organizations: 'Organizations and their domains.',
  Users: 'Human users and service users alike: search, get, lock, deactivate, remove, metadata.',
  'Human users': 'Human users: create, import, profile, e-mail address, phone number, password, second factors.',
  'Service users': 'Service users (programs) and their secrets, keys and personal access tokens.',
  Projects: 'Projects and their roles.',
  Applications: 'Clients of a project: OpenID Connect and API applications, their secrets and keys.',
  'Project grants': 'Projects granted to other organizations.',
  'User grants': 'The roles that users hold on projects.',
  Members: 'Users with manager roles on the instance, organizations, projects and project grants.',
  'Login policy': 'How users may sign in.',
  Policies: 'Lockout, passwords, privacy, appearance, notifications and domains.',
  'Identity providers': 'Sign-in through external OpenID Connect and JWT providers.',
  'Message texts': 'The texts of the messages that the service sends.',
  'Login texts': 'The texts of the login pages.',
  'E-mails': 'The delivery state of the e-mails that the service sends.',
  'Signing keys': 'The keys that sign tokens.',
  Events: 'The audit log of all changes.',
  Migration: 'Export and import of organizations.',
  'My account': 'The calling user, their permissions and memberships.',
  Health: 'Health checks.',
} as const;

export type Tag = keyof typeof TAGS;
