import type { ValueOf } from '../../foundation/http/wire-enum.js';
import type { LinkedIdp } from '../../idp/idp-links.js';
import type { Prompt } from '../../session/auth-request/auth-request.js';
import type { UserEntry } from '../../user/user-directory.js';
import type { Rules } from './rules.js';
import type { Sight } from './sight.js';
import type { SIGN_IN_METHOD } from './why.enums.js';

export type Method = Exclude<ValueOf<typeof SIGN_IN_METHOD>, 'unspecified'>;

/** What is supposed of the sign-in; empty members where nothing is said. */
export interface AskedSignIn {
  /** The client id of an application, its id, or its name. */
  readonly application: string;
  readonly scopes: readonly string[];
  /** The address from which the user would come. */
  readonly network: string;
  readonly method: Method | undefined;
  /** The id or name of a provider. */
  readonly provider: string;
  /** What the user would type. */
  readonly loginName: string;
  readonly prompts: readonly Prompt[];
  readonly maxAgeSeconds: number | undefined;
  readonly acrValues: readonly string[];
  readonly isSecondFactorDemanded: boolean;
}

/** Whose sign-in is explained, and to whom. */
export interface Case {
  readonly sight: Sight;
  readonly rules: Rules;
  readonly user: UserEntry;
  /** As sentences call the user. */
  readonly name: string;
  /** `organization Acme` */
  readonly org: string;
  readonly asked: AskedSignIn;
  /** The accounts at providers that the user has linked. */
  readonly linked: readonly LinkedIdp[];
  readonly now: Date;
}

/** Where the permissions on the user are needed. */
export function reachOf({ user }: Case): { readonly orgId: string } {
  return { orgId: user.orgId };
}
