import type { SettingsReader } from 'gatehouse';

/** Where the terms can be read, and which ones they are: another version has to be accepted again. */
export class TermsSettings {
  constructor(
    readonly url: string,
    readonly version: string,
  ) {}
}

/** Reads TERMS_URL and TERMS_VERSION, once at the start. */
export function readSettings(env: SettingsReader): TermsSettings {
  const url = env.required('TERMS_URL', env.url('TERMS_URL'), 'Give the https URL of your terms of use.');
  if (url && url.protocol !== 'https:') env.mistake('TERMS_URL is without encryption. Give an https URL.');
  return new TermsSettings(String(url), env.text('TERMS_VERSION') ?? '1');
}
