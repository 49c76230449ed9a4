import type { Secret, SettingsReader } from 'gatehouse';

export class MailSettings {
  constructor(
    /** Where mails are sent to. */
    readonly url: URL,
    readonly key: Secret,
  ) {}
}

/** Reads HTTPMAIL_URL and HTTPMAIL_KEY, once at the start. What is wrong is reported together with all other settings. */
export function readSettings(env: SettingsReader): MailSettings {
  return new MailSettings(
    env.required('HTTPMAIL_URL', env.url('HTTPMAIL_URL'), 'Give the URL of the API that sends mails.'),
    env.required('HTTPMAIL_KEY', env.secret('HTTPMAIL_KEY'), 'Give the key of that API.'),
  );
}
