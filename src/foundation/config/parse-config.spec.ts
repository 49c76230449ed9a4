import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Config } from './config.js';
import { ConfigError, type Environment } from './environment.js';
import { parseConfig } from './parse-config.js';

const KEY = 'sixteen letters!';
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.test',
  DATABASE_URL: 'postgres://u:p@db:5432/gatehouse',
  MASTER_KEY: KEY,
};

function parse(environment: Environment, files: Record<string, string> = {}, terminal = false): Config {
  const readFile = (path: string): string => {
    const content = files[path];
    if (content === undefined) throw new Error('ENOENT');
    return content;
  };
  return parseConfig(environment, { readFile, terminal });
}

function mistakesOf(environment: Environment, files: Record<string, string> = {}): readonly string[] {
  try {
    parse(environment, files);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

describe('Without any setting', () => {
  it('the service is a development instance on this machine', () => {
    const config = parse({});
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 3000, trustedProxies: [], metricsPort: undefined });
    expect(config.issuer).toMatchObject({
      production: false,
      publicUrl: 'http://localhost:3000',
      urnWord: 'service',
      defaultLanguage: 'en',
      isHttps: false,
    });
    expect(config.database).toMatchObject({ url: undefined, dataDir: resolve('.data') });
    expect(config.secrets).toMatchObject({ masterKey: undefined, previousMasterKeys: [], dataDir: resolve('.data') });
    expect(config.firstStart).toMatchObject({
      orgName: 'Acme',
      adminUsername: 'admin',
      adminEmail: 'admin@acme.localhost',
      adminPassword: undefined,
      development: true,
    });
    expect(config.token.refreshGraceSeconds).toBe(10);
    expect(config.login.limits).toBe(true);
    expect(config.admin.ratePerSecond).toBe(500);
    expect(config.mail).toMatchObject({ smtpUrl: undefined, from: undefined });
    expect(config.demo).toMatchObject({ port: 3001, origin: 'http://127.0.0.1:3001' });
    expect(config.log).toMatchObject({ level: 'info', format: 'json' });
    expect(config.outbound).toMatchObject({ allow: [], jwtIdpAudiences: [] });
    expect(config.objectStore).toMatchObject({ endpoint: undefined, tokenUri: undefined, directory: undefined });
  });

  it('the log is pretty on a terminal', () => {
    expect(parse({}, {}, true).log.format).toBe('pretty');
  });

  it('an empty setting counts as absent', () => {
    expect(parse({ PORT: '', PUBLIC_URL: '', MASTER_KEY: '', LOGIN_LIMITS: '' }).http.port).toBe(3000);
  });
});

