import { isObject, textOf } from '../answer/json-answer.js';

const GITHUB_COM = 'https://github.com';

export interface GithubPlace {
  readonly base: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
}

/** Where the pages and the API of a server are: at usual places below its base, unless the settings say otherwise. */
export function endpointsOf(place: GithubPlace): { authorization: string; token: string; user: string } {
  const base = place.base === '' ? GITHUB_COM : place.base;
  return {
    authorization: place.authorizationEndpoint || `${base}/login/oauth/authorize`,
    token: place.tokenEndpoint || `${base}/login/oauth/access_token`,
    user: place.userEndpoint || `${apiOf(base)}/user`,
  };
}

/** Where the API is: at a host of its own in GitHub's cloud, and beside the pages on a server of a company. */
function apiOf(base: string): string {
  const { protocol, host } = new URL(base);
  if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`;
  return `${base}/api/v3`;
}

export interface GithubEmail {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** The primary address of a user ("List email addresses for the authenticated user" in GitHub's documentation). */
export function primaryOf(list: readonly unknown[]): GithubEmail | undefined {
  const primary = list.filter(isObject).find((one) => one['primary'] === true);
  const email = primary && textOf(primary, 'email');
  return email === undefined ? undefined : { email, emailVerified: primary?.['verified'] === true };
}
