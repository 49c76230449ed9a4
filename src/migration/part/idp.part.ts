import { newId } from '../../foundation/crypto/id.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { AUTO_LINKING_OPTION, IDP_STATE, IDP_STYLING_TYPE, OIDC_MAPPING_FIELD } from '../../idp/idp.enums.js';
import { idpKindUnknown } from '../../idp/idp.errors.js';
import {
  DEFAULT_HEADER_NAME,
  jwtViolations,
  type OidcOptions,
  oidcOptions,
  oidcViolations,
} from '../../idp/idp-rules.js';
import { IDP_IN_PATH } from '../../idp/in-path.js';
import { choice, type EntryOf, flag, Message, part, struct, text, texts } from '../document/field.js';
import { canBeInPath, ownId } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, flagOf, listIn, type Section, type Stored, textOf } from './part.js';
import { inQuotes, refersTo, type Stage } from './stage.js';

const COLUMNS = [
  'owner_id',
  'name',
  'state',
  'styling_type',
  'auto_register',
  'is_linking_allowed',
  'is_creation_allowed',
  'is_auto_update',
  'auto_linking',
  'type',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'display_name_mapping',
  'username_mapping',
  'jwt_endpoint',
  'keys_endpoint',
  'header_name',
  'settings',
  'secret_settings',
];

export const idpStage: Stage = {
  table: 'idp',
  name: 'an identity provider',
  key: ['id'],
  columns: COLUMNS,
  ownerOf: (t) => `${t}.owner_id`,
  sealed: ['client_secret', 'secret_settings'].map((column) => ({
    column,
    place: ({ id, owner_id }) => ({ table: 'idp', column, row: id!, owner: owner_id! }),
  })),
  uniques: [
    {
      columns: ['owner_id', 'name'],
      says: 'has the name',
      value: inQuotes('{}.name'),
      holder: `', which the identity provider ' || t.id || ' of the same organization has here'`,
    },
  ],
  checks: [canBeInPath('id', IDP_IN_PATH), refersTo('owner_id', orgStage)],
};

/** Beside `autoRegister`. A document without them is of a version that had none. */
const OPTIONS = new Message({
  isLinkingAllowed: flag(1),
  isCreationAllowed: flag(2),
  isAutoUpdate: flag(4),
  autoLinking: choice(5, AUTO_LINKING_OPTION),
});
type Options = EntryOf<typeof OPTIONS.fields>;

const TEXT = { min: 1, max: 200 };
const COMMON = { stylingType: choice(2, IDP_STYLING_TYPE), providerOptions: part(100, OPTIONS) };
const OIDC = new Message(
  {
    name: text(1, TEXT),
    ...COMMON,
    clientId: text(3, TEXT),
    clientSecret: text(4, { max: 200 }),
    issuer: text(5, TEXT),
    scopes: texts(6, { min: 1, max: 200, maxItems: 100 }),
    displayNameMapping: choice(7, OIDC_MAPPING_FIELD),
    usernameMapping: choice(8, OIDC_MAPPING_FIELD),
    autoRegister: flag(9),
    isIdTokenMapping: flag(101),
    usePkce: flag(102),
  },
  ['name', 'clientId', 'issuer'],
);
const JWT = new Message(
  {
    name: text(1, TEXT),
    ...COMMON,
    jwtEndpoint: text(3, TEXT),
    issuer: text(4, TEXT),
    keysEndpoint: text(5, TEXT),
    headerName: text(6, { max: 200 }),
    autoRegister: flag(7),
  },
  ['name', 'jwtEndpoint', 'issuer', 'keysEndpoint'],
);

const EXTENSION = new Message(
  {
    name: text(1, TEXT),
    kind: text(2, TEXT),
    clientId: text(3, { max: 200 }),
    clientSecret: text(4, { max: 1_000 }),
    settings: struct(5),
    autoRegister: flag(6),
    stylingType: choice(7, IDP_STYLING_TYPE),
    displayNameMapping: choice(8, OIDC_MAPPING_FIELD),
    usernameMapping: choice(9, OIDC_MAPPING_FIELD),
    providerOptions: part(100, OPTIONS),
  },
  ['name', 'kind'],
);

/**
 * Addresses that this service refuses to call: the provider is left out, together with everything that refers to it.
 * Other problems are faults.
 */
const ADDRESSES: ReadonlySet<string> = new Set(['issuer', 'jwtEndpoint', 'keysEndpoint']);

