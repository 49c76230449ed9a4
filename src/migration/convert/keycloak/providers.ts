import { isScope, oidcViolations } from '../../../idp/idp-rules.js';
import { flagIn, objectIn, objectsIn, textIn, type Json } from '../json.js';
import type { Report } from '../report.js';
import type { Realm } from './realm.js';

const READ = new Set(['alias', 'internalId', 'displayName', 'providerId', 'enabled', 'config', 'linkOnly', 'updateProfileFirstLoginMode', 'firstBrokerLoginFlowAlias', 'types']);
const READ_CONFIG = new Set([
  'clientId', 'clientSecret', 'issuer', 'defaultScope', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'logoutUrl', 'useJwksUrl', 'validateSignature', 'clientAuthMethod', 'syncMode', 'metadataDescriptorUrl',
]);
/** Those of one company, whose issuer is known. */
const ISSUERS: Readonly<Record<string, string>> = { google: 'https://accounts.google.com', 'linkedin-openid-connect': 'https://www.linkedin.com/oauth', gitlab: 'https://gitlab.com' };
const OPENID = new Set(['oidc', 'keycloak-oidc', ...Object.keys(ISSUERS)]);
const MAX_CHARACTERS = 200;

/** Providers that are OpenID Connect: entries in `oidcIdps`, and the id of each by its alias, which is how users name them. */
export function providersOf(realm: Realm, report: Report): { readonly oidcIdps: object[]; readonly idByAlias: ReadonlyMap<string, string> } {
  const oidcIdps: object[] = [];
  const idByAlias = new Map<string, string>();
  const names = new Set<string>();
  for (const provider of objectsIn(realm.settings, 'identityProviders')) {
    const [alias, kind, config] = [textIn(provider, 'alias'), textIn(provider, 'providerId'), objectIn(provider, 'config')];
    const issuer = textIn(config, 'issuer') || ISSUERS[kind] || '';
    const problem = OPENID.has(kind) ? problemOf(config, issuer) : `of the kind ${kind}`;
    if (problem !== undefined) {
      report.note(`Identity providers ${problem}: left out with their links`, alias);
      continue;
    }
    const idpId = textIn(provider, 'internalId') || alias;
    const displayName = textIn(provider, 'displayName');
    const name = displayName !== '' && [...displayName].length <= MAX_CHARACTERS && !names.has(displayName) ? displayName : alias;
    names.add(name);
    const secret = textIn(config, 'clientSecret');
    const isKnown = secret !== '' && !/^\*+$/.test(secret) && !secret.startsWith('${') && [...secret].length <= MAX_CHARACTERS;
    if (!isKnown) report.note('Identity providers whose client secret the export does not hold: set it', alias);
    oidcIdps.push({
      idpId, state: provider['enabled'] === false ? 'IDP_STATE_INACTIVE' : 'IDP_STATE_ACTIVE',
      idp: {
        name, clientId: textIn(config, 'clientId'), clientSecret: isKnown ? secret : undefined, issuer, scopes: scopesOf(config), usernameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
        autoRegister: !flagIn(provider, 'linkOnly') || undefined,
      },
    });
    idByAlias.set(alias, idpId);
    report.rest('Identity provider', alias, provider, READ);
    report.rest('Identity provider setting', alias, config, READ_CONFIG);
  }
  return { oidcIdps, idByAlias };
}

function problemOf(config: Json, issuer: string): string | undefined {
  if (issuer === '') return 'without an issuer';
  const clientId = textIn(config, 'clientId');
  if (clientId === '' || [...clientId].length > MAX_CHARACTERS) return 'without a client id';
  const violations = oidcViolations({ issuer, clientId, scopes: [], displayNameMapping: 'unspecified', usernameMapping: 'unspecified' }, { production: false });
  return violations.length > 0 || [...issuer].length > MAX_CHARACTERS ? 'whose issuer is none' : undefined;
}

function scopesOf(config: Json): string[] {
  const scopes = textIn(config, 'defaultScope').split(/\s+/).filter((scope) => scope !== '' && isScope(scope));
  return [...new Set(['openid', ...(scopes.length === 0 ? ['profile', 'email'] : scopes)])];
}
