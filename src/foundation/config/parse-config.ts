import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { isLoopback, isNetwork } from '../network/address.js';
import {
  AdminConfig,
  type Config,
  DatabaseConfig,
  DEFAULT_URN_WORD,
  DemoConfig,
  FirstStartConfig,
  HttpConfig,
  IssuerConfig,
  LOG_LEVELS,
  LogConfig,
  LoginConfig,
  MailConfig,
  ObjectStoreConfig,
  OutboundConfig,
  PasskeyConfig,
  PasswordConfig,
  SecretsConfig,
  SelfDescribedConfig,
  type TelemetryConfig,
  TokenConfig,
} from './config.js';
import { ConfigError, type Environment, EnvironmentReader } from './environment.js';
import { EXTENSIONS } from './extension-words.js';
import { misspellings } from './misspelling.js';
import { readPostgresUrl } from './postgres-url.js';
import { isPublicSuffix } from './public-suffix.js';
import { readTelemetry } from './read-telemetry.js';
import { Secret } from './secret.js';
import { urlMistake } from './url-credentials.js';

const PORTS = { from: 0, to: 65_535 };
const MIN_MASTER_KEY_CHARACTERS = 16;
const MAX_WORKERS = 64;
/** More connections than this make PostgreSQL slower, not faster; several machines share its limit of 100. */
const POOL_SIZE = 16;
const CONNECTIONS_OF_ALL = 48;
/** Exports and imports keep up to four of them for long. */
const MIN_POOL_SIZE = 6;

export interface Surroundings {
  readonly readFile: (path: string) => string;
  /** Whether the standard output is a terminal: decides the default log format. */
  readonly terminal: boolean;
  /** Reads further settings, with the same reader. */
  readonly readMore?: (env: EnvironmentReader, config: Pick<Config, 'deprecations'>) => void;
  /** How many processors this process may use; 1 if it does not say. */
  readonly processors?: number;
}

/**
 * The settings that docs/operating.md lists. Pure: reads nothing but its arguments.
 * @throws ConfigError with every mistake.
 */
