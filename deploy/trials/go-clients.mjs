/* Clients in Go that are not ours: the device example of github.com/zitadel/oidc, unchanged, and its library for token exchange. See README.md. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { claimsIn, Stage } from './races/stage.mjs';

const VERSION = process.env.OIDC_VERSION ?? 'v3.51.17';
const MODULE = 'github.com/zitadel/oidc/v3';
const EXCHANGE = new URL('./go-clients/exchange.go', import.meta.url).pathname;
const BUILD_LIMIT_MS = 300_000;

await trial(async (machine) => {
  const [serverPort, port] = [machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(port, { DATABASE_URL: server.url });
  const stage = await Stage.open(service, service, server.url);
  const go = goIn(machine);

  go.run(['mod', 'init', 'trial']);
  go.run(['get', `${MODULE}@${VERSION}`, `${MODULE}/example/client/device@${VERSION}`]);
  go.run(['build', '-o', 'device', `${MODULE}/example/client/device`]);
  copyFileSync(EXCHANGE, join(go.folder, 'exchange.go'));
  go.run(['build', '-o', 'exchange', 'exchange.go']);

  promise(await signsIn(stage, go), 'the device example gets its tokens once a person has agreed, and renews them');

  const { clientId, clientSecret } = await stage.addWeb({
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_TOKEN_EXCHANGE'],
  });
  const client = { ISSUER: service.origin, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const [user, actor] = [await stage.visitor(0), await stage.visitor(1)];
  const subject = await stage.tokens(user, clientId, clientSecret);
  const acting = await stage.tokens(actor, clientId, clientSecret);
  const less = await go.use('exchange', { ...client, SUBJECT_TOKEN: subject.access_token });
  const userId = claimsIn(subject.id_token).sub;
  promise(less.includes(`active=true sub=${userId} act= `), `a token is exchanged for the same user: ${less}`);

  const both = { ...client, SUBJECT_TOKEN: subject.access_token, ACTOR_TOKEN: acting.access_token };
  const refused = await go.use('exchange', both);
  promise(
    /invalid_request|invalid_grant|access_denied|unauthorized_client/.test(refused),
    `nobody acts for others unasked: ${refused}`,
  );
  await stage.api.call('PUT', '/admin/v1/policies/security', { enableImpersonation: true });
  await stage.api.call('POST', '/management/v1/orgs/me/members', {
    userId: claimsIn(acting.id_token).sub,
    roles: ['ORG_END_USER_IMPERSONATOR'],
  });
  const acted = await go.use('exchange', both);
  promise(
    acted.includes(`active=true sub=${userId} act=${claimsIn(acting.id_token).sub} `),
    `somebody with the role acts for the user, and both are named: ${acted}`,
  );
});

async function signsIn(stage, go) {
  const { clientId } = await stage.addApp({
    redirectUris: [],
    grantTypes: ['OIDC_GRANT_TYPE_DEVICE_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    appType: 'OIDC_APP_TYPE_NATIVE',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
  });
  const scopes = 'openid profile offline_access';
  const device = go.start('device', { ISSUER: stage.first.origin, CLIENT_ID: clientId, SCOPES: scopes });
  const shown = () => /browse to (\S+) and enter code (\S+)/.exec(device.text);
  await until(
    () => shown() || device.child.exitCode !== null,
    () => 'the code of the device',
  );
  if (!shown()) throw new Error(device.text);
  const visitor = await stage.visitor(0);
  await stage.decide(visitor, await stage.confirmation(visitor, { user_code: shown()[2] }), 'continue');
  if (device.child.exitCode === null) await once(device.child, 'exit');
  if (device.child.exitCode !== 0) console.error(device.text);
  return device.child.exitCode === 0;
}

/** Go in a folder of the trial. */
function goIn(machine) {
  const folder = join(machine.folder, 'go');
  mkdirSync(folder);
  const ours = { uid: process.getuid?.(), gid: process.getgid?.() };
  return {
    folder,
    run: (args) => machine.run('go', args, { ...ours, cwd: folder, timeout: BUILD_LIMIT_MS }),
    start: (program, env) => machine.start(join(folder, program), [], { env, asOurselves: true }),
    async use(program, env) {
      const used = this.start(program, env);
      await once(used.child, 'exit');
      return used.text.trim();
    },
  };
}
