import { generateKeyPairSync } from 'node:crypto';
import { hash } from '@node-rs/bcrypt';
import pg from 'pg';
import { newPasskey } from '../../../bench/seed/passkey.mjs';
import { Filler, MASTER_KEY } from '../../../test/migration/zitadel-database/filler.ts';
import { tablesOf } from '../../../test/migration/zitadel-database/tables.ts';
import { bulk } from './bulk.mjs';

/** What the service of the source takes by default, for passwords and for secrets. */
const [PASSWORD_COST, SECRET_COST] = [14, 4];
/** Nobody checks them all. */
const HASHES = 4;
const FOREVER = '9999-12-31T23:59:59Z';

export const INSTANCE = '850000000000000001';
export const PASSWORD = 'Correct-Horse-7';
const CODE = { response_types: [0], grant_types: [0, 2] };

/** What the people, applications and services of the source know, and a converted document does not say. */
export const KNOWN = {
  org: '851000000000000001',
  orgName: 'Organization 1',
  project: '852000000000000001',
  web: {
    id: '853000000000000001',
    clientId: '853500000000000001',
    secret: 'Zk3vS0pQbWQ1xT8rYc5uJd2nLh7eAf4gKq9sWd0xCv6bNm3zLp8rTy5uIo2aSd7f',
    redirectUri: 'https://touren.example/callback',
  },
  api: { id: '854000000000000001', clientId: '854500000000000001', keyId: '857000000000000001' },
  service: {
    id: '855000000000000001',
    userName: 'service-1',
    secret: 'Hn7jKm3pQw9eRt5yUi1oPa8sDf4gHj6kLz2xCv0bNm5qWe7rTy3uIo9pAs1dFg6h',
    keyId: '856000000000000001',
  },
  people: {
    password: { id: '859000000000000001', userName: 'with-password' },
    app: { id: '859000000000000002', userName: 'with-app', seed: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
    codes: { id: '859000000000000003', userName: 'with-codes', code: 'k3v9s-0pqbw' },
    passkey: { id: '859000000000000004', userName: 'with-passkey' },
  },
};
const SPECIAL = Object.values(KNOWN.people);

/** The database of an installation at `localhost`, with as many people. @returns what they know, with keys */
export async function fillSource(connectionString, people) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const { passkey, publicKey: coseKey } = newPasskey(KNOWN.people.passkey.id);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of tablesOf('4')) await client.query(statement);
    const filler = new Filler(client, INSTANCE);
    const given = {
      instance: INSTANCE,
      people: people - SPECIAL.length,
      orgs: Math.max(2, Math.min(100, Math.ceil(people / 100))),
      hashes: await Promise.all(Array.from({ length: HASHES }, () => hash(PASSWORD, { cost: PASSWORD_COST }))),
      secret: await hash(KNOWN.service.secret, { cost: SECRET_COST }),
      webSecret: await hash(KNOWN.web.secret, { cost: SECRET_COST }),
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
      seed: await filler.seal('otpKey', KNOWN.people.app.seed),
      coseKey: coseKey.toString('base64'),
    };
    await fillInstance(filler);
    for (const statement of bulk(given)) await client.query(statement);
    await fillSpecial(filler, given, passkey);
    await fillApps(filler, given);
    await client.query('ANALYZE');
    return { ...KNOWN, passkey, privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }), orgs: given.orgs };
  } finally {
    await client.end();
  }
}

async function fillInstance(filler) {
  const systemProject = '850000000000000002';
  await filler.insert('instances', {
    instance_id: undefined,
    id: INSTANCE,
    name: 'Source',
    default_org_id: KNOWN.org,
    iam_project_id: systemProject,
    console_client_id: 'console',
    console_app_id: 'console',
    default_language: 'en',
  });
  await filler.insert('instance_domains', { domain: 'localhost', is_primary: true });
  await filler.insert('instance_members4', { id: INSTANCE, user_id: KNOWN.service.id, roles: ['IAM_OWNER_VIEWER'] });
  await filler.insert('projects4', { id: systemProject, name: 'System', resource_owner: KNOWN.org, state: 1 });
  const hours = 3_600_000_000_000;
  await filler.insert('login_policies5', {
    aggregate_id: INSTANCE,
    is_default: true,
    allow_username_password: true,
    allow_external_idps: true,
    second_factors: [1, 2, 5],
    multi_factors: [1],
    passwordless_type: 1,
    password_check_lifetime: 240 * hours,
    external_login_check_lifetime: 240 * hours,
    mfa_init_skip_lifetime: 720 * hours,
    second_factor_check_lifetime: 18 * hours,
    multi_factor_check_lifetime: 12 * hours,
  });
  const policy = { id: INSTANCE, state: 1, is_default: true };
  await filler.insert('password_complexity_policies2', { ...policy, min_length: 8, has_number: true });
  await filler.insert('password_age_policies2', policy);
  await filler.insert('lockout_policies3', { ...policy, max_password_attempts: 10 });
  await filler.insert('domain_policies2', policy);
  await filler.insert('privacy_policies4', { ...policy, tos_link: 'https://source.example/terms' });
  await filler.insert('notification_policies', { ...policy, password_change: true });
  await filler.insert('label_policies3', { ...policy, light_primary_color: '#00aa00' });
}