export function parseConfig(environment: Environment, surroundings: Surroundings): Config {
  const env = new EnvironmentReader(environment, surroundings.readFile);
  // A misspelt `production` must not start what is for development alone. `test` is what test runners set.
  const production = env.oneOf('NODE_ENV', ['production', 'development', 'test']) === 'production';
  env.text(EXTENSIONS); // they are loaded already; whether its file can be read is said here
  const dataDir = resolve(env.text('DATA_DIR') ?? './.data');
  const port = env.whole('PORT', PORTS) ?? 3000;
  const workers = readWorkers(env, surroundings.processors ?? 1);
  const issuer = readIssuer(env, port, production);
  const telemetry = readTelemetry(env, workers);
  const http = readHttp(env, { port, production, telemetry });
  const passkey = readPasskey(env, issuer.publicUrl);
  const database = readDatabase(env, { dataDir, production, workers });
  const config: Config = {
    http,
    telemetry,
    issuer,
    passkey,
    database,
    secrets: readSecrets(env, dataDir, production),
    firstStart: readFirstStart(env, dataDir, production),
    token: Object.assign(new TokenConfig(), {
      codeSeconds: env.whole('CODE_SECONDS', { from: 1, to: 600 }) ?? 60, // RFC 6749 §4.1.2: ten minutes at most
      refreshGraceSeconds: env.whole('REFRESH_GRACE_SECONDS', { from: 0, to: 60 }) ?? 10,
      unknownResource: env.oneOf('UNKNOWN_RESOURCE', ['refuse', 'ignore']) ?? 'refuse',
      deviceSeconds: env.whole('DEVICE_SECONDS', { from: 60, to: 1800 }) ?? 600,
      deviceIntervalSeconds: env.whole('DEVICE_INTERVAL', { from: 1, to: 60 }) ?? 5,
      requiresProofNonce: env.oneOf('DPOP_NONCE', ['on', 'off']) === 'on',
      // A single process with the embedded database is alone. On another server there may be replicas, of which it does
      // not know.
      proofReplay:
        env.oneOf('DPOP_REPLAY', ['process', 'shared']) ??
        (database.url === undefined && workers === 1 ? 'process' : 'shared'),
    }),
    login: readLogin(env, production),
    password: Object.assign(new PasswordConfig(), {
      importedHashMs: env.whole('IMPORTED_HASH_MS', { from: 50, to: 5_000 }) ?? 300,
      poolThreads: env.whole('UV_THREADPOOL_SIZE', { from: 1, to: 1_024 }) ?? 4, // Node's own setting, and its default
      processes: workers,
    }),
    admin: Object.assign(new AdminConfig(), {
      ratePerSecond: env.whole('ADMIN_RATE', { from: 1, to: 1_000_000 }) ?? 500,
    }),
    mail: Object.assign(new MailConfig(), { smtpUrl: readSmtpUrl(env), from: env.text('MAIL_FROM') }),
    demo: readDemo(env, port, production),
    log: Object.assign(new LogConfig(), {
      level: env.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
      format: env.oneOf('LOG_FORMAT', ['pretty', 'json']) ?? (surroundings.terminal ? 'pretty' : 'json'),
    }),
    outbound: Object.assign(new OutboundConfig(), {
      allow: readNetworks(env, 'OUTBOUND_ALLOW'),
      jwtIdpAudiences: env.list('JWT_IDP_AUDIENCES'),
    }),
    selfDescribed: Object.assign(new SelfDescribedConfig(), {
      documentHosts: readDocumentHosts(env),
      registration: env.oneOf('REGISTRATION', ['off', 'token', 'open']) ?? 'off',
      registrationsPerMinute: env.whole('REGISTRATION_RATE', { from: 1, to: 10_000 }) ?? 20,
      unusedDays: env.whole('REGISTERED_UNUSED_DAYS', { from: 1, to: 3_650 }) ?? 30,
    }),
    objectStore: readObjectStore(env),
    workers,
    deprecations: env.oneOf('GATEHOUSE_DEPRECATIONS', ['warn', 'error']) ?? 'warn',
    misspellings: [], // known once everything was asked for
  };
  surroundings.readMore?.(env, config);
  const found = misspellings(Object.keys(environment), env.names);
  if (env.mistakes.length > 0) throw new ConfigError([...env.mistakes, ...found], env.subject);
  return { ...config, misspellings: found };
}

interface HttpUse {
  readonly port: number;
  readonly production: boolean;
  readonly telemetry: TelemetryConfig;
}

function readHttp(env: EnvironmentReader, { port, production, telemetry }: HttpUse): HttpConfig {
  const trustedProxies = readNetworks(env, 'TRUSTED_PROXIES');
  const host = env.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1');
  const metricsPort = env.whole('METRICS_PORT', PORTS);
  return Object.assign(new HttpConfig(), {
    host,
    port,
    trustedProxies,
    ...readCertificates(env, trustedProxies),
    metricsPort,
    isMeasured: metricsPort !== undefined || telemetry.metricsUrl !== undefined,
    metricsHost: env.text('METRICS_HOST') ?? host,
    drainSeconds: env.whole('DRAIN_SECONDS', { from: 0, to: 60 }) ?? (production ? 5 : 0),
  });
}

