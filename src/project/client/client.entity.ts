import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import type { AccessTokenHeaderType } from '../../foundation/config/config.js';
import type { CertificateNameKind } from '../../foundation/crypto/certificate-names.js';
import { Recorded } from '../../foundation/database/recorded.js';
import { Project } from '../project.entity.js';
import type { AssertionAudience, JsonWebKeySet } from './assertion-settings.js';
import type { ClientAbout } from './metadata/client-about.js';
import type { Registration } from './registration/registration-rules.js';

/** `ext:saml`: an application that an extension answers, by a protocol of its own. */
export type ExtClientKind = `ext:${string}`;
export type ClientKind = 'oidc' | 'api' | ExtClientKind;
export type ClientState = 'active' | 'inactive';
export type ClientType = 'web' | 'user_agent' | 'native';
/** RFC 7591 §2, `token_endpoint_auth_method`; those with certificates RFC 8705 §2. */
export type ClientAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none';
/** Which name of a certificate a client is known by (RFC 8705 §2.1.2). */
export type TlsClientNameType = 'unspecified' | CertificateNameKind;
export type ResponseType = 'code' | 'id_token' | 'id_token token';
export type ClientGrantType = 'authorization_code' | 'implicit' | 'refresh_token' | 'device_code' | 'token_exchange';
/** A set of rules that an application is held to as a whole, whatever its other settings say. */
export type SecurityProfile = 'none' | 'fapi_2_0';
export type AccessTokenType = 'opaque' | 'jwt';
/** The login pages for which the application was made; stored only, since there is one kind of pages here. */
export type LoginVersion = 'unspecified' | 'v1' | 'v2';

/**
 * How the application came to be known. `registered`: it has registered itself (RFC 7591). `document`: by the metadata
 * document that its client ID is the address of. Other than those of administrators, nobody has looked at what they say
 * of themselves.
 */
export type ClientOrigin = 'administrator' | 'registered' | 'document';

/** Whose rights count when the application uses the administrative API: see docs/adr/0087. */
export type ClientAdministration = 'own_org' | 'allowed';

/**
 * An application of a project: it signs users in (`oidc`, or by a protocol of an extension), or introspects tokens
 * (`api`).
 */
@Entity('client')
@Index('client_project_name_key', ['projectId', 'name'], { unique: true })
// Indexes of searched texts and of lists contain expressions, which decorators cannot declare: see schema/tables.
@Index('client_list_name_idx', { synchronize: false })
@Index('client_search_name_idx', { synchronize: false })
@Index('client_client_id_key', ['clientId'], { unique: true })
@Index('client_security_profile_idx', ['securityProfile'], { where: `security_profile <> 'none'` })
@Index('client_self_signed_idx', ['id'], { where: `auth_method = 'self_signed_tls_client_auth'` })
@Index('client_self_described_idx', ['creationDate'], { where: `origin <> 'administrator'` })
export class ClientRow extends Recorded {
  /** Id of the application; what the administrative API calls appId. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** What the client calls itself in the protocol. */
  @Column({ type: 'text' })
  clientId!: string;

