import { Injectable } from '@nestjs/common';
import { HttpConfig, IssuerConfig, SelfDescribedConfig } from '../../foundation/config/config.js';
import { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { SecretCheck } from '../../foundation/password/secret-check.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { ClientAuthMethod, ClientRow } from '../client/client.entity.js';
import { ClientService } from '../client/client.service.js';
import { usesSecret } from '../client/client-settings.js';
import { type DescribedSettings, type MetadataRules, readMetadata } from '../client/metadata/client-metadata.js';
import { MetadataRefused } from '../client/metadata/metadata.errors.js';
import { RegisteredProject } from '../client/registered-project.js';
import { RegistrationAccess } from '../client/registration/registration-access.js';
import type { RegistrationLimits } from '../client/registration/registration-rules.js';
import { RegistrationTokens } from '../client/registration/registration-tokens.js';

const AUTH_METHODS: readonly ClientAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
];
/** The methods that need a proxy which passes certificates on (RFC 8705 §2). */
const CERTIFICATE_METHODS: readonly ClientAuthMethod[] = ['tls_client_auth', 'self_signed_tls_client_auth'];
const UNLIMITED: RegistrationLimits = { redirectHosts: [], deviceCode: false };
/** How many applications anybody can register without a token; those that are not used are removed after some time. */
const MOST_WITHOUT_TOKEN = 5_000;
/** Members of our answers, which an update must not contain (RFC 7592 §2.2). */
const OURS = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

/** The one beyond those that there may be. */
const EXCESS = statement(
  'client.excess_in_project',
  `SELECT 1 AS one
   FROM client
   WHERE project_id = :projectId
   OFFSET ${MOST_WITHOUT_TOKEN - 1}
   LIMIT 1`,
).rows<{ one: number }>();

/** An application as it is registered now, for the answer. */
export interface RegisteredByItself {
  readonly row: ClientRow;
  /** The secret if one was just made, or sent by the application. */
  readonly secret: Secret | undefined;
  readonly accessToken: string;
  readonly idTokenAlgorithm: string;
}

/**
 * RFC 7591 and RFC 7592: applications that register themselves, and then read, change and remove their registration.
 */
@Injectable()
export class ClientRegistration {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientService,
    private readonly tokens: RegistrationTokens,
    private readonly access: RegistrationAccess,
    private readonly project: RegisteredProject,
    private readonly instances: InstanceService,
    private readonly secrets: SecretCheck,
    private readonly config: SelfDescribedConfig,
    private readonly http: HttpConfig,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * @throws MetadataRefused
   * @throws DomainError Unauthenticated `registration.token_refused`; ResourceExhausted `registration.full`
   */
  async register(token: string | undefined, metadata: JsonObject): Promise<RegisteredByItself> {
    const { signingAlgorithm } = await this.instances.get();
    return this.database.transaction(async (tx) => {
      const { projectId, ...limits } = await this.placeFor(tx, token);
      const settings = readMetadata(metadata, this.rulesOf(limits, signingAlgorithm));
      const clientId = newId();
      const { id, secret } = await this.clients.register(
        tx,
        {
          ...settings,
          kind: 'oidc',
          projectId,
          clientId,
          name: nameOf(settings, clientId),
          origin: 'registered',
          accessTokenType: 'jwt',
          consentPage: true,
          registration: { ...limits, version: 0 },
        },
        SYSTEM,
      );
      return this.answer(await this.clients.getLocked(tx, id), secret, signingAlgorithm);
    });
  }

  /** @throws DomainError Unauthenticated `registration.token_refused` */
  async read(token: string, clientId: string): Promise<RegisteredByItself> {
    const { signingAlgorithm } = await this.instances.get();
    return this.database.transaction(async (tx) =>
      this.answer(await this.hold(tx, token, clientId), undefined, signingAlgorithm),
    );
  }