describe('Each setting', () => {
  it.each<[Environment, (config: Config) => unknown, unknown]>([
    [{ PORT: '8080' }, (c) => [c.http.port, c.issuer.publicUrl, c.demo.port], [8080, 'http://localhost:8080', 8081]],
    [{ HOST: '::1' }, (c) => c.http.host, '::1'],
    [{ PUBLIC_URL: 'https://id.test' }, (c) => [c.issuer.publicUrl, c.issuer.isHttps], ['https://id.test', true]],
    [{ PUBLIC_URL: 'https://id.test/' }, (c) => c.issuer.publicUrl, 'https://id.test'],
    [{ PUBLIC_URL: 'https://id.test' }, (c) => [c.passkey.rpId, c.passkey.origin], ['id.test', 'https://id.test']],
    [{ PUBLIC_URL: 'https://id.acme.test', PASSKEY_RP_ID: 'acme.test' }, (c) => c.passkey.rpId, 'acme.test'],
    [{ PUBLIC_URL: 'https://id.acme.co.uk', PASSKEY_RP_ID: 'acme.co.uk' }, (c) => c.passkey.rpId, 'acme.co.uk'],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, (c) => c.passkey.rpId, undefined],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8' }, (c) => c.http.trustedProxies, ['10.0.0.0/8', '::1', 'fd00::/8']],
    [{ DATABASE_URL: 'postgresql://a:p@ss@db/x' }, (c) => c.database.url?.url.reveal(), 'postgresql://a:p@ss@db/x'],
    [{ DATABASE_URL: 'postgres:///x?host=/run/pg' }, (c) => c.database.url?.file, undefined],
    [{ DATABASE_URL: 'postgres://a@%2Frun%2Fpg/x' }, (c) => c.database.url?.file, undefined],
    [{ DATABASE_URL: 'postgres://a:p%2Fw%23d@db/x?sslmode=require' }, (c) => c.database.url?.file, undefined],
    [{ DATABASE_URL: 'postgres://a@/x?host=/run/pg' }, (c) => c.database.url?.file, undefined],
    [{ NODE_ENV: 'development' }, (c) => c.issuer.production, false],
    [{ NODE_ENV: 'test' }, (c) => c.issuer.production, false],
    [{ DATABASE_URL: 'postgresql://db/x' }, (c) => c.database.url?.url.reveal(), 'postgresql://db/x'],
    [
      { DATA_DIR: '/var/lib/gatehouse' },
      (c) => [c.database.dataDir, c.secrets.dataDir, c.firstStart.dataDir],
      Array(3).fill('/var/lib/gatehouse'),
    ],
    [{ MASTER_KEY: KEY }, (c) => c.secrets.masterKey?.reveal(), KEY],
    [
      { MASTER_KEY_PREVIOUS: `${KEY}, ${KEY}2` },
      (c) => c.secrets.previousMasterKeys.map((key) => key.reveal()),
      [KEY, `${KEY}2`],
    ],
    [{ URN_WORD: 'acme-2' }, (c) => c.issuer.urnWord, 'acme-2'],
    [{ FIRST_ORG_NAME: 'Umbrella' }, (c) => c.firstStart.orgName, 'Umbrella'],
    [{ FIRST_ADMIN_USERNAME: 'root' }, (c) => c.firstStart.adminUsername, 'root'],
    [{ FIRST_ADMIN_EMAIL: 'root@umbrella.test' }, (c) => c.firstStart.adminEmail, 'root@umbrella.test'],
    [{ FIRST_ADMIN_PASSWORD: 'Secret-1' }, (c) => c.firstStart.adminPassword?.reveal(), 'Secret-1'],
    [{ DEFAULT_LANGUAGE: 'de-CH' }, (c) => c.issuer.defaultLanguage, 'de-CH'],
    [
      { SMTP_URL: 'smtp://u:p@mail:587', MAIL_FROM: 'a@b.test' },
      (c) => [c.mail.smtpUrl?.reveal(), c.mail.from],
      ['smtp://u:p@mail:587', 'a@b.test'],
    ],
    [{ DEMO_PORT: '9000' }, (c) => c.demo.origin, 'http://127.0.0.1:9000'],
    [{ DEMO_PORT: 'off' }, (c) => c.demo.origin, undefined],
    [{ LOGIN_LIMITS: 'off' }, (c) => c.login.limits, false],
    [{ LOGIN_LIMITS: 'on' }, (c) => c.login.limits, true],
    [{}, (c) => [c.password.importedHashMs, c.password.poolThreads], [300, 4]],
    [
      { IMPORTED_HASH_MS: '1000', UV_THREADPOOL_SIZE: '9' },
      (c) => [c.password.importedHashMs, c.password.poolThreads],
      [1_000, 9],
    ],
    [{ ADMIN_RATE: '20' }, (c) => c.admin.ratePerSecond, 20],
    [{ LOG_LEVEL: 'warn', LOG_FORMAT: 'pretty' }, (c) => [c.log.level, c.log.format], ['warn', 'pretty']],
    [{}, (c) => c.deprecations, 'warn'],
    [{ GATEHOUSE_DEPRECATIONS: 'error' }, (c) => c.deprecations, 'error'],
    [{ JWT_IDP_AUDIENCES: 'a,b' }, (c) => c.outbound.jwtIdpAudiences, ['a', 'b']],
    [{ OUTBOUND_ALLOW: '10.1.0.0/16' }, (c) => c.outbound.allow, ['10.1.0.0/16']],
    [{ OBJECT_STORE_ENDPOINT: 'http://127.0.0.1:9' }, (c) => c.objectStore.endpoint, 'http://127.0.0.1:9'],
    [{ OBJECT_STORE_TOKEN_URI: 'http://127.0.0.1:9/token' }, (c) => c.objectStore.tokenUri, 'http://127.0.0.1:9/token'],
    [
      { OBJECT_STORE_S3_ENDPOINTS: 'http://MinIO:9000,https://s3.example.com/' },
      (c) => c.objectStore.s3Endpoints,
      ['http://minio:9000', 'https://s3.example.com'],
    ],
    [{ OBJECT_STORE_DIR: '/srv/moves' }, (c) => c.objectStore.directory, '/srv/moves'],
    [{ METRICS_PORT: '9464' }, (c) => c.http.metricsPort, 9464],
    [{}, (c) => c.token.codeSeconds, 60],
    [{}, (c) => c.issuer.publishesOAuthMetadata, false],
    [{ OAUTH_METADATA: 'on' }, (c) => c.issuer.publishesOAuthMetadata, true],
    [{ REQUIRE_PUSHED_REQUESTS: 'on' }, (c) => c.issuer.requiresPushedRequests, true],
    [{}, (c) => c.issuer.fetchesRequestObjects, false],
    [{ REQUEST_URI: 'registered' }, (c) => c.issuer.fetchesRequestObjects, true],
    [{}, (c) => c.token.unknownResource, 'refuse'],
    [{ UNKNOWN_RESOURCE: 'ignore' }, (c) => c.token.unknownResource, 'ignore'],
    [{}, (c) => c.selfDescribed.registration, 'off'],
    [{ REGISTRATION: 'token' }, (c) => c.selfDescribed.registration, 'token'],
    [{}, (c) => c.selfDescribed.registrationsPerMinute, 20],
    [{ REGISTRATION_RATE: '500' }, (c) => c.selfDescribed.registrationsPerMinute, 500],
    [{}, (c) => c.selfDescribed.documentHosts, []],
    [{}, (c) => c.selfDescribed.unusedDays, 30],
    [
      { CLIENT_DOCUMENT_HOSTS: 'a.example,b.example:8443' },
      (c) => c.selfDescribed.documentHosts,
      ['a.example', 'b.example:8443'],
    ],
    [{ CLIENT_DOCUMENT_HOSTS: '*' }, (c) => c.selfDescribed.documentHosts, ['*']],
    [{}, (c) => [c.token.requiresProofNonce, c.token.proofReplay], [false, 'process']],
    [{ DPOP_NONCE: 'on' }, (c) => c.token.requiresProofNonce, true],
    [{ DPOP_REPLAY: 'shared' }, (c) => c.token.proofReplay, 'shared'],
    [{ WORKERS: '2' }, (c) => c.token.proofReplay, 'shared'],
    [{ DATABASE_URL: 'postgresql://db/gatehouse' }, (c) => c.token.proofReplay, 'shared'],
    [{ DATABASE_URL: 'postgresql://db/gatehouse', DPOP_REPLAY: 'process' }, (c) => c.token.proofReplay, 'process'],
    [{ WORKERS: '2', DPOP_REPLAY: 'process' }, (c) => c.token.proofReplay, 'process'],
    [{}, (c) => [c.token.deviceSeconds, c.token.deviceIntervalSeconds], [600, 5]],
    [
      { DEVICE_SECONDS: '60', DEVICE_INTERVAL: '2' },
      (c) => [c.token.deviceSeconds, c.token.deviceIntervalSeconds],
      [60, 2],
    ],
    [{ CODE_SECONDS: '600' }, (c) => c.token.codeSeconds, 600],
    [{ REFRESH_GRACE_SECONDS: '0' }, (c) => c.token.refreshGraceSeconds, 0],
  ])('is read: %j', (environment, read, expected) => {
    expect(read(parse(environment))).toEqual(expected);
  });

  it('may be in a file that NAME_FILE names, without the line feed at its end', () => {
    const config = parse(
      { MASTER_KEY_FILE: '/run/key', DATABASE_URL_FILE: '/run/url' },
      { '/run/key': `${KEY}\n`, '/run/url': 'postgres://db/x\n' },
    );
    expect([config.secrets.masterKey?.reveal(), config.database.url?.url.reveal()]).toEqual([KEY, 'postgres://db/x']);
  });
});

