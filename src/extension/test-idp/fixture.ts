/** Text, number or list, as JSON and YAML have them. @public */
export type FixtureValue =
  | string
  | number
  | boolean
  | null
  | readonly FixtureValue[]
  | { readonly [name: string]: FixtureValue };

/** Settings by the names that the administrative API and its documents have for them. @public */
export type FixtureSettings = Readonly<Record<string, FixtureValue>>;

/**
 * What an identity provider for tests begins with, and returns to. Names are those by which a test calls its users.
 * @public
 */
export interface Fixture {
  /** By default one, `acme`. The first is that of everything that names none. */
  readonly organizations?: Readonly<Record<string, FixtureOrganization>>;
  /** By default one, `main`. The first is that of applications that name none. */
  readonly projects?: Readonly<Record<string, FixtureProject>>;
  readonly applications?: Readonly<Record<string, FixtureApplication>>;
  readonly users?: Readonly<Record<string, FixtureUser>>;
  /** Users that are programs. */
  readonly serviceUsers?: Readonly<Record<string, FixtureServiceUser>>;
}

/** @public */
export interface FixtureOrganization {
  /** By default the name in the fixture. */
  readonly name?: string;
  /** Its login names end with it; by default `{name}.test`. */
  readonly domain?: string;
  /** Members of the organization in a document of the administrative API: `loginPolicy`, `lockoutPolicy`, … */
  readonly settings?: FixtureSettings;
}

/** @public */
export interface FixtureProject {
  readonly name?: string;
  readonly organization?: string;
  readonly roles?: readonly string[];
  /** `projectRoleAssertion`, `projectRoleCheck`, `resourceUris`, … */
  readonly settings?: FixtureSettings;
}

/**
 * `web`: on a server, with a secret. `browser`: in a browser, without one. `native`: on a phone, a desktop or the
 * command line. `device`: without a browser of its own. `api`: asks about tokens, and signs nobody in.
 * @public
 */
export type FixtureApplicationKind = 'web' | 'browser' | 'native' | 'device' | 'api';

/** @public */
export interface FixtureApplication {
  /** By default `web`. */
  readonly kind?: FixtureApplicationKind;
  /** By default the name in the fixture. */
  readonly clientId?: string;
  /** Of `web` and `api`; by default made at each start. */
  readonly secret?: string;
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  /** Takes every redirect URI of this machine, whatever its port and path; by default if none is named. */
  readonly anyLoopbackRedirect?: boolean;
  readonly project?: string;
  /** `accessTokenType`, `backChannelLogoutUri`, `idTokenLifetime`, … */
  readonly settings?: FixtureSettings;
}

/** @public */
export interface FixtureUser {
  readonly organization?: string;
  /** By default the name in the fixture. It is the `sub` of tokens. */
  readonly id?: string;
  /** By default the name in the fixture. */
  readonly userName?: string;
  /** By default `{name}@{domain of the organization}`. */
  readonly email?: string;
  /** Whether the e-mail address is verified; by default it is. */
  readonly verified?: boolean;
  /** By default `Correct-Horse-7`. */
  readonly password?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** The preferred language: `de`. */
  readonly locale?: string;
  readonly phone?: string;
  /** `nickName`, `gender`, `zoneinfo`, `address`, … */
  readonly profile?: FixtureSettings;
  /** Roles of the first project, or by project: `{ shop: ['editor'] }`. */
  readonly roles?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** Groups of the organization, which are made. */
  readonly groups?: readonly string[];
  /** Roles of a manager of the organization: `ORG_OWNER`. */
  readonly managerRoles?: readonly string[];
  /** The seed of an authenticator app, in Base32: the second factor. */
  readonly totp?: string;
  /** Codes by mail as second factor. */
  readonly emailCode?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly passwordChangeRequired?: boolean;
  /** By default `active`. */
  readonly state?: 'active' | 'inactive' | 'locked';
}

/** @public */
export interface FixtureServiceUser {
  readonly organization?: string;
  readonly id?: string;
  readonly userName?: string;
  readonly name?: string;
  /** For the grant `client_credentials`; by default made at each start. */
  readonly secret?: string;
  readonly roles?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  readonly managerRoles?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** `accessTokenType`, … */
  readonly settings?: FixtureSettings;
}

/** What there is without a fixture. */
export const DEFAULT_FIXTURE: Fixture = {
  organizations: { acme: { name: 'Acme' } },
  projects: { main: { name: 'Main', roles: ['admin', 'editor'], settings: { projectRoleAssertion: true } } },
  applications: {
    web: { kind: 'web', secret: 'web-secret' },
    spa: { kind: 'browser' },
    native: { kind: 'native', redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback'] },
    api: { kind: 'api', secret: 'api-secret' },
  },
  users: {
    alice: { firstName: 'Alice', lastName: 'Adams', roles: ['admin'] },
    bob: { firstName: 'Bob', lastName: 'Brown', roles: ['editor'] },
  },
  serviceUsers: { worker: { name: 'Worker', secret: 'worker-secret', roles: ['editor'] } },
};