/** Certificates of clients come from proxies, which alone have spoken TLS with them (RFC 8705 §6.5). */
function readCertificates(
  env: EnvironmentReader,
  trustedProxies: readonly string[],
): Pick<HttpConfig, 'certificateHeader' | 'certificateVerdictHeader' | 'mtlsUrl'> {
  const certificateHeader = readHeaderName(env, 'CLIENT_CERT_HEADER');
  const certificateVerdictHeader = readHeaderName(env, 'CLIENT_CERT_VERIFY_HEADER');
  const mtlsUrl = env.text('MTLS_URL')?.replace(/\/$/, '');
  if (certificateHeader !== undefined && trustedProxies.length === 0)
    env.mistake('CLIENT_CERT_HEADER is believed of the proxies in TRUSTED_PROXIES alone, which is missing.');
  if (certificateHeader === undefined && (certificateVerdictHeader !== undefined || mtlsUrl !== undefined))
    env.mistake(
      'CLIENT_CERT_VERIFY_HEADER and MTLS_URL are for the certificates in CLIENT_CERT_HEADER, which is missing.',
    );
  if (
    mtlsUrl !== undefined &&
    !(URL.canParse(mtlsUrl) && new URL(mtlsUrl).origin === mtlsUrl && mtlsUrl.startsWith('https:'))
  )
    env.mistake(
      `MTLS_URL is "${mtlsUrl}". Give an https origin in lower case and without a path, such as https://mtls.example.com.`,
    );
  return { certificateHeader, certificateVerdictHeader, mtlsUrl };
}

function readHeaderName(env: EnvironmentReader, name: string): string | undefined {
  const header = env.text(name)?.toLowerCase();
  if (header !== undefined && !/^[a-z0-9-]{1,100}$/.test(header))
    env.mistake(`${name} is "${header}". Give the name of a header, such as X-Client-Cert.`);
  return header;
}

function readIssuer(env: EnvironmentReader, port: number, production: boolean): IssuerConfig {
  const publicUrl = (env.text('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/$/, '');
  const insecureAllowed = env.oneOf('ALLOW_INSECURE_HTTP', ['true', 'false']) === 'true';
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.origin !== publicUrl) {
    env.mistake(
      `PUBLIC_URL is "${publicUrl}". Give the origin under which users reach the service, in lower case and without a path, such as https://id.example.com.`,
    );
  } else if (production && url.protocol === 'http:' && !isLoopback(url.hostname) && !insecureAllowed) {
    env.mistake(
      `PUBLIC_URL is "${publicUrl}", which is not encrypted. Give an https URL, or set ALLOW_INSECURE_HTTP=true if the connection is protected otherwise.`,
    );
  }
  const urnWord = env.text('URN_WORD') ?? DEFAULT_URN_WORD;
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(urnWord)) {
    env.mistake(`URN_WORD is "${urnWord}". Give a word of lower-case letters, digits and hyphens.`);
  }
  const defaultLanguage = env.text('DEFAULT_LANGUAGE') ?? 'en';
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(defaultLanguage)) {
    env.mistake(`DEFAULT_LANGUAGE is "${defaultLanguage}". Give a language tag such as en or de.`);
  }
  const publishesOAuthMetadata = env.oneOf('OAUTH_METADATA', ['on', 'off']) === 'on';
  return Object.assign(new IssuerConfig(), {
    production,
    publicUrl,
    urnWord,
    defaultLanguage,
    publishesOAuthMetadata,
    requiresPushedRequests: env.oneOf('REQUIRE_PUSHED_REQUESTS', ['on', 'off']) === 'on',
    fetchesRequestObjects: env.oneOf('REQUEST_URI', ['off', 'registered']) === 'registered',
  });
}

/**
 * WebAuthn Level 3 §5.1.3: the host of the pages, or a parent of it that has an owner, which a public suffix has not.
 * Browsers refuse those as well, but only when the first key is made. An address is no domain.
 */
