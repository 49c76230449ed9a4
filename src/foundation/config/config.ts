import type { Secret } from './secret.js';

/** One small class per reader, so that a constructor shows what a class may depend on. Built by `parseConfig`. */

/** The word if the operator sets none. */
export const DEFAULT_URN_WORD = 'service';

/** Whether an operator has chosen the word of another vendor, to bring that vendor's clients. */
export function isWordOfAnotherVendor(urnWord: string): boolean {
  return urnWord !== DEFAULT_URN_WORD;
}

export class HttpConfig {
  readonly host!: string;
  readonly port!: number;
  /** Addresses or networks (CIDR) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies!: readonly string[];
  /** The header in which those proxies send the certificate of a client, in lower case. Undefined: none is believed. */
  readonly certificateHeader!: string | undefined;
  /** The header in which they say whether they have verified its chain. Undefined: they do not say it. */
  readonly certificateVerdictHeader!: string | undefined;
  /** The origin at which they ask clients for a certificate, if it is another one than `PUBLIC_URL`. */
  readonly mtlsUrl!: string | undefined;
  /** Port of the Prometheus listener; undefined: no metrics. */
  readonly metricsPort!: number | undefined;
  /** Whether requests are measured: for a collector, or for the port, on which a supervisor listens if there is one. */
  readonly isMeasured!: boolean;
  readonly metricsHost!: string;
  /** For how long a stopping process still takes requests, so that load balancers notice that it is not ready. */
  readonly drainSeconds!: number;
}

/** The `typ` of a JWT access token: that of RFC 9068 §2.1, or the general one that RFC 7519 §5.1 has for every JWT. */
export type AccessTokenHeaderType = 'at+jwt' | 'JWT';

export class IssuerConfig {
  readonly production!: boolean;
  /** The issuer and the base of every URL that leaves the service: an origin, without a slash at its end. */
  readonly publicUrl!: string;
  /** The word in scope, claim and header names: `urn:{word}:iam:…`. */
  readonly urnWord!: string;
  /** BCP 47 tag of the instance's default language, used at the first start. */
  readonly defaultLanguage!: string;

  /**
   * The type of new applications and service users that choose none. An operator who sets the word of another vendor
   * brings resource servers along that were made for its tokens, and most refuse a `typ` that they do not know.
   */
  get accessTokenHeaderType(): AccessTokenHeaderType {
    return this.isOfAnotherVendor ? 'JWT' : 'at+jwt';
  }

  get isOfAnotherVendor(): boolean {
    return isWordOfAnotherVendor(this.urnWord);
  }

  /**
   * Whether the metadata is also published where OAuth clients look that know nothing of OpenID Connect (RFC 8414 §3).
   */
  readonly publishesOAuthMetadata!: boolean;

  /** Whether every authorization request must be pushed first (RFC 9126 §5). */
  readonly requiresPushedRequests!: boolean;

  /** Whether request objects are fetched, from addresses that clients have registered (OIDC Core §6.2). */
  readonly fetchesRequestObjects!: boolean;

  get isHttps(): boolean {
    return this.publicUrl.startsWith('https:');
  }
}

export interface PostgresUrl {
  readonly url: Secret;
  /** The file that it is from, which may have another one later. */
  readonly file?: string | undefined;
}

export class DatabaseConfig {
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly url!: PostgresUrl | undefined;
  /** The server itself, where `url` leads to a pooler. Undefined: `url` leads to the server. */
  readonly directUrl!: PostgresUrl | undefined;
  readonly dataDir!: string;
  /** How many connections a process keeps. */
  readonly poolSize!: number;
}

export class SecretsConfig {
  /** Undefined: generated into `dataDir` (development only). */
  readonly masterKey!: Secret | undefined;
  readonly previousMasterKeys!: readonly Secret[];
  readonly dataDir!: string;
}

export class FirstStartConfig {
  readonly orgName!: string;
  readonly adminUsername!: string;
  readonly adminEmail!: string;
  readonly adminPassword!: Secret | undefined;
  /**
   * Production: where the first start writes a token of an owner of the instance. Undefined: nowhere, and there is
   * none.
   */
  readonly tokenPath!: string | undefined;
  /** Development: also write `first-run.json` and `admin.pat`, and register the demo application. */
  readonly development!: boolean;
  readonly dataDir!: string;
}

export class TokenConfig {
  /** For how long an authorization code may be redeemed. */
  readonly codeSeconds!: number;
  /** For how long a refresh token already used gives its successor again; 0: never. */
  readonly refreshGraceSeconds!: number;
  /** For how long a device code is valid. */
  readonly deviceSeconds!: number;
  /** The answer to a client that names a resource which no project has: a refusal, or tokens as if it had not. */
  readonly unknownResource!: 'refuse' | 'ignore';
  /** How long a device waits between two questions. */
  readonly deviceIntervalSeconds!: number;
  /** Whether a proof of a key must contain a nonce of ours (RFC 9449 §8, §9). */
  readonly requiresProofNonce!: boolean;
  /** Where used proofs of keys are remembered: by each process, or by all of them in the database (RFC 9449 §11.1). */
  readonly proofReplay!: 'process' | 'shared';
}

export class LoginConfig {
  /** False only for load tests and certification runs; production refuses that. */
  readonly limits!: boolean;
}

