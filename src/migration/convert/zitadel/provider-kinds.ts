import { flagOf, type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import type { TableFacts } from './layout.js';
import { numberOf, textsIn, wordOf } from './source.js';

/** A row of `idp_templates` with what its kind adds. */
export interface ProviderRow {
  readonly common: Stored;
  /** Of the table of its kind. */
  readonly own: Stored;
  /** The secret in a column of `own`, in clear; empty if it cannot be opened. */
  secret(column: string): string;
}

export type OidcProvider = NonNullable<Entry<'oidcIdps'>['idp']>;
type JwtProvider = NonNullable<Entry<'jwtIdps'>['idp']>;
type ExtProvider = NonNullable<Entry<'extensionIdps'>['idp']>;

/** What a provider becomes, but for its name and options. */
export type Settings =
  | { readonly list: 'oidcIdps'; readonly idp: Omit<OidcProvider, 'name'> }
  | { readonly list: 'jwtIdps'; readonly idp: Omit<JwtProvider, 'name'> }
  | { readonly list: 'extensionIdps'; readonly extension: string; readonly idp: Omit<ExtProvider, 'name'> };

export interface ProviderKind {
  readonly name: string;
  readonly facts: TableFacts;
  /** The columns with secrets, which are missing without a master key. */
  readonly secrets: readonly string[];
  /** A text for what is not possible. @param extensions those of the target */
  convert(row: ProviderRow, extensions: ReadonlySet<string>): Settings | string;
  /** The id of a person at the provider, in the form that is used here. */
  subjectOf?(subject: string, row: ProviderRow): string;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const GUID_BYTES = 16;
const NAME_IDS = { 0: 'unspecified', 1: 'emailAddress', 2: 'persistent', 3: 'transient' } as const;
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

function factsOf(part: string, needs: readonly string[], may: readonly string[] = []): TableFacts {
  return { table: 'idp_templates', part, needs: ['idp_id', 'instance_id', ...needs], may };
}

const CLIENT = ['client_id', 'client_secret', 'scopes'];

function scopesOf({ own }: ProviderRow, required: readonly string[] = ['openid']): string[] {
  const scopes = textsIn(own, 'scopes');
  return [...new Set([...required, ...(scopes.length === 0 ? ['profile', 'email'] : scopes)])];
}

function oidc(row: ProviderRow, issuer: string): Settings {
  return {
    list: 'oidcIdps',
    idp: {
      issuer,
      clientId: textOf(row.own, 'client_id'),
      clientSecret: row.secret('client_secret'),
      scopes: scopesOf(row),
      usernameMapping: 'preferred_username',
      ...(row.own['id_token_mapping'] === true ? { isIdTokenMapping: true } : {}),
      ...(row.own['use_pkce'] === true ? { usePkce: true } : {}),
    },
  };
}

/** By a kind that an extension brings, if the target has it. */
function extension(
  name: string,
  kind: string,
  row: ProviderRow,
  extensions: ReadonlySet<string>,
  settings: object,
): Settings | string {
  if (!extensions.has(name))
    return `need the extension "${name}" at the target: name it with --target-extensions ${name}`;
  return {
    list: 'extensionIdps',
    extension: name,
    idp: { kind, clientId: textOf(row.own, 'client_id'), clientSecret: row.secret('client_secret'), settings },
  };
}

/** The bytes of a GUID in hexadecimal: the source writes them in base64, unless they happen to be text. */
function guidIn(subject: string): string {
  const bytes = Buffer.from(subject, 'base64');
  return (bytes.length === GUID_BYTES ? bytes : Buffer.from(subject)).toString('hex');
}

function pemOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

/** By the number of the kind. */
export const PROVIDER_KINDS: Readonly<Record<number, ProviderKind>> = {
  1: {
    name: 'OpenID Connect',
    facts: factsOf('oidc', ['issuer', ...CLIENT], ['id_token_mapping', 'use_pkce']),
    secrets: ['client_secret'],
    convert: (row) => oidc(row, textOf(row.own, 'issuer')),
  },
  2: {
    name: 'JWT',
    facts: factsOf('jwt', ['issuer', 'jwt_endpoint', 'keys_endpoint'], ['header_name']),
    secrets: [],
    convert: ({ own }) => ({
      list: 'jwtIdps',
      idp: {
        issuer: textOf(own, 'issuer'),
        jwtEndpoint: textOf(own, 'jwt_endpoint'),
        keysEndpoint: textOf(own, 'keys_endpoint'),
        headerName: textOf(own, 'header_name'),
      },
    }),
  },
  3: {
    name: 'OAuth',
    facts: factsOf(
      'oauth2',
      [...CLIENT, 'authorization_endpoint', 'token_endpoint', 'user_endpoint', 'id_attribute'],
      ['use_pkce'],
    ),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extension('social', 'ext:social-oauth', row, extensions, {
        authorizationEndpoint: textOf(row.own, 'authorization_endpoint'),
        tokenEndpoint: textOf(row.own, 'token_endpoint'),
        userEndpoint: textOf(row.own, 'user_endpoint'),
        scopes: textsIn(row.own, 'scopes'),
        idAttribute: textOf(row.own, 'id_attribute'),
        isWithoutPkce: row.own['use_pkce'] !== true,
      }),
  },
  4: {
    name: 'LDAP',
    facts: factsOf(
      'ldap2',
      ['servers', 'start_tls', 'bind_dn', 'bind_password', 'base_dn', 'user_object_classes', 'user_filters'],
      [
        'user_base',
        'timeout',
        'root_ca',
        'id_attribute',
        'first_name_attribute',
        'last_name_attribute',
        'display_name_attribute',
        'nick_name_attribute',
        'preferred_username_attribute',
        'email_attribute',
        'email_verified',
        'phone_attribute',
        'phone_verified_attribute',
        'preferred_language_attribute',
        'avatar_url_attribute',
        'profile_attribute',
      ],
    ),
    secrets: ['bind_password'],
    convert: (row, extensions) => directoryOf(row, extensions),
    subjectOf: (subject, { own }) =>
      textOf(own, 'id_attribute').toLowerCase() === 'objectguid' ? guidIn(subject) : subject,
  },
  5: {
    name: 'Entra ID',
    facts: factsOf('azure', [...CLIENT, 'tenant'], ['is_email_verified']),
    secrets: ['client_secret'],
    convert: (row, extensions) => {
      const tenant = textOf(row.own, 'tenant').toLowerCase();
      if (!GUID.test(tenant)) return 'are for all tenants: set them up by hand, with the IDs of the tenants';
      return extension('social', 'ext:social-entra', row, extensions, {
        tenants: [tenant],
        scopes: textsIn(row.own, 'scopes'),
      });
    },
    subjectOf: (subject, { own }) => `${textOf(own, 'tenant').toLowerCase()}.${subject.toLowerCase()}`,
  },
  6: {
    name: 'GitHub',
    facts: factsOf('github', CLIENT),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extension('social', 'ext:social-github', row, extensions, { scopes: textsIn(row.own, 'scopes') }),
  },
  7: {
    name: 'GitHub Enterprise',
    facts: factsOf('github_enterprise', [...CLIENT, 'authorization_endpoint'], ['token_endpoint', 'user_endpoint']),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extension('social', 'ext:social-github', row, extensions, {
        authorizationEndpoint: textOf(row.own, 'authorization_endpoint'),
        tokenEndpoint: textOf(row.own, 'token_endpoint'),
        userEndpoint: textOf(row.own, 'user_endpoint'),
        scopes: textsIn(row.own, 'scopes'),
      }),
  },
  8: {
    name: 'GitLab',
    facts: factsOf('gitlab', CLIENT),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extensions.has('social')
        ? extension('social', 'ext:social-gitlab', row, extensions, { scopes: textsIn(row.own, 'scopes') })
        : oidc(row, 'https://gitlab.com'),
  },
  9: {
    name: 'GitLab, self-hosted',
    facts: factsOf('gitlab_self_hosted', ['issuer', ...CLIENT]),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extensions.has('social')
        ? extension('social', 'ext:social-gitlab', row, extensions, {
            base: textOf(row.own, 'issuer'),
            scopes: textsIn(row.own, 'scopes'),
          })
        : oidc(row, textOf(row.own, 'issuer')),
  },
  10: {
    name: 'Google',
    facts: factsOf('google', CLIENT),
    secrets: ['client_secret'],
    convert: (row, extensions) =>
      extensions.has('social')
        ? extension('social', 'ext:social-google', row, extensions, { scopes: textsIn(row.own, 'scopes') })
        : oidc(row, 'https://accounts.google.com'),
  },
  11: {
    name: 'Apple',
    facts: factsOf('apple', ['client_id', 'team_id', 'key_id', 'private_key'], ['scopes']),
    secrets: ['private_key'],
    convert: (row, extensions) =>
      extension('social', 'ext:social-apple', row, extensions, {
        teamId: textOf(row.own, 'team_id'),
        keyId: textOf(row.own, 'key_id'),
        privateKey: row.secret('private_key'),
        scopes: textsIn(row.own, 'scopes'),
      }),
  },
  12: {
    name: 'SAML',
    facts: factsOf(
      'saml',
      ['metadata'],
      [
        'key',
        'certificate',
        'binding',
        'with_signed_request',
        'name_id_format',
        'transient_mapping_attribute_name',
        'federated_logout_enabled',
        'signature_algorithm',
      ],
    ),
    secrets: [],
    convert: (row, extensions) =>
      extension('saml', 'ext:saml', row, extensions, {
        metadata: pemOf(row.own['metadata']),
        nameIdFormat: wordOf(NAME_IDS, row.own['name_id_format'] ?? 2) ?? 'persistent',
        transientMappingAttribute: textOf(row.own, 'transient_mapping_attribute_name'),
        signRequests: flagOf(row.own, 'with_signed_request'),
        binding: textOf(row.own, 'binding') === POST ? 'post' : 'redirect',
      }),
  },
};

function directoryOf(row: ProviderRow, extensions: ReadonlySet<string>): Settings | string {
  const { own } = row;
  const settings = {
    servers: textsIn(own, 'servers'),
    startTls: flagOf(own, 'start_tls'),
    rootCa: pemOf(own['root_ca']),
    bindDn: textOf(own, 'bind_dn'),
    bindPassword: row.secret('bind_password'),
    userBase: textOf(own, 'base_dn'),
    userFilters: textsIn(own, 'user_filters'),
    userObjectClasses: textsIn(own, 'user_object_classes'),
    idAttribute: textOf(own, 'id_attribute'),
    firstNameAttribute: textOf(own, 'first_name_attribute'),
    lastNameAttribute: textOf(own, 'last_name_attribute'),
    displayNameAttribute: textOf(own, 'display_name_attribute'),
    nickNameAttribute: textOf(own, 'nick_name_attribute'),
    userNameAttribute: textOf(own, 'preferred_username_attribute'),
    emailAttribute: textOf(own, 'email_attribute'),
    phoneAttribute: textOf(own, 'phone_attribute'),
    languageAttribute: textOf(own, 'preferred_language_attribute'),
  };
  return extension('ldap', 'ext:ldap', row, extensions, settings);
}

/** What may happen at the first sign-in with an account of the provider. */
export function optionsOf(row: Stored): Pick<OidcProvider, 'autoRegister' | 'providerOptions'> {
  const autoLinking = ['unspecified', 'username', 'email'] as const;
  return {
    autoRegister: flagOf(row, 'is_auto_creation'),
    providerOptions: {
      isLinkingAllowed: flagOf(row, 'is_linking_allowed'),
      isCreationAllowed: flagOf(row, 'is_creation_allowed'),
      isAutoUpdate: flagOf(row, 'is_auto_update'),
      autoLinking: autoLinking[numberOf(row['auto_linking'])] ?? 'unspecified',
    },
  };
}