function readPasskey(env: EnvironmentReader, publicUrl: string): PasskeyConfig {
  const { hostname = '', origin = '' } = URL.canParse(publicUrl) ? new URL(publicUrl) : {};
  const host = isAddress(hostname) || hostname === '' ? undefined : hostname;
  const wanted = env.text('PASSKEY_RP_ID');
  const isOurs =
    wanted === undefined ||
    wanted === host ||
    (host !== undefined && host.endsWith(`.${wanted}`) && domainToASCII(wanted) === wanted && !isPublicSuffix(wanted));
  if (!isOurs) {
    env.mistake(
      `PASSKEY_RP_ID is "${wanted}". Give the host of PUBLIC_URL or a domain above it, such as example.com for https://id.example.com, but no public suffix such as co.uk.`,
    );
  }
  return Object.assign(new PasskeyConfig(), { rpId: wanted ?? host, origin });
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

function readWorkers(env: EnvironmentReader, processors: number): number {
  if (env.text('WORKERS') === 'auto') return Math.min(processors, MAX_WORKERS);
  const text = env.text('WORKERS') ?? '1';
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_WORKERS) return count;
  env.mistake(`WORKERS is "${text}". Give an integer from 1 to ${MAX_WORKERS}, or auto for one per processor.`);
  return 1;
}

interface DatabaseUse {
  readonly dataDir: string;
  readonly production: boolean;
  readonly workers: number;
}

function readDatabase(env: EnvironmentReader, { dataDir, production, workers }: DatabaseUse): DatabaseConfig {
  const [url, directUrl] = [readPostgresUrl(env, 'DATABASE_URL'), readPostgresUrl(env, 'DATABASE_DIRECT_URL')];
  if (directUrl && !url) {
    env.mistake(
      'DATABASE_DIRECT_URL is for a pooler in DATABASE_URL, which is missing. Without a pooler, set DATABASE_URL alone.',
    );
  }
  if (production && !url) {
    env.mistake(
      'DATABASE_URL is missing: the embedded database is for development only. Give the URL of a PostgreSQL server, version 14 or later.',
    );
  }
  const poolSize = Math.max(MIN_POOL_SIZE, Math.min(POOL_SIZE, Math.floor(CONNECTIONS_OF_ALL / workers)));
  return Object.assign(new DatabaseConfig(), { url, directUrl, dataDir, poolSize });
}

function readSecrets(env: EnvironmentReader, dataDir: string, production: boolean): SecretsConfig {
  const masterKey = env.secret('MASTER_KEY');
  const previousMasterKeys = env.list('MASTER_KEY_PREVIOUS').map((key) => new Secret(key));
  if (production && !masterKey) {
    env.mistake(
      'MASTER_KEY is missing. Give a random string of 16 characters or more, for example from `openssl rand -base64 32`, and keep it: without it, stored secrets cannot be read.',
    );
  }
  if ([masterKey, ...previousMasterKeys].some((key) => key && [...key.reveal()].length < MIN_MASTER_KEY_CHARACTERS)) {
    env.mistake(
      `MASTER_KEY and each key in MASTER_KEY_PREVIOUS must have at least ${MIN_MASTER_KEY_CHARACTERS} characters.`,
    );
  }
  return Object.assign(new SecretsConfig(), { masterKey, previousMasterKeys, dataDir });
}

function readFirstStart(env: EnvironmentReader, dataDir: string, production: boolean): FirstStartConfig {
  const adminEmail = env.text('FIRST_ADMIN_EMAIL') ?? 'admin@acme.localhost';
  const [, domain = ''] = /^[^\s@]{1,64}@([\p{L}\p{M}\p{N}._-]{1,190})$/u.exec(adminEmail) ?? [];
  if (domainToASCII(domain) === '') {
    env.mistake(`FIRST_ADMIN_EMAIL is "${adminEmail}". Give an e-mail address.`);
  }
  const tokenPath = env.text('FIRST_TOKEN_PATH');
  return Object.assign(new FirstStartConfig(), {
    tokenPath: tokenPath === undefined ? undefined : resolve(tokenPath),
    orgName: env.text('FIRST_ORG_NAME') ?? 'Acme',
    adminUsername: env.text('FIRST_ADMIN_USERNAME') ?? 'admin',
    adminEmail,
    adminPassword: env.secret('FIRST_ADMIN_PASSWORD'),
    development: !production,
    dataDir,
  });
}