export class PasswordConfig {
  /** The highest cost of a password hash that was made elsewhere, in milliseconds of one core. */
  readonly importedHashMs!: number;
  /** The size of Node's thread pool, which computes password hashes. */
  readonly poolThreads!: number;
  /** How many processes of the service share the processors of this machine. */
  readonly processes!: number;
}

export class PasskeyConfig {
  /** The domain that keys are made for (RP ID, WebAuthn Level 3 §4). Undefined: there are no passkeys here. */
  readonly rpId!: string | undefined;
  /** The only origin whose pages may ask for them. */
  readonly origin!: string;
}

export class AdminConfig {
  /** How many requests of the administrative API one token may make to one process. */
  readonly ratePerSecond!: number;
}

export class MailConfig {
  readonly smtpUrl!: Secret | undefined;
  readonly from!: string | undefined;
}

export class DemoConfig {
  readonly clientId = 'demo';
  /** Undefined: the demo application is off. */
  readonly port!: number | undefined;

  /** The origin of the pages as an application, if it is another one than the service's. */
  get origin(): string | undefined {
    return this.port === undefined ? undefined : `http://127.0.0.1:${this.port}`;
  }

  /** Where sign-ins end, and what a silent renewal ends in. */
  get redirectUris(): readonly string[] {
    return this.origin === undefined ? [] : [`${this.origin}/`, `${this.origin}/silent.html`];
  }
}

export class LogConfig {
  readonly level!: LogLevel;
  readonly format!: 'pretty' | 'json';
}

/** How requests are chosen of which spans are reported (OTEL_TRACES_SAMPLER). */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** What is sent to a collector of OpenTelemetry, by the settings that its official packages have. */
export class TelemetryConfig {
  /** Where spans are sent to. Undefined: nowhere. */
  readonly tracesUrl!: string | undefined;
  /** Where metrics are sent to. Undefined: nowhere. */
  readonly metricsUrl!: string | undefined;
  /** Headers of what is sent: `key=value`, comma-separated, with what is not a letter percent-encoded. */
  readonly headers!: Secret | undefined;
  /** The attributes of the resource, with `service.name`. */
  readonly resource!: Readonly<Record<string, string>>;
  readonly sampler!: SamplerName;
  /** The part of all traces that is reported, for samplers by ratio. */
  readonly sampledRatio!: number;
  readonly metricIntervalMs!: number;
  /** Limits of the queue of spans. */
  readonly queue!: { readonly maxQueueSize: number; readonly maxExportBatchSize: number };
  readonly queueDelayMs!: number;
  /** How long the collector may take, with what is tried again. */
  readonly timeoutMs!: number;
  /** Whether several processes have these settings, so that what names one of them must be made different. */
  readonly isShared!: boolean;

  /** If not, nothing of OpenTelemetry is loaded. */
  get isOn(): boolean {
    return this.tracesUrl !== undefined || this.metricsUrl !== undefined;
  }
}

/** Applications that no administrator has registered. */
export class SelfDescribedConfig {
  /**
   * The hosts whose addresses may be client IDs, each in lower case and with its port if that is not 443. Empty: none
   * is read. `*`: all hosts, on that port.
   */
  readonly documentHosts!: readonly string[];
  /** Whether applications register themselves (RFC 7591): with a token of an administrator, or without. */
  readonly registration!: 'off' | 'token' | 'open';
  /** How many registrations and changes one network may ask for in a minute. */
  readonly registrationsPerMinute!: number;
  /** After how many days without use such an application is removed. */
  readonly unusedDays!: number;

  get readsDocuments(): boolean {
    return this.documentHosts.length > 0;
  }
}

export class OutboundConfig {
  /** Addresses or networks (CIDR) that may be called although they are not public. */
  readonly allow!: readonly string[];
  readonly jwtIdpAudiences!: readonly string[];
}

export class ObjectStoreConfig {
  /** Where buckets are, when not at Google: an emulator, or a private way to it. Undefined: Google's own. */
  readonly endpoint!: string | undefined;
  /**
   * Where the tokens of service accounts are fetched, when not at Google. Another endpoint without it is asked without
   * tokens.
   */
  readonly tokenUri!: string | undefined;
  /**
   * S3-compatible storages, as origins, which requests may name whatever their address is; the first one is meant
   * where a request names none.
   */
  readonly s3Endpoints!: readonly string[];
  /** Where files are kept that a request names without a bucket. Undefined: nowhere. */
  readonly directory!: string | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that the environment decides, read once at the start. */
export interface Config {
  readonly http: HttpConfig;
  readonly issuer: IssuerConfig;
  readonly database: DatabaseConfig;
  readonly secrets: SecretsConfig;
  readonly firstStart: FirstStartConfig;
  readonly token: TokenConfig;
  readonly login: LoginConfig;
  readonly password: PasswordConfig;
  readonly passkey: PasskeyConfig;
  readonly admin: AdminConfig;
  readonly mail: MailConfig;
  readonly demo: DemoConfig;
  readonly log: LogConfig;
  readonly telemetry: TelemetryConfig;
  readonly outbound: OutboundConfig;
  readonly selfDescribed: SelfDescribedConfig;
  readonly objectStore: ObjectStoreConfig;
  /** How many processes serve the port. */
  readonly workers: number;
  /** Whether an extension that uses what goes away is told in the log, or is a reason not to start. */
  readonly deprecations: 'warn' | 'error';
  /** What looks like a misspelled setting, in sentences. */
  readonly misspellings: readonly string[];
}
