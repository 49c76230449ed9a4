import type { JWK } from 'jose';
import type { CertificateName } from '../../foundation/crypto/certificate-names.js';
import { toUnixSeconds } from '../../foundation/time/duration.js';
import type { PrivateLabelingSetting } from '../project.entity.js';
import { usesCertificate } from './certificate-settings.js';
import type {
  ClientAuthMethod,
  ClientGrantType,
  ClientKind,
  ClientRow,
  ClientType,
  ResponseType,
} from './client.entity.js';
import { type ClientSettings, usesSecret } from './client-settings.js';
import { type ExtGrantName, isExtGrantName } from './ext-grant.js';
import { isRegistered } from './redirect-uri.js';
import { allowsAlgorithm, allowsAuthMethod, allowsGrant, codeSecondsOf } from './security-profile.js';

/** The project of a client, with what the protocol needs. */
export interface ClientProject {
  readonly id: string;
  readonly orgId: string;
  readonly projectRoleAssertion: boolean;
  readonly projectRoleCheck: boolean;
  readonly hasProjectCheck: boolean;
  readonly privateLabelingSetting: PrivateLabelingSetting;
  readonly roleKeys: readonly string[];
  /** The organizations that the project is granted to; known only where `hasProjectCheck` asks for them. */
  readonly grantedOrgIds: readonly string[];
}

export interface RegisteredKey {
  /** The key, whose `kid` is the id under which it was registered. */
  readonly publicKey: JWK;
  readonly expiresAt: Date;
}

/** Stands for no epoch: those of applications begin at 1. */
export const NO_EPOCH = '0';

/** An active client of an active project of an active organization. Immutable; shared by concurrent requests. */
export class Client {
  constructor(
    private readonly row: Readonly<
      Omit<
        ClientRow,
        'sequence' | 'creationDate' | 'changeDate' | 'projectId' | 'state' | 'registration' | 'administration'
      > &
        Partial<Pick<ClientRow, 'sequence' | 'creationDate' | 'administration'>>
    >,
    readonly project: ClientProject,
    private readonly keys: readonly RegisteredKey[],
  ) {}

  /** `client_id`. */
  get id(): string {
    return this.row.clientId;
  }

  /** Changes with each change by administrators; empty for clients that describe themselves. */
  get version(): string {
    return this.describesItself ? '' : String(this.row.sequence ?? '');
  }

  /** Distinguishes clients that have had this client id one after another. */
  get clientEpoch(): string {
    return this.row.clientEpoch;
  }

  /** The name as users read it; that under which a self-described client is registered says nothing to them. */
  get name(): string {
    return this.row.about?.name ?? this.row.name;
  }

  /**
   * Whether no administrator has looked at the client: what it says of itself is shown to users, who are asked each
   * time, and its tokens mean nothing to the other applications of its project.
   */
  get describesItself(): boolean {
    return this.row.origin !== 'administrator';
  }

  /** Whether an owner of the instance has allowed it to use all rights of its users in the administrative API. */
  get mayAdminister(): boolean {
    return this.row.administration === 'allowed';
  }

  /** The id of its row; empty for a document until the first user consents. */
  get rowId(): string {
    return this.row.id;
  }

  get kind(): ClientKind {
    return this.row.kind;
  }

  get type(): ClientType {
    return this.row.clientType;
  }

  get settings(): Readonly<Omit<ClientSettings, 'projectId'>> {
    return this.row;
  }

  /** Whether its tokens contain roles without a scope that requests them. */
  get assertsRoles(): boolean {
    return this.row.accessTokenRoleAssertion || this.row.idTokenRoleAssertion;
  }

  /** Whether it is held to the FAPI 2.0 Security Profile (docs/adr/0037). */
  get isStrict(): boolean {
    return this.row.securityProfile !== 'none';
  }

  /** Whether its authorization requests must be pushed (RFC 9126 §6; FAPI 2.0 Security Profile §5.3.2.2 item 3). */
  get mustPush(): boolean {
    return this.row.requirePushedRequests || this.isStrict;
  }

  /**
   * Whether its access tokens must be bound to a key or a certificate (RFC 9449 §5.2, RFC 8705 §3.4; FAPI 2.0 Security
   * Profile §5.3.2.1 item 4).
   */
  get mustBindTokens(): boolean {
    return this.row.dpopBoundAccessTokens || this.row.tlsBoundAccessTokens || this.isStrict;
  }

  /** Whether it shows a certificate in the TLS handshake instead of sending credentials (RFC 8705 §2). */
  get usesCertificate(): boolean {
    return usesCertificate(this.row.authMethod);
  }

  /** The name that its certificate must have, for `tls_client_auth`. */
  get certificateName(): CertificateName | undefined {
    const { tlsClientNameType: kind, tlsClientName: value } = this.row;
    return kind === 'unspecified' ? undefined : { kind, value };
  }

  /** RFC 9700 §2.1.1 recommends it for all; MCP demands it of those that documents describe, keys or not. */
  get mustUsePkce(): boolean {
    return !this.isConfidential || this.row.origin === 'document' || this.isStrict;
  }