describe('A mistake', () => {
  it.each<[string, Environment]>([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '3e3' }],
    ['PORT', { PORT: ' 3000x' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'id.test' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://id.test', PASSKEY_RP_ID: 'test' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://id.acme.co.uk', PASSKEY_RP_ID: 'co.uk' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://acme.github.io', PASSKEY_RP_ID: 'github.io' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://id.test', PASSKEY_RP_ID: 'evil.test' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://id.test', PASSKEY_RP_ID: 'www.id.test' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://id.test', PASSKEY_RP_ID: 'd.test' }],
    ['PASSKEY_RP_ID', { PUBLIC_URL: 'https://127.0.0.1', PASSKEY_RP_ID: '0.0.1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://id.test/auth' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://id.test?x' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://u:p@id.test' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://ID.test' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://id.test' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.test' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '::1/129' }],
    ['OUTBOUND_ALLOW', { OUTBOUND_ALLOW: 'provider.internal' }],
    ['NODE_ENV', { NODE_ENV: 'prod' }],
    ['NODE_ENV', { NODE_ENV: 'Production' }],
    ['NODE_ENV', { NODE_ENV: 'production ' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:p@ss/w#rd@db:5432/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:p/ss@db:5432/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:12/ss@db:5432/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:p?ss@db:5432/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:12?ss@db:5432/x' }],
    ['percent-encoded', { DATABASE_URL: 'postgres://app:100%@db:5432/x' }],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'postgres://a:p#w@db/x' }],
    ['percent-encoded', { SMTP_URL: 'smtp://app:p@ss/w#rd@mail', MAIL_FROM: 'a@b.test' }],
    ['MASTER_KEY', { MASTER_KEY: 'fifteen letters' }],
    ['MASTER_KEY', { MASTER_KEY: KEY, MASTER_KEY_PREVIOUS: 'short' }],
    ['URN_WORD', { URN_WORD: 'Acme' }],
    ['URN_WORD', { URN_WORD: 'a:b' }],
    ['FIRST_ADMIN_EMAIL', { FIRST_ADMIN_EMAIL: 'admin' }],
    ['DEFAULT_LANGUAGE', { DEFAULT_LANGUAGE: '../en' }],
    ['SMTP_URL', { SMTP_URL: 'http://mail', MAIL_FROM: 'a@b.test' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail' }],
    ['DEMO_PORT', { DEMO_PORT: 'on' }],
    ['LOGIN_LIMITS', { LOGIN_LIMITS: 'false' }],
    ['IMPORTED_HASH_MS', { IMPORTED_HASH_MS: '49' }],
    ['IMPORTED_HASH_MS', { IMPORTED_HASH_MS: '5001' }],
    ['UV_THREADPOOL_SIZE', { UV_THREADPOOL_SIZE: '0' }],
    ['ADMIN_RATE', { ADMIN_RATE: '0' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['LOG_FORMAT', { LOG_FORMAT: 'xml' }],
    ['GATEHOUSE_DEPRECATIONS', { GATEHOUSE_DEPRECATIONS: 'off' }],
    ['OBJECT_STORE_ENDPOINT', { OBJECT_STORE_ENDPOINT: 'store' }],
    ['OBJECT_STORE_TOKEN_URI', { OBJECT_STORE_TOKEN_URI: 'store' }],
    ['OBJECT_STORE_S3_ENDPOINTS', { OBJECT_STORE_S3_ENDPOINTS: 'minio:9000' }],
    ['OBJECT_STORE_S3_ENDPOINTS', { OBJECT_STORE_S3_ENDPOINTS: 'http://minio:9000/bucket' }],
    ['METRICS_PORT', { METRICS_PORT: 'no' }],
    ['CLIENT_CERT_HEADER', { CLIENT_CERT_HEADER: 'X-Client-Cert' }],
    ['CLIENT_CERT_HEADER', { CLIENT_CERT_HEADER: 'X Client', TRUSTED_PROXIES: '::1' }],
    ['CLIENT_CERT_HEADER', { CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify', TRUSTED_PROXIES: '::1' }],
    ['MTLS_URL', { CLIENT_CERT_HEADER: 'X-C', TRUSTED_PROXIES: '::1', MTLS_URL: 'http://mtls.example.com' }],
    ['MTLS_URL', { CLIENT_CERT_HEADER: 'X-C', TRUSTED_PROXIES: '::1', MTLS_URL: 'https://mtls.example.com/a' }],
    ['CODE_SECONDS', { CODE_SECONDS: '601' }],
    ['CODE_SECONDS', { CODE_SECONDS: '0' }],
    ['DEVICE_SECONDS', { DEVICE_SECONDS: '59' }],
    ['DEVICE_INTERVAL', { DEVICE_INTERVAL: '0' }],
    ['REFRESH_GRACE_SECONDS', { REFRESH_GRACE_SECONDS: '61' }],
    ['ALLOW_INSECURE_HTTP', { ALLOW_INSECURE_HTTP: 'yes' }],
    ['MASTER_KEY_FILE', { MASTER_KEY_FILE: '/nowhere' }],
    ['MASTER_KEY', { MASTER_KEY: KEY, MASTER_KEY_FILE: '/run/key' }],
  ])('in %s is reported with its name: %j', (name, environment) => {
    const mistakes = mistakesOf(environment, { '/run/key': KEY });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(name);
  });

  it('does not hide another: all are reported at once', () => {
    const mistakes = mistakesOf({
      PORT: 'x',
      PUBLIC_URL: 'y',
      URN_WORD: 'Z',
      LOGIN_LIMITS: 'maybe',
      LOG_LEVEL: 'loud',
      MASTER_KEY: 'short',
    });
    expect(mistakes.map((mistake) => /^[A-Z_]+/.exec(mistake)?.[0]).sort()).toEqual([
      'LOGIN_LIMITS',
      'LOG_LEVEL',
      'MASTER_KEY',
      'PORT',
      'PUBLIC_URL',
      'URN_WORD',
    ]);
  });

  it('in a secret is reported without the secret', () => {
    const environment = { MASTER_KEY: 'hunter2', DATABASE_URL: 'hunter2', SMTP_URL: 'hunter2', MAIL_FROM: 'a@b.test' };
    expect(mistakesOf(environment)).toHaveLength(3);
    expect(mistakesOf(environment).join()).not.toContain('hunter2');
  });
});

describe('In production', () => {
  it('the service listens everywhere, and shows no demo application', () => {
    const config = parse(PRODUCTION);
    expect(config.http.host).toBe('0.0.0.0');
    expect(config.demo.origin).toBeUndefined();
    expect(config.firstStart.development).toBe(false);
    expect(config.issuer.production).toBe(true);
  });

  it.each<[string, Environment]>([
    ['PUBLIC_URL', { PUBLIC_URL: 'http://id.test' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://127.evil.test' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost.evil.test' }],
    ['MASTER_KEY', { MASTER_KEY: undefined }],
    ['DATABASE_URL', { DATABASE_URL: undefined }],
    ['LOGIN_LIMITS', { LOGIN_LIMITS: 'off' }],
  ])('it does not start with a bad %s: %j', (name, change) => {
    const mistakes = mistakesOf({ ...PRODUCTION, ...change });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(name);
  });

  it.each<[string, Environment]>([
    ['plain http on loopback', { PUBLIC_URL: 'http://localhost:3000' }],
    ['plain http on loopback', { PUBLIC_URL: 'http://127.0.0.1:3000' }],
    ['plain http on loopback', { PUBLIC_URL: 'http://[::1]:3000' }],
    ['plain http that the operator allows', { PUBLIC_URL: 'http://id.test', ALLOW_INSECURE_HTTP: 'true' }],
  ])('it starts with %s: %j', (_, change) => {
    expect(mistakesOf({ ...PRODUCTION, ...change })).toEqual([]);
  });
});

it('asks for the settings that .env.example lists, and for no others', () => {
  const asked = new Set<string>();
  parse(new Proxy<Environment>({}, { get: (_, name) => void asked.add(String(name).replace(/_FILE$/, '')) }));
  const listed = [
    ...readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm),
  ].map(([, name]) => name!);
  const ofOthers = ['GATEHOUSE_TOKEN', 'GATEHOUSE_URL', 'POSTGRES_PASSWORD']; // the command line, compose.yaml
  expect(listed.sort()).toEqual([...asked, ...ofOthers].sort());
});

it('prints no secret of the settings', () => {
  const config = parse({
    ...PRODUCTION,
    FIRST_ADMIN_PASSWORD: 'hunter2-hunter2',
    MASTER_KEY: 'hunter2-hunter2-',
    DATABASE_URL: 'postgres://hunter2@db/x',
  });
  expect(JSON.stringify(config)).not.toContain('hunter2');
});
