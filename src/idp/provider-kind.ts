import type { ServicePath } from '../org/instance/paths.js';
import type { ExternalIdentity } from './external-identity.js';
import type { Idp } from './idp.entity.js';
import type { IdpForm } from './idp-kind.js';
import type { LoginSecrets, TakenIdpLogin } from './idp-logins.js';

/** A browser that is about to leave. */
export interface Leaving extends LoginSecrets {
  readonly authRequestId: string;
  readonly loginHint: string | undefined;
  readonly prompt: 'login' | 'select_account' | undefined;
  readonly maxAgeSeconds: number | undefined;
}

/** The parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2) that we read. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  /** What the kinds of extensions read of a form besides that (`IdpKind.formFields`). */
  readonly form?: Readonly<Record<string, string>>;
  /** What came in a query of a message in place of a code (`IdpKind.message`). */
  readonly message?: Readonly<Record<string, string>>;
  /** How a message was refused that a form has brought before. It only chooses the page that says so. */
  readonly refused?: MessageRefusal | undefined;
}

/** `answer`: it proves nothing; `nobody`: the provider has signed in nobody; `provider`: it could not be asked. */
export const MESSAGE_REFUSALS = ['answer', 'nobody', 'provider'] as const;
export type MessageRefusal = (typeof MESSAGE_REFUSALS)[number];

/** The identity that the provider asserts; the rest is fetched when it is needed. */
export interface IdpProof {
  readonly subject: string;
  /** When the user proved there who they are; null if no proof counts (`momentOfProof`). */
  readonly provedAt: Date | null;
  readonly describe: () => Promise<ExternalIdentity>;
  /** What follows the provider at each sign-in, if its kind says it. */
  readonly said?: SaidOfAccount;
}

/** What a provider says of an account besides who it is. */
export type SaidOfAccount = Pick<ExternalIdentity, 'groups' | 'attributes'>;

/**
 * How users sign in at providers of one type. OpenID Connect, JWT and each kind of an extension are treated alike: the
 * sign-in knows this interface alone.
 */
export interface ProviderKind {
  /** Whether the browser returns with a code; otherwise a proxy has proved the identity on the way. */
  readonly returnsWithCode: boolean;
  /** The path at which the browser returns with its state. A state that comes elsewhere is refused. */
  returnsTo(idp: Idp): ServicePath;
  /** Where the browser goes. @throws DomainError Unavailable `idp.provider_failed` */
  authorizationUrl(idp: Idp, leaving: Leaving): Promise<string | IdpForm>;
  /**
   * The identity of the returning browser, whose state was checked.
   * @throws DomainError FailedPrecondition `idp.answer_refused`, `idp.declined`; Unavailable `idp.provider_failed`
   */
  redeem(idp: Idp, answer: ProviderAnswer, login: TakenIdpLogin): Promise<IdpProof>;
}
