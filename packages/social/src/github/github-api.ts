import { isObject, textOf } from '../answer/json-answer.js';

export const GITHUB_COM = 'https://github.com';

/** Where the API is: at a host of its own in GitHub's cloud, and beside the pages on a server of a company. */
export function apiOf(base: string): string {
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
