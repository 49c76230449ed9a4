// First start and test data of our service, made by its own services on a database that is up: `ours.mjs <algorithm>`.
// Prints `Seeded` and what the load generator must know, as JSON.

import { createPrivateKey } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { newAssertionKey } from './assertion-key.mjs';
import { certificateKeySet } from './certificate.mjs';
import { newPasskey } from './passkey.mjs';
import { hashWithoutWorkFactor, PEOPLE } from './password.mjs';

const built = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url).href);
const { createApplication } = await built('process/application');
const { ClientService } = await built('project/client/client.service');
const { loadConfig } = await built('foundation/config/load-config');
const { PasswordHash } = await built('foundation/password/password-hash');
const { Secret } = await built('foundation/config/secret');
const { connect } = await built('process/connect');
const { Database } = await built('foundation/database/database');
const { unprepared } = await built('foundation/database/statement');
const { InstanceService } = await built('org/instance/instance.service');
const { KeyService } = await built('token/key/key.service');
const { Memberships } = await built('user/permission/memberships');
const { ProjectService } = await built('project/project.service');
const { Clock } = await built('foundation/time/clock');
const { MachineKeys } = await built('user/machine-keys');
const { ServiceUserService } = await built('user/service-user.service');
const { toLoginName } = await built('user/user-name');
const { UserService } = await built('user/user.service');

const EDITOR = 'bench';
const REDIRECT_URI = 'http://127.0.0.1/callback';
const HTTPS_REDIRECT_URI = 'https://bench.example.com/callback';
const PASSWORD = 'Benchmark-password-1';
const PUBLISHED_MS = 3_600_000;

/** Data is made an hour ago, so that a key of another algorithm has been published for long enough to be used now. */
class PastClock extends Clock {
  behindMs = PUBLISHED_MS;

  now() {
    return new Date(super.now().getTime() - this.behindMs);
  }
}

const [algorithm] = process.argv.slice(2);
const clock = new PastClock();
const config = loadConfig();
const database = await connect(config.database);
const { nest, firstStart } = await createApplication(config, database.settings, { clock, logTo: process.stderr });
const get = (provider) => nest.get(provider, { strict: false });
const credentials = await get(Database).transaction((tx) => seed(tx, firstStart.orgId));
await get(InstanceService).setImpersonation(true, EDITOR);
if (algorithm !== 'RS256') await signWith(algorithm);
await nest.close();
await database.stop();
process.stdout.write(`Seeded ${JSON.stringify(credentials)}\n`);

async function seed(tx, orgId) {
  const project = await get(ProjectService).add(tx, { orgId, name: 'Benchmark' }, EDITOR);
  const machine = await addService(tx, orgId, project.id, 'bench-service', 'opaque');
  const jwt = await addService(tx, orgId, project.id, 'bench-service-jwt', 'jwt');
  const passwordHash = await get(PasswordHash).hash(new Secret(PASSWORD));
  const [people, quick] = [
    await addPeople(tx, orgId, 'person', passwordHash),
    await addPeople(tx, orgId, 'quick', passwordHash),
  ];
  await tx.query(unprepared('UPDATE user_account SET password_hash = :passwordHash WHERE id = ANY(:ids)'), {
    ids: quick.map(({ id }) => id),
    passwordHash: hashWithoutWorkFactor(PASSWORD),
  });
  const roles = ['ORG_END_USER_IMPERSONATOR'];
  await get(Memberships).add(tx, { userId: people[1].id, roles, level: 'org', objectId: orgId, orgId }, EDITOR);
  return {
    service: { opaque: machine.credentials, rs256: jwt.credentials, es256: jwt.credentials },
    machine: machine.key,
    web: await addWebClient(tx, project.id, 'Web', 'opaque'),
    webJwt: await addWebClient(tx, project.id, 'Web with JWT', 'jwt'),
    webByKey: await addWebClientByKey(tx, project.id, 'Web with a key'),
    fapi: await addWebClientByKey(tx, project.id, 'FAPI 2.0', {
      securityProfile: 'fapi_2_0',
      devMode: false,
      redirectUris: [HTTPS_REDIRECT_URI],
    }),
    webByCertificate: await addWebClient(tx, project.id, 'Web with a certificate', 'opaque', {
      authMethod: 'self_signed_tls_client_auth',
      jwks: certificateKeySet(),
      tlsBoundAccessTokens: true,
    }),
    device: await addWebClient(tx, project.id, 'Device', 'opaque', { grantTypes: ['device_code'] }),
    exchanger: await addWebClient(tx, project.id, 'Exchange', 'opaque', {
      grantTypes: ['authorization_code', 'token_exchange'],
    }),
    api: await addApi(tx, project.id),
    people,
    peopleWithoutWorkFactor: quick,
    peopleWithPasskeys: await addPeopleWithPasskeys(tx, orgId, passwordHash),
    administratorToken: firstStart.personalAccessToken.reveal(),
  };
}

