/** The resources of the administrative API, in the order in which Swagger UI shows them: as one sets an instance up. */
export const TAGS = {
  Instance: 'The instance itself: its default organization, its languages.',
  Organizations: 'Organizations and their domains.',
  Users: 'People and service users alike: find, look at, lock, deactivate, remove, metadata.',
  People: 'People: create, import, profile, e-mail, phone, password.',
  'Service users': 'Users that are programs, and their secrets, keys and personal access tokens.',
  Projects: 'Projects and their roles.',
  Applications: 'Clients of a project: OpenID Connect and API applications, their secrets and keys.',
  'Project grants': 'Projects lent to other organizations.',
  'User grants': 'Who holds which roles of a project.',
  Managers: 'Who may administer what.',
  'Login policy': 'On which terms people sign in.',
  Policies: 'Lockout, passwords, privacy, appearance and domains.',
  'Identity providers': 'Sign-in through a company or a social network.',
  'Message texts': 'The texts of messages that the service sends.',
  'Login texts': 'The texts of the login pages.',
  Mails: 'What became of the mails that the service sends.',
  'Signing keys': 'The keys that sign tokens.',
  Events: 'The journal of every change.',
  Migration: 'Organizations out of one instance and into another.',
  'Own account': 'What the caller is and may do.',
  Health: 'Whether the service answers.',
} as const;

export type Tag = keyof typeof TAGS;
