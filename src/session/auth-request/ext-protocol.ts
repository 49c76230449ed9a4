import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Filled, Seam } from '../../foundation/extension/seam.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';

/** What is known of a user who has signed in. Empty texts where nothing is known. @public */
export interface SignedInUser {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  /** What the user types to sign in. */
  readonly loginName: string;
  readonly firstName: string;
  readonly middleName: string;
  readonly lastName: string;
  readonly nickName: string;
  readonly displayName: string;
  /** A language tag such as `de`. */
  readonly preferredLanguage: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string;
  readonly phoneVerified: boolean;
}

/** A sign-in with which an application may be answered. Members may be added in a minor version. @public */
export interface SignedIn {
  readonly user: SignedInUser;
  /** It ends when the user signs out in this browser. */
  readonly sessionId: string;
  /** When the user last proved who they are. */
  readonly authTime: Date;
  /** How (RFC 8176); empty for a provider, for whose methods there are no values. */
  readonly amr: readonly string[];
  /** `1` one factor, `2` two (OIDC Core §2). */
  readonly acr: '1' | '2';
  /** The keys of the roles that the user holds in the project of the application, also through groups. */
  readonly roles: readonly string[];
  /** The names of the user's groups. */
  readonly groups: readonly string[];
}

/**
 * Why an application is not answered with a sign-in. `login-required`, `interaction-required` and `consent-required`:
 * a page would be needed, and the application wanted none, or another user has signed in than it asked for.
 * `not-admitted`: its project does not admit the user. `acr-unmet`: two factors are asked for, and the user can have
 * none. `declined`: the user went back.
 * @public
 */
export type SignInRefusal =
  | 'login-required'
  | 'interaction-required'
  | 'consent-required'
  | 'not-admitted'
  | 'acr-unmet'
  | 'declined';

/** The end of a sign-in, for the protocol that has begun it. @public */
export interface ProtocolTurn {
  /** The application that is to be answered; it is active. */
  readonly application: {
    readonly id: string;
    readonly name: string;
    readonly projectId: string;
    readonly orgId: string;
  };
  /** What `SignIns.begin` was given. */
  readonly state: JsonObject;
  readonly outcome:
    | { readonly kind: 'signed-in'; readonly signedIn: SignedIn }
    | { readonly kind: 'refused'; readonly reason: SignInRefusal };
}

/**
 * A protocol by which applications of the extension have users signed in, such as SAML. It begins with `SignIns.begin`
 * in a route of its own, and is asked to answer once nothing of the sign-in is missing, at once or after pages.
 * @public
 */
export interface SignInProtocol {
  /** Lower-case letters, digits and hyphens: `saml`. */
  readonly name: string;
  /**
   * Answers the application in the browser. It has 10 s. May be asked twice for one request, if a page is sent twice.
   * @param request of the browser, which may be a GET or the POST of a form of Gatehouse
   */
  answer(turn: ProtocolTurn, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void>;
}

/** @public */
export const PROTOCOL: Seam<SignInProtocol> = new Seam<SignInProtocol>('PROTOCOL', 'many', {
  mistakes: protocolMistakes,
  nameOf: ({ name }) => name,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

function protocolMistakes(filled: ReadonlyArray<Filled<SignInProtocol>>): string[] {
  const keys = filled.map(({ extension, part }) => `${extension}/${part.name}`);
  return [
    ...filled
      .filter(({ part }) => typeof part.name !== 'string' || !NAME.test(part.name))
      .map(
        ({ extension, name }) =>
          `${name} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`,
      ),
    ...[...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))].map(
      (key) => `Several protocols are called ${key}. Give each its own name.`,
    ),
  ];
}