  /** Whether its assertions must name the issuer as one string (FAPI 2.0 Security Profile §5.3.2.1 item 8). */
  get mustNameIssuer(): boolean {
    return this.row.assertionAudience === 'issuer_only' || this.isStrict;
  }

  /** Whether its assertions must have a `jti`, so that each can be used once. */
  get mustNameAssertions(): boolean {
    return this.row.requireAssertionId || this.isStrict;
  }

  /** Whether each use of a refresh token yields another one (FAPI 2.0 Security Profile §5.3.2.1 item 9). */
  get rotatesRefreshTokens(): boolean {
    return !this.isStrict;
  }

  /** The longest lifetime of its codes; undefined for that of other applications. */
  get codeSeconds(): number | undefined {
    return codeSecondsOf(this.row.securityProfile);
  }

  /** Whether it may sign assertions, request objects and proofs of keys with this algorithm. */
  takesAlgorithm(algorithm: string): boolean {
    return allowsAlgorithm(this.row.securityProfile, algorithm);
  }

  /**
   * Whether it is the application that had this epoch. Before the first user consents to what a document describes,
   * there is no row yet, and so no epoch of its own.
   */
  hasHadEpoch(clientEpoch: string): boolean {
    return clientEpoch === this.clientEpoch || (clientEpoch === NO_EPOCH && this.row.origin === 'document');
  }

  /**
   * Whether it had been added by this time: a token from before is one of a former client of the same id. Clients
   * without a row have issued nothing.
   * @param time Unix seconds
   */
  hadBeenAddedAt(time: number): boolean {
    const { creationDate } = this.row;
    return creationDate !== undefined && toUnixSeconds(creationDate) <= time;
  }

  /**
   * Whether it may authenticate with this method. Header and form carry the same secret, and libraries try them in
   * turn: both are accepted unless the application is strict.
   */
  takesAuthMethod(method: ClientAuthMethod): boolean {
    const { authMethod, strictAuthMethod, securityProfile } = this.row;
    if (!allowsAuthMethod(securityProfile, method)) return false;
    return method === authMethod || (!strictAuthMethod && usesSecret(method) && usesSecret(authMethod));
  }

  /** RFC 6749 §2.1: able to keep a credential. */
  get isConfidential(): boolean {
    return this.row.authMethod !== 'none';
  }

  /**
   * Whether users of this organization may sign in: anybody, unless the project only admits its own organization and
   * those that it is granted to.
   */
  admits(orgId: string): boolean {
    const { hasProjectCheck, orgId: ownerId, grantedOrgIds } = this.project;
    return !hasProjectCheck || orgId === ownerId || grantedOrgIds.includes(orgId);
  }

  mayUse(grant: ClientGrantType | ExtGrantName): boolean {
    const { kind, grantTypes, extensionGrants, securityProfile } = this.row;
    if (kind !== 'oidc') return false;
    // A profile binds their tokens and demands authentication, as those of any other grant.
    if (isExtGrantName(grant)) return extensionGrants.includes(grant);
    return grantTypes.includes(grant) && allowsGrant(securityProfile, grant);
  }

  mayAskFor(responseType: ResponseType): boolean {
    // The code flow is refused to applications without its grant.
    const isMade = responseType !== 'code' || this.mayUse('authorization_code');
    // A token that is issued without a proof is bound to no key (RFC 9449 §5.2).
    const isBindable = responseType !== 'id_token token' || !this.mustBindTokens;
    const isSafe = responseType === 'code' || !this.isStrict;
    return this.row.kind === 'oidc' && this.row.responseTypes.includes(responseType) && isMade && isBindable && isSafe;
  }

  /** Whether it must be told of the end of sessions (OpenID Connect Back-Channel Logout 1.0 §2.2). */
  get isToldOfLogout(): boolean {
    return this.row.backChannelLogoutUri !== '';
  }

  /** Whether it has registered this text, with its fragment, as an address of a request object (OIDC Core §6.2). */
  hasRequestUri(uri: string): boolean {
    return this.row.requestUris.includes(uri);
  }

  get redirectUris(): readonly string[] {
    return this.row.redirectUris;
  }

  acceptsRedirectUri(uri: string): boolean {
    return isRegistered(uri, this.row.redirectUris, this.row.clientType);
  }

  acceptsPostLogoutRedirectUri(uri: string): boolean {
    return isRegistered(uri, this.row.postLogoutRedirectUris, this.row.clientType);
  }

  /** The stored secret, as `SecretCheck` reads it. */
  get storedSecret(): Buffer | null {
    return this.row.secretHash;
  }

  /** The same application as it describes itself now. */
  describedBy(settings: Partial<ClientSettings>): Client {
    return new Client({ ...this.row, ...settings }, this.project, this.keys);
  }

  /** The public keys that are registered and valid at this moment, each with its `kid`. */
  keysAt(now: Date): JWK[] {
    return [
      ...this.keys.filter(({ expiresAt }) => expiresAt > now).map(({ publicKey }) => publicKey),
      ...(this.row.jwks?.keys ?? []),
    ];
  }
}
