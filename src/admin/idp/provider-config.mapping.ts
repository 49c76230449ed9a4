import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import type { OidcOptions } from '../../idp/idp-rules.js';
import type { FoundIdp } from '../../idp/idp-search.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { toExtensionConfig } from './idp.mapping.js';
import type { Provider, ProviderConfig } from './provider-config.dto.js';
import { toOptions } from './provider-options.dto.js';
import { APPLE } from './template/apple.template.js';
import { AZURE_AD, tenantIn } from './template/azure-ad.template.js';
import { GITHUB } from './template/github.template.js';
import { GITLAB } from './template/gitlab.template.js';
import { GOOGLE } from './template/google.template.js';
import { OAUTH } from './template/oauth.template.js';

type Config = Omit<ProviderConfig, 'options'>;

/** `isAvailable`: the extension with its kind is loaded. */
export function toProvider(idp: FoundIdp, instanceId: string, isAvailable: boolean): Provider {
  const { id, ownerId, state, name } = idp;
  const config = configOf(idp) ?? { extension: toExtensionConfig(idp, isAvailable) };
  return {
    id,
    details: toDetails(idp, ownerId),
    state,
    name,
    owner: ownerId === instanceId ? 'instance' : 'org',
    type: Object.keys(config)[0] as keyof Config,
    config: { options: toOptions(idp), ...config },
  };
}

/** By the vendor's operations; undefined where these cannot say what is stored. */
function configOf(idp: FoundIdp): Config | undefined {
  const { type, clientId, issuer } = idp;
  const settings = new StoredSettings(idp.settings as JsonObject);
  const scopes = settings.texts('scopes');
  switch (type) {
    case 'oidc': {
      const { isIdTokenMapping = false, usePkce = false } = idp.settings as OidcOptions;
      return { oidc: { issuer, clientId, scopes: idp.scopes, isIdTokenMapping, usePkce } };
    }
    case 'jwt': {
      const { jwtEndpoint, keysEndpoint, headerName } = idp;
      return { jwt: { jwtEndpoint, issuer, keysEndpoint, headerName } };
    }
    case GOOGLE.kind:
      return { google: { clientId, scopes } };
    case AZURE_AD.kind: {
      const tenant = tenantIn(settings.texts('tenants'));
      return tenant && { azureAd: { clientId, tenant, emailVerified: false, scopes } };
    }
    case GITHUB.kind:
      return githubConfig(clientId, settings);
    case GITLAB.kind: {
      const base = settings.text('base');
      return base === '' ? { gitlab: { clientId, scopes } } : { gitlabSelfHosted: { issuer: base, clientId, scopes } };
    }
    case APPLE.kind:
      return { apple: { clientId, teamId: settings.text('teamId'), keyId: settings.text('keyId'), scopes } };
    case OAUTH.kind:
      return {
        oauth: {
          clientId,
          ...endpointsIn(settings),
          scopes,
          idAttribute: settings.text('idAttribute'),
          usePkce: !settings.flag('isWithoutPkce'),
        },
      };
    default:
      return undefined;
  }
}

/** Undefined for a server of which only the base is known. */
function githubConfig(clientId: string, settings: StoredSettings): Config | undefined {
  const scopes = settings.texts('scopes');
  const endpoints = endpointsIn(settings);
  if (Object.values(endpoints).some((one) => one !== '')) return { githubEs: { clientId, ...endpoints, scopes } };
  return settings.text('base') === '' ? { github: { clientId, scopes } } : undefined;
}

function endpointsIn(
  settings: StoredSettings,
): Record<'authorizationEndpoint' | 'tokenEndpoint' | 'userEndpoint', string> {
  return {
    authorizationEndpoint: settings.text('authorizationEndpoint'),
    tokenEndpoint: settings.text('tokenEndpoint'),
    userEndpoint: settings.text('userEndpoint'),
  };
}

/** Settings of a kind as they are stored, by a version of its extension that may have known fewer of them. */
class StoredSettings {
  constructor(private readonly json: JsonObject) {}

  text(name: string): string {
    const { [name]: value } = this.json;
    return typeof value === 'string' ? value : '';
  }

  texts(name: string): string[] {
    const { [name]: value } = this.json;
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  flag(name: string): boolean {
    return this.json[name] === true;
  }
}