function judge(violations: readonly FieldViolation[], { faults, path }: Section): string | undefined {
  faults.addAll(
    `${path}.idp`,
    violations.filter(({ field }) => !ADDRESSES.has(field)),
  );
  const [unreachable] = violations.filter(({ field }) => ADDRESSES.has(field));
  return unreachable && `idp.${unreachable.field} ${unreachable.description}`;
}

const NEITHER = {
  client_id: '',
  client_secret: '',
  scopes: [],
  display_name_mapping: 'unspecified',
  username_mapping: 'unspecified',
  jwt_endpoint: '',
  keys_endpoint: '',
  header_name: '',
  settings: {},
  secret_settings: '',
};
const STATE = { state: choice(100, IDP_STATE) };
const active = (state: string): string => (state === 'unspecified' ? 'active' : state);

function selectOf(type: string): string {
  return `SELECT id, ${COLUMNS.join(', ')}
    FROM idp
    WHERE owner_id = :orgId AND type = '${type}'
    ORDER BY id`;
}

function commonOf(row: Stored): {
  name: string;
  stylingType: 'unspecified' | 'vendor';
  issuer: string;
  autoRegister: boolean;
  providerOptions: Options | undefined;
} {
  return {
    name: textOf(row, 'name'),
    stylingType: row['styling_type'] as 'vendor',
    issuer: textOf(row, 'issuer'),
    autoRegister: flagOf(row, 'auto_register'),
    providerOptions: optionsOf(row),
  };
}

/** Undefined where they are as without any, so that an earlier version can read the document. */
function optionsOf(row: Stored): Options | undefined {
  const options = {
    isLinkingAllowed: flagOf(row, 'is_linking_allowed'),
    isCreationAllowed: flagOf(row, row['is_creation_allowed'] === null ? 'auto_register' : 'is_creation_allowed'),
    isAutoUpdate: flagOf(row, 'is_auto_update'),
    autoLinking: row['auto_linking'] as 'email',
  };
  const isPlain =
    options.isLinkingAllowed &&
    row['is_creation_allowed'] === null &&
    !options.isAutoUpdate &&
    row['auto_linking'] === 'unspecified';
  return isPlain ? undefined : options;
}

function toColumns(options: Options | undefined): Record<string, boolean | string | null> {
  return {
    is_linking_allowed: options?.isLinkingAllowed ?? true,
    is_creation_allowed: options?.isCreationAllowed ?? null,
    is_auto_update: options?.isAutoUpdate ?? false,
    auto_linking: options?.autoLinking ?? 'unspecified',
  };
}

const NO_OPTIONS = { isIdTokenMapping: false, usePkce: false };

/** An entry of `oidcIdps`. */
export const OIDC_IDP = new Message({ idpId: ownId(1), idp: part(2, OIDC), ...STATE }, ['idp']);

export const oidcIdpPart: DocumentPart = definePart({
  member: 'oidcIdps',
  number: 31,
  stages: [idpStage],
  message: OIDC_IDP,
  take({ idpId, idp, state }, section) {
    if (!idp) return;
    const id = idpId || newId();
    const leftOut = judge(
      oidcViolations({ ...idp, scopes: [...idp.scopes] }, { production: section.seals.isProduction }),
      section,
    );
    section.stage(
      idpStage,
      {
        id,
        owner_id: section.orgId,
        name: idp.name,
        state: active(state),
        styling_type: idp.stylingType,
        auto_register: idp.autoRegister,
        ...toColumns(idp.providerOptions),
        type: 'oidc',
        issuer: idp.issuer,
        ...NEITHER,
        client_id: idp.clientId,
        client_secret: section.seals.sealIdpSecret(id, section.orgId, idp.clientSecret),
        scopes: idp.scopes,
        display_name_mapping: idp.displayNameMapping,
        username_mapping: idp.usernameMapping,
        settings: oidcOptions(idp),
      },
      { type: 'oidc_idp', id, done: id, leftOut },
    );
  },
  select: selectOf('oidc'),
  toEntry: (row, { withPasswords, seals }) => ({
    idpId: textOf(row, 'id'),
    state: row['state'] as 'active',
    idp: {
      ...commonOf(row),
      clientId: textOf(row, 'client_id'),
      clientSecret: withPasswords
        ? seals.openIdpSecret(textOf(row, 'id'), textOf(row, 'owner_id'), textOf(row, 'client_secret'))
        : '',
      scopes: listIn(row, 'scopes'),
      displayNameMapping: row['display_name_mapping'] as 'email',
      usernameMapping: row['username_mapping'] as 'email',
      ...NO_OPTIONS,
      ...(row['settings'] as OidcOptions),
    },
  }),
});

