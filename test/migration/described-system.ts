import { pbkdf2Sync } from 'node:crypto';
import { HASH, SEED } from './document.js';

/* A model of the described system. What it writes of it is in `described-export.ts`. */

/* oxlint-disable typescript/no-explicit-any -- documents are made and read as they come */
export type Entry = Record<string, any>;

/**
 * Numbers of its own enumeration of providers; those of the wire differ from them, and the export does not translate.
 */
export const PROVIDER_KIND = { oidc: 1, jwt: 2, github: 6, google: 10 } as const;

export interface Provider {
  readonly id: string;
  readonly kind: keyof typeof PROVIDER_KIND;
  readonly name: string;
  readonly issuer?: string;
}

export interface Person {
  readonly id: string;
  readonly userName: string;
  readonly firstName?: string;
  readonly language?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly hash?: string;
  readonly seed?: string;
  readonly links?: ReadonlyArray<readonly [provider: string, subject: string]>;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface Service {
  readonly id: string;
  readonly userName: string;
  readonly keyId?: string;
}

interface App {
  readonly id: string;
  readonly name: string;
  readonly key?: { readonly id: string; readonly clientId: string };
  /** Settings as the export has them; absent: an API application. */
  readonly oidc?: Entry;
}

interface Project {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly apps: readonly App[];
  readonly managers: ReadonlyArray<readonly [userId: string, role: string]>;
  readonly grants: ReadonlyArray<{
    readonly id: string;
    readonly orgId: string;
    readonly roles: readonly string[];
    readonly managers: readonly string[];
  }>;
}

export interface SourceOrg {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly providers: readonly Provider[];
  /** Providers that its login policy lists, of its own or of the instance. */
  readonly offers: readonly string[];
  readonly people: readonly Person[];
  readonly services: readonly Service[];
  readonly projects: readonly Project[];
  readonly managers: ReadonlyArray<readonly [userId: string, ...roles: string[]]>;
  readonly userGrants: ReadonlyArray<{
    readonly userId: string;
    readonly projectId: string;
    readonly grantId?: string;
    readonly roles: readonly string[];
  }>;
}

export interface Source {
  readonly orgs: readonly SourceOrg[];
  readonly instanceProviders: readonly Provider[];
}

/** Two organizations that use all of it, and point at each other. Ids and names begin with a prefix. */
export function sourceOf(prefix: string): Source {
  const key = (what: string): string => `${prefix}-${what}`;
  const instanceProviders: Provider[] = [
    { id: key('google'), kind: 'google', name: 'Google' },
    { id: key('corporate'), kind: 'oidc', name: 'Corporate' },
  ];
  return { instanceProviders, orgs: [birkenhof(key), spedition(key)] };
}

const PASSWORD = 'password';
const SALT = Buffer.from('sixteen bytes: 1');
/** As the tools around the described system write it: in base64 with padding. */
const PADDED_HASH = `$pbkdf2-sha256$27500$${SALT.toString('base64')}$${pbkdf2Sync(PASSWORD, SALT, 27_500, 64, 'sha256').toString('base64')}`;

function birkenhof(key: (what: string) => string): SourceOrg {
  const code = {
    responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  };
  return {
    id: key('birkenhof'),
    name: `Birkenhof ${key('org')}`,
    domains: [`birkenhof_${key('d')}.test`, `unproven-${key('d')}.test`],
    providers: [
      { id: key('sso'), kind: 'oidc', name: 'Firmen-Login' },
      { id: key('edge'), kind: 'jwt', name: 'Gateway' },
      { id: key('old'), kind: 'oidc', name: 'Altes Login', issuer: 'http://sso.birkenhof.example' },
      { id: key('github'), kind: 'github', name: 'GitHub' },
    ],
    offers: [key('sso'), key('github'), key('corporate')],
    people: [
      {
        id: key('ilse'),
        userName: 'ilse brandt',
        language: 'de',
        email: `ilse@birkenhof-${key('d')}.test`,
        phone: '+49301234567',
        hash: PADDED_HASH,
        seed: SEED,
        metadata: { depot: 'Berlin' },
        links: [
          [key('sso'), 'u-1'],
          [key('google'), 'g-1'],
          [key('edge'), 'e-1'],
          [key('old'), 'o-1'],
        ],
      },
      {
        id: key('google-only'),
        userName: 'only.google',
        email: `g@birkenhof-${key('d')}.test`,
        links: [[key('google'), 'g-2']],
      },
      {
        id: key('sso-only'),
        userName: 'only.sso',
        email: `s@birkenhof-${key('d')}.test`,
        links: [[key('sso'), 'u-2']],
      },
      { id: key('karl'), userName: 'karl', hash: HASH },
    ],
    services: [{ id: key('sync'), userName: `${key('sync')}-service`, keyId: key('machine-key') }],
    projects: [
      {
        id: key('tours'),
        name: 'Tours',
        roles: ['dispatcher', 'driver'],
        managers: [
          [key('ilse'), 'PROJECT_OWNER'],
          [key('sync'), 'PROJECT_OWNER_VIEWER'],
        ],
        grants: [{ id: key('grant'), orgId: key('spedition'), roles: ['driver'], managers: [key('bodo')] }],
        apps: [
          { id: key('api'), name: 'tour-api', key: { id: key('app-key'), clientId: `${key('api')}@tours` } },
          { id: key('api-basic'), name: 'tour-api-basic' },
          {
            id: key('web'),
            name: 'tour-web',
            oidc: {
              ...code,
              redirectUris: ['https://touren.birkenhof.example/cb'],
              postLogoutRedirectUris: ['https://touren.birkenhof.example/'],
              additionalOrigins: ['https://touren.birkenhof.example/'],
            },
          },
          {
            id: key('intranet'),
            name: 'intranet',
            oidc: { ...code, redirectUris: ['http://intranet.birkenhof.example/cb'] },
          },
          {
            id: key('spa'),
            name: 'spa',
            oidc: {
              ...code,
              appType: 'OIDC_APP_TYPE_USER_AGENT',
              authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
              redirectUris: [
                'https://spa.birkenhof.example/cb',
                'http://spa.birkenhof.example/cb',
                'https://spa.birkenhof.example/#/cb',
              ],
              additionalOrigins: ['https://spa.birkenhof.example/app'],
              responseTypes: ['OIDC_RESPONSE_TYPE_CODE', 'OIDC_RESPONSE_TYPE_ID_TOKEN'],
            },
          },
          {
            id: key('previews'),
            name: 'previews',
            oidc: {
              ...code,
              devMode: true,
              redirectUris: [
                'https://*.preview.birkenhof.example/cb',
                'https://preview.birkenhof.example/*',
                'http://localhost:3000/cb',
              ],
            },
          },
          { id: key('odd'), name: 'odd', oidc: { ...code, redirectUris: ['com.birkenhof.app:/cb'], clockSkew: '7s' } },
          {
            id: key('phone'),
            name: 'phone',
            oidc: {
              ...code,
              appType: 'OIDC_APP_TYPE_NATIVE',
              authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
              redirectUris: ['com.birkenhof.app:/cb', 'http://127.0.0.1/cb'],
            },
          },
        ],
      },
    ],
    managers: [
      [key('ilse'), 'ORG_OWNER', 'SELF_MANAGEMENT_GLOBAL'],
      [key('karl'), 'SELF_MANAGEMENT_GLOBAL'],
      [key('bodo'), 'ORG_OWNER_VIEWER'],
    ],
    userGrants: [{ userId: key('ilse'), projectId: key('tours'), roles: ['dispatcher', 'driver'] }],
  };
}

function spedition(key: (what: string) => string): SourceOrg {
  return {
    id: key('spedition'),
    name: `Spedition ${key('org')}`,
    domains: [`spedition-${key('d')}.test`],
    providers: [],
    offers: [key('google')],
    people: [
      {
        id: key('bodo'),
        userName: 'bodo',
        firstName: 'Bodo',
        language: 'en',
        email: `bodo@spedition-${key('d')}.test`,
        hash: HASH,
      },
    ],
    services: [],
    projects: [
      {
        id: key('depot'),
        name: 'Depot',
        roles: ['clerk'],
        managers: [[key('bodo'), 'PROJECT_OWNER']],
        grants: [],
        apps: [],
      },
    ],
    managers: [[key('bodo'), 'ORG_OWNER']],
    userGrants: [
      { userId: key('bodo'), projectId: key('tours'), grantId: key('grant'), roles: ['driver'] },
      { userId: key('bodo'), projectId: key('depot'), roles: ['clerk'] },
    ],
  };
}
