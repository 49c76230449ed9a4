import { type EventMember, isExtType } from '../extension/ext-event.js';

/** What a member of a payload is, in the words of extensions; with a question mark where it is not always there. */
export type CarriedMember = EventMember | `${EventMember}?`;

/** A type of event that others may rely on: extensions, and webhooks. */
export interface PublicEvent {
  readonly type: string;
  /** The version of the product that had it first. */
  readonly since: string;
  /** Whether it is about an organization and what it owns, or about the instance. */
  readonly level: 'org' | 'instance';
  /** What has happened, and what `aggregateId` is the id of. */
  readonly says: string;
  /**
   * The members of the payload that leave the service: ids, keys and roles. Names, addresses and other personal data
   * are never among them: receivers that need them ask the API.
   */
  readonly carries: Readonly<Record<string, CarriedMember>>;
}

type Entry = readonly [type: string, says: string, carries?: PublicEvent['carries']];

const SINCE = '0.1.0';

const ABOUT_ORGS: readonly Entry[] = [
  ['org.added', 'An organization was created.'],
  ['org.changed', 'An organization was renamed.'],
  ['org.deactivated', 'An organization was deactivated.'],
  ['org.reactivated', 'An organization was activated again.'],
  ['org.removed', 'An organization was removed with all that it owned. Its own webhooks went with it.'],
  [
    'org.configuration.applied',
    'A configuration file was applied, which changed settings of an organization.',
    { commit: 'text', changes: 'number' },
  ],
  ['org.domain.added', 'An organization got another domain.'],
  ['org.domain.verified', 'A domain of an organization was verified.'],
  ['org.domain.removed', 'A domain of an organization was removed.'],
  ['org.domain.primary.set', 'An organization chose its primary domain.'],
  ['org.metadata.set', 'Metadata of an organization was set.'],
  ['org.metadata.removed', 'Metadata of an organization was removed.'],
  ['org.member.added', 'A user became a manager of an organization.', { userId: 'text', roles: 'texts' }],
  ['org.member.changed', 'The roles of a manager of an organization changed.', { userId: 'text', roles: 'texts' }],
  ['org.member.removed', 'A user is no longer a manager of an organization.', { userId: 'text' }],
  ['org.member.cascade.removed', 'The same, because the user was removed.', { userId: 'text' }],

  ['user.human.added', 'A human user was created by an administrator, an import or a registration.'],
  ['user.service.added', 'A service user was created.'],
  ['user.username.changed', 'A user got another user name.'],
  [
    'user.domain.claimed',
    'A user got a temporary user name, because the domain of the old one belongs to another organization now.',
  ],
  ['user.human.profile.changed', 'The names or the language of a human user changed.'],
  ['user.human.email.changed', 'The e-mail address of a human user was changed.'],
  ['user.human.email.verified', 'The e-mail address of a human user was verified.'],
  ['user.human.phone.changed', 'The phone number of a human user was changed.'],
  ['user.human.phone.removed', 'The phone number of a human user was removed.'],
  ['user.human.password.changed', 'The password of a human user was changed.'],
  ['user.human.initialization.check.succeeded', 'A human user has finished the set-up of the account.'],
  ['user.service.changed', 'The name or description of a service user changed.'],
  ['user.state.active', 'A user was activated or unlocked.'],
  ['user.state.initial', 'A user whose account was never set up was activated or unlocked: it waits for that again.'],
  ['user.state.inactive', 'A user was deactivated.'],
  ['user.state.locked', 'A user was locked, by a manager or after too many wrong attempts.'],
  ['user.removed', 'A user was removed.'],
  ['user.cascade.removed', 'A user was removed with the organization.'],
  ['user.tokens.ended', 'All tokens of a user were ended.'],
  ['user.metadata.set', 'Metadata of a user was set.'],
  ['user.metadata.removed', 'Metadata of a user was removed.'],
  ['user.human.mfa.otp.verified', 'A human user has set up an authenticator app.'],
  ['user.human.mfa.otp.removed', 'The authenticator app of a human user was removed.'],
  ['user.human.otp.email.added', 'A human user has set up codes by e-mail as a second factor.'],
  ['user.human.otp.email.removed', 'Codes by e-mail are no longer a second factor of a human user.'],
  ['user.human.passwordless.token.added', 'A human user has added a passkey.'],
  ['user.human.passwordless.token.removed', 'A passkey of a human user was removed.'],
  ['user.human.mfa.u2f.token.added', 'A human user has added a security key.'],
  ['user.human.mfa.u2f.token.removed', 'A security key of a human user was removed.'],
  [
    'user.human.externalidp.added',
    'A human user was linked to an account at an identity provider.',
    { idpConfigId: 'text' },
  ],
  ['user.human.externalidp.removed', 'Such a link was removed.', { idpConfigId: 'text' }],
  [
    'user.signed_in',
    'An application received tokens for a human user by a grant of an extension.',
    { clientId: 'text', grantType: 'text' },
  ],
  ['user.service.key.added', 'A service user got a key.', { keyId: 'text' }],
  ['user.service.key.removed', 'A key of a service user was removed.', { keyId: 'text' }],
  ['user.personal_access_token.added', 'A service user got a personal access token.', { tokenId: 'text' }],
  ['user.personal_access_token.removed', 'A personal access token of a service user was removed.', { tokenId: 'text' }],

  [
    'user.grant.added',
    'A user got roles in a project.',
    { userId: 'text', projectId: 'text', projectGrantId: 'text?', roleKeys: 'texts' },
  ],
  [
    'group.grant.added',
    'All members of a group got roles in a project. `aggregateId` is that of a grant, as in what follows.',
    { groupId: 'text', projectId: 'text', projectGrantId: 'text?', roleKeys: 'texts' },
  ],
  ['user.grant.changed', 'The roles of a user or a group in a project changed.', { roleKeys: 'texts' }],
  ['user.grant.cascade.changed', 'The same, because a role of the project is gone.', { roleKeys: 'texts' }],
  ['user.grant.deactivated', 'The roles of a user or a group in a project were deactivated.'],
  ['user.grant.reactivated', 'The roles of a user or a group in a project were activated again.'],
  ['user.grant.removed', 'The roles of a user or a group in a project were removed.'],
  ['user.grant.cascade.removed', 'The same, because the user, the group, the project or its grant was removed.'],

  ['group.added', 'A group was created.'],
  ['group.changed', 'The name or description of a group changed.'],
  ['group.removed', 'A group was removed.'],
  ['group.cascade.removed', 'A group was removed with the organization.'],
  ['group.member.added', 'A user became a member of a group.', { userId: 'text' }],
  ['group.member.removed', 'A user is no longer a member of a group.', { userId: 'text' }],
  ['group.member.cascade.removed', 'The same, because the user was removed.', { userId: 'text' }],

  ['project.added', 'A project was created.'],
  ['project.changed', 'A project changed.'],
  ['project.deactivated', 'A project was deactivated.'],
  ['project.reactivated', 'A project was activated again.'],
  ['project.removed', 'A project was removed.'],
  ['project.cascade.removed', 'A project was removed with the organization.'],
  ['project.role.added', 'A project got a role.', { key: 'text' }],
  ['project.role.changed', 'The name or group of a role of a project changed.', { key: 'text' }],
  ['project.role.removed', 'A role of a project was removed.', { key: 'text' }],
  [
    'project.grant.added',
    'A project was granted to another organization.',
    { projectId: 'text', grantedOrgId: 'text', roleKeys: 'texts' },
  ],
  ['project.grant.changed', 'The roles of a project grant changed.', { roleKeys: 'texts' }],
  ['project.grant.cascade.changed', 'The same, because a role of the project is gone.', { roleKeys: 'texts' }],
  ['project.grant.deactivated', 'A project grant was deactivated.'],
  ['project.grant.reactivated', 'A project grant was activated again.'],
  ['project.grant.removed', 'A project grant was removed.'],
  ['project.grant.cascade.removed', 'A project grant was removed with the project or an organization.'],
  ['project.member.added', 'A user became a manager of a project.', { userId: 'text', roles: 'texts' }],
  ['project.member.changed', 'The roles of a manager of a project changed.', { userId: 'text', roles: 'texts' }],
  ['project.member.removed', 'A user is no longer a manager of a project.', { userId: 'text' }],

  ['client.oidc.added', 'An OpenID Connect application was created.', { clientId: 'text' }],
  ['client.api.added', 'An API application was created.', { clientId: 'text' }],
  ['client.extension.added', 'An application was created that an extension answers.', { clientId: 'text' }],
  ['client.settings.changed', 'The settings of an application changed.'],
  ['client.administration.changed', 'An owner of the instance decided whether an application may administer.'],
  ['client.secret.changed', 'An application got another secret.'],
  ['client.key.added', 'An application got a key.', { keyId: 'text' }],
  ['client.key.removed', 'A key of an application was removed.', { keyId: 'text' }],
  ['client.deactivated', 'An application was deactivated.'],
  ['client.reactivated', 'An application was activated again.'],
  ['client.removed', 'An application was removed.'],
  ['client.cascade.removed', 'An application was removed with its project or organization.'],

  ['session.signed_in', 'A user has signed in; `editorId` is the user.', { idpConfigId: 'text?' }],
  ['session.ended', 'A session has ended; `editorId` is who ended it.'],

  ['webhook.added', 'A webhook was added.'],
  ['webhook.changed', 'The URL or the types of a webhook changed.'],
  ['webhook.secret.changed', 'A webhook got another secret.'],
  [
    'webhook.deactivated',
    'A webhook was switched off: by a manager, by its receiver (`gone`), or after days of failures (`failing`).',
    { reason: 'text' },
  ],
  ['webhook.reactivated', 'A webhook was switched on again.'],
  ['webhook.removed', 'A webhook was removed.'],
];

