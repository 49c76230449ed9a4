import { settings } from 'gatehouse';

/** Whose word on e-mail addresses is believed. */
export type EmailTrust = 'domains' | 'always' | 'never';

export class ScimSettings {
  constructor(
    /** Verified are addresses at verified domains of the organization, all that a directory says, or none. */
    readonly emailVerified: EmailTrust,
    /** Whether new users without a password get a mail with which they set their account up. */
    readonly invites: boolean,
  ) {}
}

export const scimSettings = settings(
  ScimSettings,
  (env) =>
    new ScimSettings(
      env.oneOf('SCIM_EMAIL_VERIFIED', ['domains', 'always', 'never']) ?? 'domains',
      env.oneOf('SCIM_INVITE', ['true', 'false']) === 'true',
    ),
);
