import type { Secret, SettingsReader } from 'gatehouse';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export class ClaimsSettings {
  constructor(
    readonly url: URL,
    readonly key: Secret,
    /** By which applications request the claims. */
    readonly scope: string,
    /** The names of all claims that the service may provide. */
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
  const url = env.url('HTTPCLAIMS_URL');
  if (url && (url.username || url.password))
    env.mistake('HTTPCLAIMS_URL contains credentials. Give the key in HTTPCLAIMS_KEY.');
  // The key and the ids of users travel there.
  if (url && url.protocol !== 'https:' && !LOOPBACK.includes(url.hostname))
    env.mistake('HTTPCLAIMS_URL must begin with https://, except on this machine.');
  return new ClaimsSettings(
    env.required('HTTPCLAIMS_URL', url, 'Give the URL of the service that provides the claims.'),
    env.required('HTTPCLAIMS_KEY', env.secret('HTTPCLAIMS_KEY'), 'Give the key of that service.'),
    env.required('HTTPCLAIMS_SCOPE', env.text('HTTPCLAIMS_SCOPE'), 'Give the scope that leads to the claims.'),
    claims,
    env.whole('HTTPCLAIMS_TIMEOUT_MS', { from: 50, to: 2_000 }) ?? 300,
    env.whole('HTTPCLAIMS_AT_ONCE', { from: 1, to: 1_000 }) ?? 50,
  );
}