const ABOUT_THE_INSTANCE: readonly Entry[] = [
  [
    'instance.configuration.applied',
    'A configuration file was applied, which changed settings of the instance or of several organizations.',
    { commit: 'text', changes: 'number' },
  ],
  ['instance.member.added', 'A user became a manager of the instance.', { userId: 'text', roles: 'texts' }],
  ['instance.member.changed', 'The roles of a manager of the instance changed.', { userId: 'text', roles: 'texts' }],
  ['instance.member.removed', 'A user is no longer a manager of the instance.', { userId: 'text' }],
  ['mail_server.added', 'An SMTP configuration was added.'],
  ['mail_server.changed', 'The server, the sender or the user of an SMTP configuration changed.'],
  ['mail_server.password.changed', 'An SMTP configuration got another password.'],
  ['mail_server.activated', 'All e-mails are sent through an SMTP configuration from now on.'],
  ['mail_server.deactivated', 'E-mails are not sent through an SMTP configuration any more.'],
  ['mail_server.removed', 'An SMTP configuration was removed.'],
  ['iam.data.exported', 'Organizations were exported.'],
  ['iam.data.imported', 'Organizations were imported. The import itself is one event, whatever it has added.'],
  ['key.added', 'A signing key was created.'],
  ['key.activated', 'A signing key has begun to sign.'],
  ['key.removed', 'A signing key was removed.'],
  [
    'instance.extension.loaded',
    'A version of an extension was loaded for the first time.',
    { extension: 'text', version: 'text' },
  ],
];

/**
 * The events of the journal that are public. Other types may change at any time, and those that strangers cause in any
 * number, such as refused sign-ins, are not public: a receiver could be flooded. `docs/events.md` is this list.
 */
export const PUBLIC_EVENTS: readonly PublicEvent[] = [...of('org', ABOUT_ORGS), ...of('instance', ABOUT_THE_INSTANCE)];

const byType = new Map(PUBLIC_EVENTS.map((event) => [event.type, event]));

export function publicEvent(type: string): PublicEvent | undefined {
  return byType.get(type);
}

/**
 * The part of the payload of an event that may leave the service. An event of an extension has no other members than
 * those that it has declared for that: they leave also when the extension is gone.
 */
export function carriedBy(type: string, payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (isExtType(type)) return payload;
  const carried = byType.get(type)?.carries ?? {};
  return Object.fromEntries(Object.entries(payload).filter(([name]) => Object.hasOwn(carried, name)));
}

function of(level: PublicEvent['level'], entries: readonly Entry[]): PublicEvent[] {
  return entries.map(([type, says, carries = {}]) => ({ type, since: SINCE, level, says, carries }));
}
