import { newId } from '../../foundation/crypto/id.js';
import type { JsonWebKeySet } from '../../project/client/assertion-settings.js';
import type { LoginVersion } from '../../project/client/client.entity.js';
import { type ClientSettings, type NewClient, settingsViolations } from '../../project/client/client-settings.js';
import { toAbout } from '../../project/client/metadata/client-metadata.js';
import { toNameKey } from '../../user/user-name.js';
import type { EntryOf } from '../document/field.js';
import { API_APP, OIDC_APP, type OidcAppSettings } from './client.message.js';
import { CLIENT_COLUMNS, clientStage, settingsIn, toSettingColumns } from './client.stage.js';
import { toFittingClient } from './fitting-client.js';
import {
  type DocumentPart,
  definePart,
  type ExportOptions,
  forEach,
  OWNED_PROJECTS,
  type Section,
  type Stored,
  textOf,
} from './part.js';
import { stageSecret, toSecretHash } from './stored-secret.js';

/** The members of both kinds of application besides their settings. */
type About = Omit<EntryOf<typeof API_APP.fields>, 'app'>;

function stageClient(section: Section, type: 'oidc_app' | 'api_app', about: About, given: NewClient): void {
  const { appId, clientId, state, secretHash } = about;
  const settings = toFittingClient(
    { ...given, ...(clientId === '' ? {} : { clientId }) },
    `${section.path}.app`,
    section.faults,
  );
  section.faults.addAll(`${section.path}.app`, settingsViolations(settings));
  noteGrants(section, settings);
  const id = appId || newId();
  section.stage(
    clientStage,
    {
      ...toSettingColumns(settings, section.accessTokenHeaderType),
      id,
      id_key: toNameKey(id),
      client_id: clientId || null,
      client_id_key: clientId === '' ? null : toNameKey(clientId),
      state: state === 'unspecified' ? 'active' : state,
      secret_hash: stageSecret(secretHash, section),
    },
    { type, id, done: id },
  );
}

/** Notes the grants of extensions that are not loaded. The settings keep them, as when an extension is taken away. */
function noteGrants({ faults, path, grants }: Section, { extensionGrants = [] }: NewClient): void {
  for (const name of grants.lacking(extensionGrants))
    faults.note(
      `${path}.app.extensionGrants[${extensionGrants.indexOf(name)}]`,
      `${JSON.stringify(name)} is kept, but refused: no extension that is loaded has this grant`,
    );
}

/** Selects the clients to export, without those with a metadata document, which come again by themselves. */
function selectOf(kind: 'oidc' | 'api'): string {
  return `SELECT c.id, ${CLIENT_COLUMNS.map((column) => `c.${column}`).join(', ')}
    FROM ${OWNED_PROJECTS} p ${forEach(`SELECT * FROM client WHERE project_id = p.id AND kind = '${kind}' AND origin <> 'document'`)} c
    ORDER BY c.id`;
}

function aboutOf(row: Stored, options: ExportOptions): About {
  return {
    appId: textOf(row, 'id'),
    clientId: textOf(row, 'client_id'),
    state: row['state'] as 'active',
    secretHash: toSecretHash(row, options),
  };
}

export const apiAppPart: DocumentPart = definePart({
  member: 'apiApps',
  number: 12,
  stages: [clientStage],
  message: API_APP,
  take({ app, ...about }, section) {
    if (!app) return;
    const { authMethodType: authMethod, jwks, assertionAudience, ...same } = app;
    const assertions = toAssertionSettings({ jwks, assertionAudience });
    stageClient(section, 'api_app', about, { ...same, ...assertions, kind: 'api', authMethod });
  },
  select: selectOf('api'),
  toEntry(row, options) {
    const { authMethod, jwks, ...same } = settingsIn(row);
    const app = { ...same, authMethodType: authMethod as 'private_key_jwt', jwks: jwks ?? undefined };
    return { ...aboutOf(row, options), app };
  },
});

export const oidcAppPart: DocumentPart = definePart({
  member: 'oidcApps',
  number: 13,
  stages: [clientStage],
  message: OIDC_APP,
  take({ app, ...about }, section) {
    if (app) stageClient(section, 'oidc_app', about, fromDocument(app));
  },
  select: selectOf('oidc'),
  toEntry: (row, options) => ({ ...aboutOf(row, options), app: toDocument(settingsIn(row)) }),
});

/** Most settings have the same names in the document. */
function fromDocument(app: OidcAppSettings): NewClient {
  const { appType, authMethodType, accessTokenHeaderType, version: _, loginVersion, ...same } = app;
  const {
    clockSkew,
    accessTokenLifetime,
    idTokenLifetime,
    jwks,
    assertionAudience,
    origin,
    about,
    securityProfile,
    ...settings
  } = same;
  return {
    ...settings,
    ...toAssertionSettings({ jwks, assertionAudience }),
    kind: 'oidc',
    authMethod: authMethodType,
    clientType: appType,
    securityProfile: securityProfile === 'unspecified' ? 'none' : securityProfile,
    ...(accessTokenHeaderType === 'unspecified' ? {} : { accessTokenHeaderType }),
    clockSkewSeconds: clockSkew ?? 0,
    accessTokenSeconds: accessTokenLifetime ?? null,
    idTokenSeconds: idTokenLifetime ?? null,
    loginVersion: loginVersion?.loginV2 ? 'v2' : loginVersion?.loginV1 ? 'v1' : 'unspecified',
    loginBaseUri: loginVersion?.loginV2?.baseUri || null,
    // A client with a metadata document comes again by itself, so that an import never makes one.
    origin: origin === 'registered' ? 'registered' : 'administrator',
    about: origin === 'registered' ? toAbout(about, app.name) : null,
  };
}

function toAssertionSettings({
  jwks,
  assertionAudience,
}: Pick<OidcAppSettings, 'jwks' | 'assertionAudience'>): Pick<ClientSettings, 'jwks' | 'assertionAudience'> {
  return {
    jwks: (jwks as JsonWebKeySet | undefined) ?? null,
    assertionAudience: assertionAudience === 'unspecified' ? 'any' : assertionAudience,
  };
}

function toDocument(settings: ClientSettings): OidcAppSettings {
  return {
    ...settings,
    jwks: settings.jwks ?? undefined,
    about: settings.about ?? undefined,
    origin: settings.origin === 'registered' ? settings.origin : 'unspecified',
    securityProfile: settings.securityProfile === 'none' ? 'unspecified' : settings.securityProfile,
    version: '1.0',
    authMethodType: settings.authMethod,
    appType: settings.clientType,
    clockSkew: settings.clockSkewSeconds,
    accessTokenLifetime: settings.accessTokenSeconds ?? undefined,
    idTokenLifetime: settings.idTokenSeconds ?? undefined,
    loginVersion: pagesOf(settings),
  };
}

function pagesOf({ loginVersion, loginBaseUri }: ClientSettings): OidcAppSettings['loginVersion'] {
  const pages: Record<LoginVersion, OidcAppSettings['loginVersion']> = {
    unspecified: undefined,
    v1: { loginV1: {}, loginV2: undefined },
    v2: { loginV1: undefined, loginV2: { baseUri: loginBaseUri ?? '' } },
  };
  return pages[loginVersion];
}
