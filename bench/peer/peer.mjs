import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { startChild } from '../host/child.mjs';
import { ourPool } from '../host/our-pool.mjs';
import { finishMeasured, startMeasured } from '../host/start.mjs';
import { withEndpoints } from '../load/load.mjs';
import { newAssertionKey } from '../seed/assertion-key.mjs';
import { certificateKeySet } from '../seed/certificate.mjs';
import { hashWithoutWorkFactor, PEOPLE } from '../seed/password.mjs';
import { PEER_SCHEMA } from './schema.mjs';

const PROGRAM = new URL('./server.mjs', import.meta.url).pathname;
const REDIRECT_URI = 'http://127.0.0.1/callback';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const PASSWORD = 'Benchmark-password-1';
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** npm oidc-provider as a contestant: one process answers everything. */
export class Peer {
  name = 'peer';

  static async start(database, port) {
    const databaseUrl = await database.create('bench_peer');
    await seed(databaseUrl);
    const assertionKey = newAssertionKey();
    const setting = {
      issuer: `http://127.0.0.1:${port}`,
      port,
      databaseUrl,
      pool: await ourPool(),
      cookieKey: secret(),
      jwks: { keys: [newKey('rsa', { modulusLength: 2048 }, 'RS256'), newKey('ec', { namedCurve: 'P-256' }, 'ES256')] },
      clients: [
        webClient(),
        apiClient(),
        serviceClient(),
        webClientByKey(assertionKey.jwk),
        fapiClient(assertionKey.jwk),
        webClientByCertificate(),
        deviceClient(),
      ],
    };
    const launch = () =>
      startChild({
        name: 'the peer',
        program: PROGRAM,
        env: { NODE_ENV: 'production' },
        input: JSON.stringify(setting),
        ready: /^Ready/,
      });
    const { child, figures } = await startMeasured(launch);
    return new Peer(child, await withEndpoints(targetOf(setting, assertionKey)), figures);
  }

  constructor(child, target, figures) {
    this.child = child;
    this.target = target;
    this.figures = figures;
  }

  lacks({ withoutPeer }) {
    return withoutPeer !== undefined;
  }

  scenarioOf({ name, scenario = name }) {
    return scenario;
  }

  async service() {
    return { target: this.target, pid: this.child.pid };
  }

  /** Stops it. @returns start and memory */
  async finish() {
    return finishMeasured(this.child, this.figures);
  }
}

function targetOf({ issuer, clients }, { keyId, privateKey }) {
  const [web, api, service, webByKey, fapi, webByCertificate, device] = clients;
  const credentials = (client) => ({ clientId: client.client_id, clientSecret: client.client_secret });
  const resource = (name) => ({ ...credentials(service), fields: { scope: 'api', resource: `urn:bench:${name}` } });
  return {
    name: 'peer',
    origin: issuer,
    issuer,
    service: { opaque: resource('opaque'), rs256: resource('rs256'), es256: resource('es256') },
    web: { ...credentials(web), redirectUri: REDIRECT_URI },
    webByKey: { clientId: webByKey.client_id, keyId, privateKey, redirectUri: REDIRECT_URI },
    fapi: { clientId: fapi.client_id, keyId, privateKey, redirectUri: fapi.redirect_uris[0] },
    webByCertificate: { clientId: webByCertificate.client_id, redirectUri: REDIRECT_URI },
    device: credentials(device),
    api: credentials(api),
    // The peer drops offline_access unless consent is asked for (OIDC Core §11); its pages grant it at once.
    offline: { prompt: 'consent' },
    signInPages: [{ loginName: 'loginName', password: 'password' }],
    people: peopleNamed('person'),
    peopleWithoutWorkFactor: peopleNamed('quick'),
  };
}

/** As many as our service has, with names of the same form. */
function peopleNamed(name) {
  return Array.from({ length: PEOPLE }, (_, number) => ({
    loginName: `${name}-${number}@bench.localhost`,
    password: PASSWORD,
  }));
}

async function seed(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(PEER_SCHEMA);
  const insert = `INSERT INTO account (id, login_name, password_hash, given_name, family_name, locale, email, email_verified)
    VALUES ($1, $2, $3, 'Bench', 'Person', 'en', $2, true)`;
  const hashes = { person: await hash(PASSWORD, ARGON2ID), quick: hashWithoutWorkFactor(PASSWORD) };
  for (const [name, passwordHash] of Object.entries(hashes)) {
    for (const [number, { loginName }] of peopleNamed(name).entries())
      await client.query(insert, [
        `${name === 'person' ? 1 : 3}${String(number).padStart(17, '0')}`,
        loginName,
        passwordHash,
      ]);
  }
  await client.end();
}

function webClient() {
  return {
    client_id: '200000000000000001',
    client_secret: secret(),
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

function apiClient() {
  return {
    client_id: '200000000000000002',
    client_secret: secret(),
    redirect_uris: [],
    grant_types: [],
    response_types: [],
  };
}

function serviceClient() {
  return {
    client_id: 'bench-service',
    client_secret: secret(),
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

function webClientByKey(jwk) {
  return {
    client_id: '200000000000000003',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
  };
}

/** The demands of FAPI 2.0 on a client, one by one. */
function fapiClient(jwk) {
  return {
    ...webClientByKey(jwk),
    client_id: '200000000000000004',
    redirect_uris: ['https://bench.example.com/callback'],
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    id_token_signed_response_alg: 'ES256',
  };
}

function webClientByCertificate() {
  return {
    ...webClient(),
    client_id: '200000000000000005',
    client_secret: undefined,
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    tls_client_certificate_bound_access_tokens: true,
    jwks: certificateKeySet(),
  };
}

function deviceClient() {
  return {
    ...webClient(),
    client_id: '200000000000000006',
    redirect_uris: [],
    grant_types: [DEVICE_CODE],
    response_types: [],
  };
}

function secret() {
  return randomBytes(48).toString('base64url');
}

function newKey(type, options, alg) {
  const { privateKey } = generateKeyPairSync(type, options);
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: randomBytes(8).toString('hex') };
}