/** People who sign in when they have moved, each in a way of their own. */
async function fillSpecial(filler, { hashes: [encodedHash], seed, coseKey }, { credentialId }) {
  const { app, codes, passkey, password } = KNOWN.people;
  for (const { id, userName } of SPECIAL) {
    await filler.insert('users14', { id, resource_owner: KNOWN.org, state: 1, username: userName, type: 1 });
    await filler.insert('users14_humans', {
      user_id: id,
      first_name: 'A',
      last_name: 'B',
      email: `${userName}@org-1.example`,
      is_email_verified: true,
    });
    await filler.event(id, 'user.human.added', id === passkey.id ? { userName } : { userName, encodedHash });
  }
  await filler.event(app.id, 'user.human.mfa.otp.added', { otpSecret: JSON.parse(seed) });
  await filler.event(app.id, 'user.human.mfa.otp.verified');
  await filler.event(codes.id, 'user.human.mfa.otp.added', { otpSecret: JSON.parse(seed) });
  await filler.event(codes.id, 'user.human.mfa.otp.verified');
  await filler.event(codes.id, 'user.human.mfa.recoverycode.added', {
    codes: [await hash(codes.code, { cost: SECRET_COST })],
  });
  await filler.event(passkey.id, 'user.human.passwordless.token.added', { webAuthNTokenId: '1', rpID: 'localhost' });
  await filler.event(passkey.id, 'user.human.passwordless.token.verified', {
    webAuthNTokenId: '1',
    keyId: Buffer.from(credentialId, 'base64url').toString('base64'),
    publicKey: coseKey,
    signCount: 0,
    webAuthNTokenName: 'Phone',
  });
  await filler.insert('user_grants5', {
    id: '858900000000000001',
    state: 1,
    resource_owner: KNOWN.org,
    user_id: password.id,
    resource_owner_user: KNOWN.org,
    project_id: KNOWN.project,
    resource_owner_project: KNOWN.org,
    grant_id: '',
    granted_org: '',
    roles: ['dispatcher'],
  });
}

/** Applications of the first organization, whose secrets and keys are used; its service user owns it. */
async function fillApps(filler, { webSecret, publicKey }) {
  const { api, org, project, service, web } = KNOWN;
  for (const [id, name] of [
    [web.id, 'Web'],
    [api.id, 'API'],
  ])
    await filler.insert('apps7', { id, name, project_id: project, resource_owner: org, state: 1 });
  await filler.insert('apps7_oidc_configs', {
    app_id: web.id,
    client_id: web.clientId,
    client_secret: webSecret,
    ...CODE,
    redirect_uris: [web.redirectUri],
    post_logout_redirect_uris: ['https://touren.example/'],
    access_token_type: 1,
    access_token_role_assertion: true,
  });
  await filler.insert('apps7_api_configs', { app_id: api.id, client_id: api.clientId, auth_method: 1 });
  for (const [id, aggregate_id, object_id, identifier] of [
    [service.keyId, service.id, service.id, service.id],
    [api.keyId, project, api.id, api.clientId],
  ])
    await filler.insert('authn_keys2', {
      id,
      aggregate_id,
      object_id,
      identifier,
      expiration: FOREVER,
      type: 1,
      public_key: Buffer.from(publicKey),
    });
  await filler.insert('org_members4', { org_id: org, user_id: service.id, roles: ['ORG_OWNER'] });
  await filler.insert('project_members4', { project_id: project, user_id: service.id, roles: ['PROJECT_OWNER'] });
}

export { MASTER_KEY };