  /**
   * RFC 7592 §2.2: everything or nothing, judged like a new registration; what is not sent has its default. A secret
   * stays for as long as the application uses one.
   * @throws MetadataRefused
   * @throws DomainError Unauthenticated `registration.token_refused`
   */
  async replace(token: string, clientId: string, metadata: JsonObject): Promise<RegisteredByItself> {
    const { signingAlgorithm } = await this.instances.get();
    return this.database.transaction(async (tx) => {
      const row = await this.hold(tx, token, clientId);
      const sent = await this.secretIn(metadata, row);
      const settings = readMetadata(metadata, this.rulesOf(row.registration ?? UNLIMITED, signingAlgorithm));
      await this.clients.changeSettings(tx, row.id, { ...settings, name: nameOf(settings, clientId) }, SYSTEM);
      const needsSecret = usesSecret(settings.authMethod) && row.secretHash === null;
      const made = needsSecret ? (await this.clients.regenerateSecret(tx, row.id, SYSTEM)).secret : undefined;
      const secret = made ?? (usesSecret(settings.authMethod) ? sent : undefined);
      return this.answer(await this.clients.getLocked(tx, row.id), secret, signingAlgorithm);
    });
  }

  /** RFC 7592 §2.3. Its tokens end with it. @throws DomainError Unauthenticated `registration.token_refused` */
  async remove(token: string, clientId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.clients.remove(tx, (await this.hold(tx, token, clientId)).id, SYSTEM);
    });
  }

  private async placeFor(
    tx: Transaction,
    token: string | undefined,
  ): Promise<RegistrationLimits & { readonly projectId: string }> {
    if (token !== undefined) {
      const spent = await this.tokens.spend(tx, token);
      if (!spent) throw refused();
      return spent;
    }
    if (this.config.registration !== 'open') throw refused();
    const { id: projectId } = await this.project.get(tx);
    if ((await tx.query(EXCESS, { projectId })).length > 0) throw full();
    return { ...UNLIMITED, projectId };
  }

  /** Locks the application. The refusal does not say whether it exists, so that ids cannot be tried (RFC 7592 §2). */
  private async hold(tx: Transaction, token: string, clientId: string): Promise<ClientRow> {
    const id = this.access.idIn(token);
    const row = id === undefined ? undefined : await this.clients.findLocked(tx, id);
    if (row?.clientId !== clientId || !this.access.isFor(token, row)) throw refused();
    return row;
  }

  /** @throws MetadataRefused for another client id or secret, and for members of ours */
  private async secretIn(metadata: JsonObject, row: ClientRow): Promise<Secret | undefined> {
    const wrong = OURS.find((member) => metadata[member] !== undefined);
    if (wrong !== undefined) throw new MetadataRefused('invalid_client_metadata', wrong, 'must not be sent');
    if (metadata['client_id'] !== row.clientId)
      throw new MetadataRefused('invalid_client_metadata', 'client_id', 'must be that of the application');
    const sent = metadata['client_secret'];
    if (sent === undefined) return undefined;
    const secret = typeof sent === 'string' ? new Secret(sent) : undefined;
    if (!secret || !(await this.secrets.isRight(row.secretHash, secret, { from: row.clientId, name: 'registration' })))
      throw new MetadataRefused('invalid_client_metadata', 'client_secret', 'must be that of the application');
    return secret;
  }

  private rulesOf({ redirectHosts, deviceCode }: RegistrationLimits, signingAlgorithm: string): MetadataRules {
    return {
      authMethods: this.http.certificateHeader === undefined ? AUTH_METHODS : [...AUTH_METHODS, ...CERTIFICATE_METHODS],
      grantTypes: deviceCode
        ? ['authorization_code', 'refresh_token', 'device_code']
        : ['authorization_code', 'refresh_token'],
      idTokenAlgorithms: [signingAlgorithm],
      userinfoAlgorithm: signingAlgorithm,
      takesRequestUris: this.issuer.fetchesRequestObjects,
      loopbackIsNative: false,
      defaultName: 'Application',
      redirectHosts,
    };
  }

  private answer(row: ClientRow, secret: Secret | undefined, idTokenAlgorithm: string): RegisteredByItself {
    return { row, secret, accessToken: this.access.tokenFor(row), idTokenAlgorithm };
  }
}

/** Unique in its project, and for administrators: users read the name that it gives itself. */
function nameOf({ about }: DescribedSettings, clientId: string): string {
  return `${about.name} ${clientId}`;
}

function refused(): DomainError {
  return new DomainError('Unauthenticated', 'registration.token_refused', 'The access token is not valid.');
}

function full(): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'registration.full',
    'Too many applications have registered themselves. Try again later, or ask an administrator for an initial access token.',
    { retryAfterSeconds: 3_600 },
  );
}
