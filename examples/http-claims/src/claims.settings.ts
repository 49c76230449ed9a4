import type { Secret, SettingsReader } from 'gatehouse';

export class ClaimsSettings {
  constructor(
    readonly url: URL,
    readonly key: Secret,
    /** By which applications request the claims. */
    readonly scope: string,
    /** The names of all claims that the service may say. */
    readonly claims: readonly string[],
    readonly timeoutMs: number,
    /** Questions at the same time, from each process. */
    readonly atOnce: number,
  ) {}
}

/** Reads HTTPCLAIMS_URL and its siblings, once at the start. */
export function readSettings(env: SettingsReader): ClaimsSettings {
  const claims = env.list('HTTPCLAIMS_CLAIMS');
  if (claims.length === 0) env.mistake('HTTPCLAIMS_CLAIMS is missing. Name the claims, with commas between them.');
  return new ClaimsSettings(
    env.required('HTTPCLAIMS_URL', env.url('HTTPCLAIMS_URL'), 'Give the URL of the service that says the claims.'),
    env.required('HTTPCLAIMS_KEY', env.secret('HTTPCLAIMS_KEY'), 'Give the key of that service.'),
    env.required('HTTPCLAIMS_SCOPE', env.text('HTTPCLAIMS_SCOPE'), 'Give the scope that leads to the claims.'),
    claims,
    env.whole('HTTPCLAIMS_TIMEOUT_MS', { from: 50, to: 2_000 }) ?? 300,
    env.whole('HTTPCLAIMS_AT_ONCE', { from: 1, to: 1_000 }) ?? 50,
  );
}
