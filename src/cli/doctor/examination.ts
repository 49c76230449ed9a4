import type { Config } from '../../foundation/config/config.js';
import { ConfigError } from '../../foundation/config/environment.js';
import { loadConfig } from '../../foundation/config/load-config.js';
import { CommandError } from '../command/command-error.js';
import { onDatabase } from '../command/on-database.js';
import { examineDatabase } from './database-findings.js';
import type { Finding } from './finding.js';
import { examineMail } from './mail-findings.js';
import { examineWay } from './way-findings.js';

/** Everything that can be examined; what one part finds does not keep the others from being examined. */
export async function examine(signal: AbortSignal): Promise<Finding[]> {
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((finding) => ({ state: 'wrong', subject: 'settings', finding }));
  }
  const findings = await Promise.all([onTheDatabase(config), examineWay(config, signal)]);
  return [...ofSettings(config), ...findings.flat()];
}

function ofSettings({ issuer, http, misspellings }: Config): Finding[] {
  const subject = 'settings';
  const findings: Finding[] = misspellings.map((finding) => ({ state: 'wrong', subject, finding }));
  if (!issuer.production)
    findings.push({
      state: 'note',
      subject,
      finding: 'This is development.',
      remedy: 'Set NODE_ENV=production for real accounts.',
    });
  if (issuer.isHttps && http.trustedProxies.length === 0)
    findings.push({
      state: 'wrong',
      subject,
      finding:
        'PUBLIC_URL is https, so TLS ends at a proxy, but TRUSTED_PROXIES is empty: all users share the address of the proxy in the limits on guessing.',
      remedy: 'Set TRUSTED_PROXIES to the address of the proxy, and let the proxy set X-Forwarded-For.',
    });
  return findings.length > 0 ? findings : [{ state: 'fine', subject, finding: 'Every setting is valid.' }];
}

/** E-mail as well: the database says which mail server is in use. */
async function onTheDatabase(config: Config): Promise<Finding[]> {
  try {
    return await onDatabase(
      async (services) => [...(await examineDatabase(services)), ...(await examineMail(config, services))],
      { readsOnly: true },
    );
  } catch (error) {
    if (error instanceof CommandError)
      return [{ state: 'wrong', subject: 'database', finding: error.message }, ...(await examineMail(config))];
    throw error;
  }
}