function readLogin(env: EnvironmentReader, production: boolean): LoginConfig {
  const limits = env.oneOf('LOGIN_LIMITS', ['on', 'off']) !== 'off';
  if (production && !limits)
    env.mistake('LOGIN_LIMITS is off, which allows passwords to be guessed. Remove it in production.');
  return Object.assign(new LoginConfig(), { limits });
}

function readDemo(env: EnvironmentReader, port: number, production: boolean): DemoConfig {
  const given = env.text('DEMO_PORT');
  if (given === 'off') return Object.assign(new DemoConfig(), { port: undefined });
  if (given !== undefined && production) {
    env.mistake('DEMO_PORT is for development: the demo application shows tokens. Remove it.');
  }
  // The redirect URIs are registered before the demo listens, so its port cannot be left to the operating system.
  const chosen = given === undefined ? undefined : env.whole('DEMO_PORT', { from: 1, to: PORTS.to });
  const usual = production || port === 0 || port === PORTS.to ? undefined : port + 1;
  return Object.assign(new DemoConfig(), { port: chosen ?? usual });
}

function readSmtpUrl(env: EnvironmentReader): Secret | undefined {
  const url = env.secret('SMTP_URL');
  if (url && !/^smtps?:\/\//.test(url.reveal())) {
    env.mistake('SMTP_URL is not an SMTP URL. Give smtp://user:password@host:587 or smtps://….');
  } else if (url) {
    const mistake = urlMistake(url.reveal());
    if (mistake !== undefined) env.mistake(`SMTP_URL ${mistake}`);
  }
  if (url && !env.text('MAIL_FROM')) {
    env.mistake('MAIL_FROM is missing. SMTP_URL requires a sender, such as "Acme <no-reply@example.com>".');
  }
  return url;
}

function readObjectStore(env: EnvironmentReader): ObjectStoreConfig {
  const directory = env.text('OBJECT_STORE_DIR');
  return Object.assign(new ObjectStoreConfig(), {
    endpoint: readUrl(env, 'OBJECT_STORE_ENDPOINT'),
    tokenUri: readUrl(env, 'OBJECT_STORE_TOKEN_URI'),
    s3Endpoints: readOrigins(env, 'OBJECT_STORE_S3_ENDPOINTS'),
    directory: directory === undefined ? undefined : resolve(directory),
  });
}

function readOrigins(env: EnvironmentReader, name: string): readonly string[] {
  return env.list(name).map((entry) => {
    const url = /^https?:\/\/[^/]/.test(entry) && URL.canParse(entry) ? new URL(entry) : undefined;
    const isOrigin = url !== undefined && `${url.pathname}${url.search}${url.hash}${url.username}` === '/';
    if (!isOrigin) env.mistake(`${name} contains "${entry}". Give origins such as http://minio:9000, comma-separated.`);
    return url?.origin ?? entry;
  });
}

function readNetworks(env: EnvironmentReader, name: string): readonly string[] {
  const networks = env.list(name);
  for (const entry of networks) {
    if (!isNetwork(entry))
      env.mistake(`${name} contains "${entry}". Give addresses or networks such as 10.0.0.0/8, comma-separated.`);
  }
  return networks;
}

function readDocumentHosts(env: EnvironmentReader): readonly string[] {
  const hosts = env.list('CLIENT_DOCUMENT_HOSTS');
  for (const host of hosts) {
    const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)*(:[1-9]\d{0,4})?$/.test(host) && !isAddress(host.replace(/:.*/, ''));
    if (host !== '*' && !isHost)
      env.mistake(
        `CLIENT_DOCUMENT_HOSTS contains "${host}". Give host names in lower case such as app.example.com, comma-separated, or * for all.`,
      );
  }
  return hosts;
}

function readUrl(env: EnvironmentReader, name: string): string | undefined {
  const text = env.text(name);
  if (text !== undefined && !/^https?:\/\/[^/]/.test(text)) {
    env.mistake(`${name} is "${text}". Give an http or https URL.`);
  }
  return text;
}
