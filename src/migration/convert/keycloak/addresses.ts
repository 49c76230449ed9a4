import type { ClientType } from '../../../project/client/client.entity.js';
import { redirectUriProblem } from '../../../project/client/redirect-uri.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';

const MAX_URIS = 100;
const WEB = /^https?:/i;
/** RFC 3986 §3.1, unless a dot or a port follows: `localhost:8080` has no scheme. */
const CUSTOM_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i;

/** Where a client may redirect browsers. */
export interface Addresses {
  readonly redirectUris: string[];
  readonly postLogoutRedirectUris: string[];
  readonly devMode: boolean;
  readonly clientType: ClientType;
}

/**
 * The exact addresses of a client. Keycloak allows a wildcard at the end only; it becomes the address before it and
 * those of the client's own addresses (`rootUrl`, `baseUrl`) that it covers: never more than was allowed.
 */
export function addressesOf(client: SourceObject, clientId: string, isPublic: boolean, report: Report): Addresses {
  const own = [client.text('rootUrl'), absolute(client.text('baseUrl'), client)].filter((url) => WEB.test(url));
  const redirects = client.texts('redirectUris').map((uri) => absolute(uri, client));
  const isNative = isPublic && redirects.some((uri) => CUSTOM_SCHEME.test(uri));
  const clientType: ClientType = isNative ? 'native' : isPublic ? 'user_agent' : 'web';
  const told = client.object('attributes', 'Client attribute').text('post.logout.redirect.uris');
  const afterLogout = told
    .split('##')
    .filter((uri) => uri !== '' && uri !== '-')
    .flatMap((uri) => (uri === '+' ? redirects : [absolute(uri, client)]));

  const exact = redirects.flatMap((uri) => withoutWildcard(uri, own));
  const devMode = exact.some((uri) => needsDevMode(uri, clientType));
  if (devMode) report.note('Clients with http addresses: put into development mode', clientId);
  const take = (uris: readonly string[], kind: string): string[] => {
    const good = uris.flatMap((uri) => {
      const found = withoutWildcard(uri, own).filter(
        (each) => redirectUriProblem(each, { clientType, devMode }) === undefined,
      );
      if (found.length === 0) report.note(`${kind} that cannot be made exact: left out`, `${clientId} ${uri}`);
      else if (uri.includes('*')) {
        report.note(
          `${kind} with a wildcard: only the URI before it is kept; register the others that are in use`,
          `${clientId} ${uri} as ${found.join(' ')}`,
        );
      }
      return found;
    });
    const once = [...new Set(good)];
    for (const uri of once.slice(MAX_URIS)) report.note(`${kind} beyond the first ${MAX_URIS}`, `${clientId} ${uri}`);
    return once.slice(0, MAX_URIS);
  };
  const redirectUris = take(redirects, 'Redirect URIs');
  if (redirectUris.length === 0) report.lose('Clients left without a redirect URI: register one', clientId);
  return {
    redirectUris,
    postLogoutRedirectUris: take(afterLogout, 'Post-logout redirect URIs'),
    devMode,
    clientType,
  };
}

/** Paths are relative to the client's root. */
function absolute(uri: string, client: SourceObject): string {
  const root = client.text('rootUrl');
  return uri.startsWith('/') && WEB.test(root) ? `${root.replace(/\/$/, '')}${uri}` : uri;
}

/** The address itself; for one with a wildcard, the part before it and the client's own addresses that it covers. */
function withoutWildcard(uri: string, own: readonly string[]): string[] {
  if (!uri.includes('*')) return [uri];
  if (uri.indexOf('*') !== uri.length - 1) return [];
  const base = uri.slice(0, -1);
  const covered = own.filter((url) => url.startsWith(base) || `${url}/` === base);
  return [...(WEB.test(base) && URL.canParse(base) ? [base] : []), ...covered];
}

function needsDevMode(uri: string, clientType: ClientType): boolean {
  const problem = (devMode: boolean): string | undefined => redirectUriProblem(uri, { clientType, devMode });
  return problem(false) !== undefined && problem(true) === undefined;
}