/** An entry of `jwtIdps`. */
export const JWT_IDP = new Message({ idpId: ownId(1), idp: part(32, JWT), ...STATE }, ['idp']);

export const jwtIdpPart: DocumentPart = definePart({
  member: 'jwtIdps',
  number: 32,
  stages: [idpStage],
  message: JWT_IDP,
  take({ idpId, idp, state }, section) {
    if (!idp) return;
    const id = idpId || newId();
    const headerName = idp.headerName || DEFAULT_HEADER_NAME;
    const leftOut = judge(jwtViolations({ ...idp, headerName }, { production: section.seals.isProduction }), section);
    section.stage(
      idpStage,
      {
        id,
        owner_id: section.orgId,
        name: idp.name,
        state: active(state),
        styling_type: idp.stylingType,
        auto_register: idp.autoRegister,
        ...toColumns(idp.providerOptions),
        type: 'jwt',
        issuer: idp.issuer,
        ...NEITHER,
        jwt_endpoint: idp.jwtEndpoint,
        keys_endpoint: idp.keysEndpoint,
        header_name: headerName,
      },
      { type: 'jwt_idp', id, done: id, leftOut },
    );
  },
  select: selectOf('jwt'),
  toEntry: (row) => ({
    idpId: textOf(row, 'id'),
    state: row['state'] as 'active',
    idp: {
      ...commonOf(row),
      jwtEndpoint: textOf(row, 'jwt_endpoint'),
      keysEndpoint: textOf(row, 'keys_endpoint'),
      headerName: textOf(row, 'header_name'),
    },
  }),
});

/** An entry of `extensionIdps`. */
export const EXTENSION_IDP = new Message({ idpId: ownId(1), idp: part(2, EXTENSION), ...STATE }, ['idp']);

/**
 * Providers of kinds that extensions bring: a kind that is not loaded here is a fault, since nothing could read its
 * settings.
 */
export const extensionIdpPart: DocumentPart = definePart({
  member: 'extensionIdps',
  number: 104,
  stages: [idpStage],
  message: EXTENSION_IDP,
  take({ idpId, idp, state }, section) {
    if (!idp) return;
    const { faults, path, kinds, seals, orgId } = section;
    const filled = kinds.find(idp.kind);
    if (!filled) return faults.addAll(`${path}.idp`, [idpKindUnknown(kinds.names)]);
    const id = idpId || newId();
    const { open, secret } = kinds.takeImported(filled, (idp.settings ?? {}) as JsonObject, (violations) =>
      faults.addAll(`${path}.idp`, violations),
    );
    section.stage(
      idpStage,
      {
        id,
        owner_id: orgId,
        name: idp.name,
        state: active(state),
        styling_type: idp.stylingType,
        auto_register: idp.autoRegister,
        ...toColumns(idp.providerOptions),
        type: idp.kind,
        issuer: '',
        ...NEITHER,
        client_id: idp.clientId,
        client_secret: seals.sealIdpSecret(id, orgId, idp.clientSecret),
        display_name_mapping: idp.displayNameMapping,
        username_mapping: idp.usernameMapping,
        settings: open,
        secret_settings: seals.sealIdpSettings(id, orgId, secret),
      },
      { type: 'extension_idp', id, done: id },
    );
  },
  select: `SELECT id, ${COLUMNS.join(', ')}
    FROM idp
    WHERE owner_id = :orgId AND type LIKE 'ext:%'
    ORDER BY id`,
  toEntry: (row, { withPasswords, seals }) => {
    const [id, ownerId] = [textOf(row, 'id'), textOf(row, 'owner_id')];
    const secret = withPasswords ? seals.openIdpSettings(id, ownerId, textOf(row, 'secret_settings')) : {};
    const { name, stylingType, autoRegister, providerOptions } = commonOf(row);
    return {
      idpId: id,
      state: row['state'] as 'active',
      idp: {
        name,
        kind: textOf(row, 'type'),
        clientId: textOf(row, 'client_id'),
        clientSecret: withPasswords ? seals.openIdpSecret(id, ownerId, textOf(row, 'client_secret')) : '',
        settings: { ...(row['settings'] as JsonObject), ...secret },
        autoRegister,
        providerOptions,
        stylingType,
        displayNameMapping: row['display_name_mapping'] as 'email',
        usernameMapping: row['username_mapping'] as 'email',
      },
    };
  },
});
