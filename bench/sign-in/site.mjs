import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '../host/child.mjs';
import { environmentOf } from '../host/site.mjs';

const PROGRAM = new URL('../../dist/main.js', import.meta.url).pathname;
const CLIENT_ID = 'bench-web';

/**
 * A service on a database of its own.
 * @param {{ database: import('../host/database.mjs').BenchDatabase, folder: string, port: number, limits: 'on' | 'off' }} order
 */
export async function startSite({ database, folder, port, limits }) {
  const url = await database.create('bench_sign_in');
  const dataDir = join(folder, 'data');
  const env = {
    ...environmentOf(url, dataDir, port),
    LOGIN_LIMITS: limits,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
    IMPORTED_HASH_MS: '1000',
  };
  const service = await startChild({
    name: 'our service',
    program: PROGRAM,
    nodeArgs: ['--max-semi-space-size=4'],
    env,
    ready: /Ready in/,
  });
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim();
  const origin = env.PUBLIC_URL;
  return { origin, url, service, clientId: CLIENT_ID, bring: (orgs) => bring(origin, token, orgs) };
}

async function bring(origin, token, orgs) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${origin}/admin/v1/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ dataOrgs: { orgs } }),
  });
  if (reply.status !== 200) throw new Error(`import: ${reply.status} ${await reply.text()}`);
}

/** An organization of people by their user names, each with a hash. Login names are at `{orgId}.test`. */
export function orgOf(orgId, people, { hasClient = false } = {}) {
  const humanUsers = people.map(({ userName, hash }) => ({
    userId: `${orgId}-${userName}`,
    state: 'USER_STATE_ACTIVE',
    user: {
      userName,
      profile: { firstName: 'F', lastName: 'L' },
      email: { email: `${userName}@mail.test`, isEmailVerified: true },
      hashedPassword: { value: hash },
    },
  }));
  const project = {
    projects: [{ projectId: `${orgId}-project`, project: { name: 'Bench' } }],
    oidcApps: [
      {
        appId: `${orgId}-web`,
        clientId: CLIENT_ID,
        app: {
          projectId: `${orgId}-project`,
          name: 'Web',
          redirectUris: ['http://127.0.0.1/callback'],
          responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
          grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
          appType: 'OIDC_APP_TYPE_USER_AGENT',
          authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
          devMode: true,
        },
      },
    ],
  };
  return {
    orgId,
    org: { name: orgId },
    domains: [{ domainName: `${orgId}.test`, isVerified: true, isPrimary: true }],
    ...(hasClient ? project : {}),
    humanUsers,
  };
}
