import type { Secret, SettingsReader } from 'gatehouse';

export class BadgeSettings {
  /** With which badges are signed. */
  constructor(readonly key: Secret) {}
}

/** Reads BADGE_KEY, once at the start. */
export function readSettings(env: SettingsReader): BadgeSettings {
  const remedy = 'Give 32 random characters or more: openssl rand -base64 32.';
  const key = env.required('BADGE_KEY', env.secret('BADGE_KEY'), remedy);
  if (key && key.reveal().length < 32) env.mistake(`BADGE_KEY is too short. ${remedy}`);
  return new BadgeSettings(key);
}