  /** Unique for all time: access tokens contain it and end with it, even if the client id is used again. */
  @Column({ type: 'bigint', name: 'token_epoch' })
  @Generated('increment')
  clientEpoch!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  @Column({ type: 'text' })
  kind!: ClientKind;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'active' })
  state!: ClientState;

  @Column({ type: 'text' })
  authMethod!: ClientAuthMethod;

  /** A secret is accepted by the registered method only, not by the other of header and form. */
  @Column({ type: 'boolean', default: false })
  strictAuthMethod!: boolean;

  /** Public keys of which one signs assertions without being registered by itself (RFC 7591 §2). */
  @Column({ type: 'jsonb', nullable: true })
  jwks!: JsonWebKeySet | null;

  /** Where the client publishes such keys; empty if it does not. */
  @Column({ type: 'text', default: '' })
  jwksUri!: string;

  @Column({ type: 'text', default: 'any' })
  assertionAudience!: AssertionAudience;

  /** An assertion without a `jti`, which could be used again, is refused. */
  @Column({ type: 'boolean', default: false })
  requireAssertionId!: boolean;

  /** Authorization requests must be pushed first (RFC 9126 §6). */
  @Column({ type: 'boolean', default: false })
  requirePushedRequests!: boolean;

  /** Authorization requests must be signed by a key of the client (RFC 9101 §10.5). */
  @Column({ type: 'boolean', default: false })
  requireSignedRequests!: boolean;

  /** The only addresses from which its request objects are fetched (OIDC Core §6.2). */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  requestUris!: readonly string[];

  /** The hash of the secret, for clients that authenticate with one: see crypto/stored-secret.ts. */
  @Column({ type: 'bytea', nullable: true })
  secretHash!: Buffer | null;

  @Column({ type: 'text', default: 'web' })
  clientType!: ClientType;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  redirectUris!: readonly string[];

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  postLogoutRedirectUris!: readonly string[];

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  responseTypes!: readonly ResponseType[];

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  grantTypes!: readonly ClientGrantType[];

  /** Grants of extensions, by their names; those of an extension that is not loaded stay, and are refused. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  extensionGrants!: readonly string[];

  @Column({ type: 'text', default: 'opaque' })
  accessTokenType!: AccessTokenType;

  /** The `typ` in the header of JWT access tokens. */
  @Column({ type: 'text', default: 'at+jwt' })
  accessTokenHeaderType!: AccessTokenHeaderType;

  @Column({ type: 'boolean', default: false })
  accessTokenRoleAssertion!: boolean;

  @Column({ type: 'boolean', default: false })
  idTokenRoleAssertion!: boolean;

  @Column({ type: 'boolean', default: false })
  idTokenUserinfoAssertion!: boolean;

  /** Whether its userinfo responses are JWTs, signed as its ID tokens are (OIDC Core §5.3.2). */
  @Column({ type: 'boolean', default: false })
  signedUserinfo!: boolean;

  /** Whether only access tokens that are bound to a key of the client are issued to it (RFC 9449 §5.2). */
  @Column({ type: 'boolean', default: false })
  dpopBoundAccessTokens!: boolean;

  /** Whether only access tokens that are bound to a certificate of the client are issued to it (RFC 8705 §3.4). */
  @Column({ type: 'boolean', default: false })
  tlsBoundAccessTokens!: boolean;

  /** The kind of the certificate's name in `tlsClientName`; `unspecified` without one. */
  @Column({ type: 'text', default: 'unspecified' })
  tlsClientNameType!: TlsClientNameType;

  /** The name that a certificate must have with which the client authenticates (RFC 8705 §2.1.2). */
  @Column({ type: 'text', default: '' })
  tlsClientName!: string;

  /** The rules that it is held to as a whole. Stronger than the other settings: see `Client`. */
  @Column({ type: 'text', default: 'none' })
  securityProfile!: SecurityProfile;

  /** Whether a flat `roles` array of strings is added wherever roles are asserted. */
  @Column({ type: 'boolean', default: false })
  flatRolesClaim!: boolean;

  /** Allows http redirect URIs that are not loopback. */
  @Column({ type: 'boolean', default: false })
  devMode!: boolean;

  /** Users are asked before they continue for the first time, and whenever the application asks for more. */
  @Column({ type: 'boolean', default: false })
  consentPage!: boolean;

  @Column({ type: 'integer', default: 0 })
  clockSkewSeconds!: number;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  additionalOrigins!: readonly string[];

  @Column({ type: 'boolean', default: false })
  skipNativeAppSuccessPage!: boolean;

  /** Called when a session ends through which the application signed a user in. Empty for none. */
  @Column({ type: 'text', default: '' })
  backChannelLogoutUri!: string;

  @Column({ type: 'text', default: 'unspecified' })
  loginVersion!: LoginVersion;

  /** The address of the login pages for `v2`; null if none was set. */
  @Column({ type: 'text', nullable: true })
  loginBaseUri!: string | null;

  /** The lifetime of ID tokens; null for the instance's. */
  @Column({ type: 'integer', nullable: true })
  accessTokenSeconds!: number | null;

  @Column({ type: 'integer', nullable: true })
  idTokenSeconds!: number | null;

  /** Set by owners of the instance alone. Not exported: the owners of another instance decide for theirs. */
  @Column({ type: 'text', default: 'own_org' })
  administration!: ClientAdministration;

  @Column({ type: 'text', default: 'administrator' })
  origin!: ClientOrigin;

  /** What the application says of itself, if no administrator has registered it. */
  @Column({ type: 'jsonb', nullable: true })
  about!: ClientAbout | null;

  /** The limits of its own changes, if it has registered itself here. Not exported: its access token is not either. */
  @Column({ type: 'jsonb', nullable: true })
  registration!: Registration | null;
}
