import { isScope, oidcViolations } from '../../../idp/idp-rules.js';
import { IDP_IN_PATH } from '../../../idp/in-path.js';
import type { Entry } from '../document.js';
import { distinct } from '../doubles.js';
import { keptId, madeId } from '../made-id.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import type { Realm } from './realm.js';

/** Providers of a single company, whose issuer is known. */
const ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  'linkedin-openid-connect': 'https://www.linkedin.com/oauth',
  gitlab: 'https://gitlab.com',
};
const OPENID = new Set(['oidc', 'keycloak-oidc', ...Object.keys(ISSUERS)]);
const MAX_CHARACTERS = 200;

/** The OpenID Connect providers: entries of `oidcIdps`, and the id of each by its alias, by which users refer to it. */
export function providersOf(
  realm: Realm,
  report: Report,
): { readonly oidcIdps: ReadonlyArray<Entry<'oidcIdps'>>; readonly idByAlias: ReadonlyMap<string, string> } {
  const oidcIdps: Array<Entry<'oidcIdps'>> = [];
  const idByAlias = new Map<string, string>();
  const names = new Set<string>();
  const providers = realm.settings.objects('identityProviders', { what: 'Identity provider', nameIn: 'alias' });
  for (const provider of distinct(providers, 'Identity providers', (one) => one.text('alias'), report)) {
    const alias = provider.text('alias');
    const kind = provider.text('providerId');
    const config = provider.object('config', 'Identity provider setting');
    const issuer = config.text('issuer') || ISSUERS[kind] || '';
    const problem =
      alias === '' ? 'without an alias' : OPENID.has(kind) ? problemOf(config, issuer) : `of the kind ${kind}`;
    if (problem !== undefined) {
      provider.skip();
      report.lose(`Identity providers ${problem}: left out with their links`, alias);
      continue;
    }
    const given = provider.text('internalId') || madeId('keycloak', realm.orgId, alias);
    const idpId = keptId(given, IDP_IN_PATH, realm.orgId, report);
    oidcIdps.push({
      idpId,
      state: provider.flag('enabled', true) ? 'active' : 'inactive',
      idp: {
        name: nameOf(provider, alias, names),
        clientId: config.text('clientId'),
        clientSecret: secretOf(config, alias, report),
        issuer,
        scopes: scopesOf(config),
        usernameMapping: 'preferred_username',
        autoRegister: !provider.flag('linkOnly'),
      },
    });
    idByAlias.set(alias, idpId);
    // Given by the issuer's discovery document, or kept by Keycloak's console for itself.
    provider.ignore('updateProfileFirstLoginMode', 'firstBrokerLoginFlowAlias', 'types');
    config.ignore(
      'authorizationUrl',
      'tokenUrl',
      'userInfoUrl',
      'jwksUrl',
      'logoutUrl',
      'useJwksUrl',
      'validateSignature',
      'clientAuthMethod',
      'syncMode',
      'metadataDescriptorUrl',
    );
  }
  return { oidcIdps, idByAlias };
}

function nameOf(provider: SourceObject, alias: string, taken: Set<string>): string {
  const displayName = provider.caption('displayName');
  const name =
    displayName !== '' && [...displayName].length <= MAX_CHARACTERS && !taken.has(displayName) ? displayName : alias;
  taken.add(name);
  return name;
}

function secretOf(config: SourceObject, alias: string, report: Report): string | undefined {
  const secret = config.text('clientSecret');
  const isKnown = secret !== '' && !/^\*+$/.test(secret) && [...secret].length <= MAX_CHARACTERS;
  if (!isKnown) report.lose('Identity providers whose client secret is missing from the export: set it', alias);
  return isKnown ? secret : undefined;
}

function problemOf(config: SourceObject, issuer: string): string | undefined {
  if (issuer === '') return 'without an issuer';
  const clientId = config.text('clientId');
  if (clientId === '' || [...clientId].length > MAX_CHARACTERS) return 'without a client id';
  const mappings = { displayNameMapping: 'unspecified', usernameMapping: 'unspecified' } as const;
  const violations = oidcViolations({ issuer, clientId, scopes: [], ...mappings }, { production: false });
  return violations.length > 0 || [...issuer].length > MAX_CHARACTERS ? 'whose issuer is not valid' : undefined;
}

function scopesOf(config: SourceObject): string[] {
  const scopes = config
    .text('defaultScope')
    .split(/\s+/)
    .filter((scope) => scope !== '' && isScope(scope));
  return [...new Set(['openid', ...(scopes.length === 0 ? ['profile', 'email'] : scopes)])];
}