async function addService(tx, orgId, projectId, userName, accessTokenType) {
  const services = get(ServiceUserService);
  const id = await services.add(tx, { orgId, userName, name: userName, accessTokenType }, EDITOR);
  const secret = await services.generateSecret(tx, id, EDITOR);
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const keyId = await get(MachineKeys).add(tx, id, { ...(await exportJWK(publicKey)), alg: 'RS256' }, EDITOR);
  const pem = createPrivateKey({ key: await exportJWK(privateKey), format: 'jwk' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  return {
    credentials: {
      clientId: userName,
      clientSecret: secret.reveal(),
      fields: { scope: `openid urn:service:iam:org:project:id:${projectId}:aud` },
    },
    key: { userId: id, keyId, privateKey: pem },
  };
}

async function addWebClient(tx, projectId, name, accessTokenType, settings = {}) {
  const { clientId, secret } = await get(ClientService).register(
    tx,
    {
      projectId,
      kind: 'oidc',
      name,
      authMethod: 'client_secret_basic',
      clientType: 'web',
      redirectUris: [REDIRECT_URI],
      responseTypes: ['code'],
      grantTypes: ['authorization_code', 'refresh_token'],
      accessTokenType,
      devMode: true,
      ...settings,
    },
    EDITOR,
  );
  return { clientId, clientSecret: secret?.reveal(), redirectUri: REDIRECT_URI };
}

async function addWebClientByKey(tx, projectId, name, settings = {}) {
  const { keyId, privateKey, jwk } = newAssertionKey();
  const { clientId } = await get(ClientService).register(
    tx,
    {
      projectId,
      kind: 'oidc',
      name,
      authMethod: 'private_key_jwt',
      clientType: 'web',
      redirectUris: [REDIRECT_URI],
      responseTypes: ['code'],
      grantTypes: ['authorization_code', 'refresh_token'],
      devMode: true,
      jwks: { keys: [jwk] },
      ...settings,
    },
    EDITOR,
  );
  return { clientId, keyId, privateKey, redirectUri: settings.redirectUris?.[0] ?? REDIRECT_URI };
}

async function addApi(tx, projectId) {
  const { clientId, secret } = await get(ClientService).register(
    tx,
    { projectId, kind: 'api', name: 'API', authMethod: 'client_secret_basic' },
    EDITOR,
  );
  return { clientId, clientSecret: secret.reveal() };
}

/** One for each virtual client: the limits on guessing count concurrent sign-ins of one user. */
async function addPeople(tx, orgId, name, passwordHash) {
  const people = [];
  for (let number = 0; number < PEOPLE; number += 1)
    people.push(await addPerson(tx, orgId, `${name}-${number}`, passwordHash));
  return people;
}

/** They have a password as well, like most. */
async function addPeopleWithPasskeys(tx, orgId, passwordHash) {
  const people = [];
  for (const { id } of await addPeople(tx, orgId, 'keyed', passwordHash)) {
    const { publicKey, passkey } = newPasskey(id);
    await tx.query(
      unprepared(
        `WITH factor AS (
           INSERT INTO auth_factor (id, user_id, kind, state, created_at)
           VALUES (:id, :id, 'passkey', 'ready', now())
           RETURNING id)
         INSERT INTO auth_key (factor_id, credential_id, public_key, rp_id, sign_count, backup_eligible, backed_up, name)
         SELECT id, :credentialId, :publicKey, 'localhost', 0, true, true, 'Passkey' FROM factor`,
      ),
      { id, credentialId: passkey.credentialId, publicKey },
    );
    people.push({ passkey });
  }
  return people;
}

async function addPerson(tx, orgId, userName, passwordHash) {
  const { id } = await get(UserService).addHuman(
    tx,
    {
      orgId,
      userName,
      email: `${userName}@bench.localhost`,
      emailVerified: true,
      passwordHash,
      profile: { firstName: 'Bench', lastName: 'Person', preferredLanguage: 'en' },
    },
    EDITOR,
  );
  return { id, loginName: toLoginName(userName, 'acme.localhost'), password: PASSWORD };
}

async function signWith(wanted) {
  const { keyRotationSeconds } = await get(InstanceService).get();
  await get(InstanceService).setSigning({ signingAlgorithm: wanted, keyRotationSeconds }, EDITOR);
  await get(KeyService).requestRotation(EDITOR);
  clock.behindMs = 0;
  await get(KeyService).maintain();
}
