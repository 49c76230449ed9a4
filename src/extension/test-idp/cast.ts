import type { FixtureApplicationKind } from './fixture.js';

/** A user of the fixture who can sign in. @public */
export interface IdpUser {
  /** In the fixture. */
  readonly name: string;
  /** The `sub` of tokens. */
  readonly id: string;
  readonly userName: string;
  /** What to type on the page: `alice@acme.test`. */
  readonly loginName: string;
  readonly email: string;
  readonly password: string;
  readonly organizationId: string;
  /** The seed of the authenticator app, if there is one. */
  readonly totp: string | undefined;
}

/** An application of the fixture. @public */
export interface IdpApplication {
  readonly name: string;
  readonly id: string;
  readonly kind: FixtureApplicationKind;
  readonly clientId: string;
  /** Of `web` and `api`. */
  readonly clientSecret: string | undefined;
  readonly redirectUris: readonly string[];
  readonly projectId: string;
}

/** A user of the fixture that is a program: `client_credentials` with these. @public */
export interface IdpServiceUser {
  readonly name: string;
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
}

export type CastUser = IdpUser;
export type CastServiceUser = IdpServiceUser;
export interface CastApplication extends IdpApplication {
  readonly anyLoopback: boolean;
}

/** Everything that was made by fixtures, by its name in them. */
export interface Cast {
  readonly organizations: Map<string, { readonly name: string; readonly id: string; readonly domain: string }>;
  readonly projects: Map<string, { readonly name: string; readonly id: string; readonly organizationId: string }>;
  readonly applications: Map<string, CastApplication>;
  readonly users: Map<string, CastUser>;
  readonly serviceUsers: Map<string, CastServiceUser>;
  readonly groups: Set<string>;
}

export function emptyCast(): Cast {
  return {
    organizations: new Map(),
    projects: new Map(),
    applications: new Map(),
    users: new Map(),
    serviceUsers: new Map(),
    groups: new Set(),
  };
}

export function copyOf(cast: Cast): Cast {
  return {
    organizations: new Map(cast.organizations),
    projects: new Map(cast.projects),
    applications: new Map(cast.applications),
    users: new Map(cast.users),
    serviceUsers: new Map(cast.serviceUsers),
    groups: new Set(cast.groups),
  };
}
