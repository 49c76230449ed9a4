import { settings } from 'gatehouse';

export class SamlSettings {
  constructor(
    /** Whether assertions may go to other machines over plain http, where nobody else reads along. */
    readonly allowHttp: boolean,
  ) {}
}

export const samlSettings = settings(
  SamlSettings,
  (env) => new SamlSettings(env.oneOf('SAML_ALLOW_HTTP', ['true', 'false']) === 'true'),
);
