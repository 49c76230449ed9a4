import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction, type Transactional } from '../../foundation/database/database.js';
import type { Recorded } from '../../foundation/database/recorded.js';
import { type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import { type EncodedPassword } from '../../foundation/password/encoded-password.js';
import { HashBudget } from '../../foundation/password/hash-budget.js';
import type { Turn } from '../../foundation/password/hash-lane.js';
import type { HashLimits } from '../../foundation/password/hash-limits.js';
import { isImportedHash } from '../../foundation/password/password-form.js';
import { MAX_PASSWORD_CHARACTERS, PasswordHash } from '../../foundation/password/password-hash.js';
import { IdpLinks } from '../../idp/idp-links.js';
import type { MetadataEntry } from '../../org/metadata.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { TotpService } from '../../user/factor/totp.service.js';
import type { NewHuman } from '../../user/new-human.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { type NewPerson, PersonService } from '../../user/person.service.js';
import { type NewServiceUser, ServiceUserService } from '../../user/service-user.service.js';
import type { User } from '../../user/user.entity.js';
import { UserService } from '../../user/user.service.js';
import { UserMetadataService } from '../../user/user-metadata.service.js';
import { type PasskeyLink, PasskeyLinks } from './passkey-links.js';
import { type ProviderAccount, ProviderLinks } from './provider-links.js';

/** A recovery code in clear, or as another service has stored it. */
export type RecoveryCode = { readonly raw: Secret } | { readonly hash: string };

export interface Newcomer extends Omit<NewHuman, 'orgId' | 'passwordHash' | 'state'> {
  /** A new password, which must satisfy the organization's rules, and the field of the request that contains it. */
  readonly password?: { readonly secret: Secret; readonly field: string };
  /** A hash from another service. */
  readonly hashedPassword?: string;
  /** Whether the user is to sign in with a passkey alone, for which a link is made. */
  readonly isPasswordless?: boolean;
  /** Whether no mail is sent. The caller then tells the user how to sign in. */
  readonly isSilent?: boolean;
  /** Seed of time-based codes, in base32. */
  readonly totpSeed?: Secret;
  readonly recoveryCodes?: readonly RecoveryCode[];
  readonly providers?: readonly ProviderAccount[];
  readonly metadata?: readonly MetadataEntry[];
}

/** A newcomer who was checked, with hashes: these take their time, so that they are made before a transaction. */
export interface PreparedNewcomer {
  readonly person: Omit<NewPerson, 'orgId'>;
  readonly totpSeed: Secret | undefined;
  readonly hashedCodes: readonly EncodedPassword[];
  readonly providers: readonly ProviderAccount[];
  readonly metadata: readonly MetadataEntry[];
}

/** The new user with the history of the row, and the link to add a passkey if one was made. */
export interface Added {
  readonly id: string;
  readonly details: Recorded;
  readonly passkeyLink?: PasskeyLink;
}

/** New users of an organization, created by a manager or imported. */
@Injectable()
export class Newcomers {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly services: ServiceUserService,
    private readonly passwordPolicies: PasswordPolicyService,
    private readonly passwords: PasswordHash,
    private readonly hashBudget: HashBudget,
    private readonly links: IdpLinks,
    private readonly providerLinks: ProviderLinks,
    private readonly totp: TotpService,
    private readonly codes: RecoveryCodes,
    private readonly passkeyLinks: PasskeyLinks,
    private readonly metadata: UserMetadataService,
  ) {}

  /**
   * Adds a user with password, second factors and links to providers: all of it or nothing. `on`: the transaction to
   * take part in, in place of one of its own.
   * @throws DomainError as `prepare` and `addWithin`
   */
  async add(actor: Actor, input: Newcomer, on: Transactional = this.database): Promise<Added> {
    const prepared = await this.prepare(actor, input);
    return on.transaction((tx) => this.addWithin(tx, actor, prepared));
  }

  /**
   * Checks a newcomer by the rules of the organization that the call is about, or of `rulesOf` if that does not exist
   * yet.
   * @throws DomainError InvalidArgument; NotFound `idp.not_found`; FailedPrecondition `idp.linking_not_allowed`,
   * `passkey.unavailable`, `passkey.not_allowed`
   */
  async prepare(actor: Actor, input: Newcomer, rulesOf = actor.orgId): Promise<PreparedNewcomer> {
    const {
      password,
      hashedPassword,
      isPasswordless = false,
      totpSeed,
      recoveryCodes = [],
      providers = [],
      metadata = [],
      ...person
    } = input;
    const broken = await this.violationsOf(hashedPassword, recoveryCodes);
    if (password && hashedPassword !== undefined)
      broken.push({ field: 'hashedPassword', description: 'must not be sent beside a password' });
    if (broken.length > 0) throw invalidFields(broken);
    if (isPasswordless) await this.passkeyLinks.checkUsable(rulesOf);
    if (password) await this.passwordPolicies.check(rulesOf, password.secret, password.field);
    for (const { idpId } of providers) await this.providerLinks.checkProvider(rulesOf, idpId);
    const turn = turnOfActor(actor);
    const passwordHash = password ? await this.passwords.hash(password.secret, turn) : toEncoded(hashedPassword);
    return {
      person: {
        ...person,
        hasProvider: providers.length > 0,
        isPasswordless,
        ...(passwordHash === undefined ? {} : { passwordHash }),
      },
      totpSeed,
      hashedCodes: await this.hashAll(recoveryCodes, turn),
      providers,
      metadata,
    };
  }

  /**
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`, `user.id_taken`, `idp.link_taken`;
   * FailedPrecondition `user.domain_elsewhere`
   */
  async addWithin(tx: Transaction, actor: Actor, prepared: PreparedNewcomer): Promise<Added> {
    const { person, totpSeed, hashedCodes, providers, metadata } = prepared;
    const { isPasswordless = false } = person;
    const { id, mark } = await this.persons.add(tx, { ...person, orgId: actor.orgId }, actor.userId);
    const isWhole =
      !totpSeed && hashedCodes.length === 0 && providers.length === 0 && metadata.length === 0 && !isPasswordless;
    if (isWhole) return { id, details: { sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at } };
    const owner = { userId: id, orgId: actor.orgId };
    if (totpSeed) await this.totp.importSeed(tx, owner, totpSeed, actor.userId);
    if (hashedCodes.length > 0) await this.codes.importHashes(tx, owner, hashedCodes, actor.userId);
    await this.link(tx, actor, id, providers);
    const user = await this.describe(tx, actor, id, metadata);
    // A user who has yet to set the account up may choose a passkey there.
    if (!isPasswordless || user.state === 'initial') return { id, details: user };
    return { id, details: user, passkeyLink: await this.passkeyLinks.makeFor(tx, user, actor.userId) };
  }

  /** @throws DomainError as `ServiceUserService.add` */
  async addService(
    actor: Actor,
    { metadata = [], ...input }: Omit<NewServiceUser, 'orgId'> & Pick<Newcomer, 'metadata'>,
  ): Promise<User> {
    return this.database.transaction(async (tx) => {
      const id = await this.services.add(tx, { ...input, orgId: actor.orgId }, actor.userId);
      return this.describe(tx, actor, id, metadata);
    });
  }

  /** Keeps what applications say about the new user, whose row is returned. */
  private async describe(tx: Transaction, actor: Actor, id: string, metadata: readonly MetadataEntry[]): Promise<User> {
    const user = await this.users.get(tx, id);
    if (metadata.length === 0) return user;
    await this.metadata.set(tx, user, metadata, actor.userId);
    return this.users.get(tx, id);
  }

  /** The violations in values from another service. */
  private async violationsOf(
    hashedPassword: string | undefined,
    codes: readonly RecoveryCode[],
  ): Promise<FieldViolation[]> {
    const hasHashes = hashedPassword !== undefined || codes.some((code) => 'hash' in code);
    const limits = hasHashes ? await this.hashBudget.limits() : undefined;
    const problem = hashedPassword === undefined ? undefined : limits?.problemOf(hashedPassword);
    return [
      ...(problem === undefined ? [] : [{ field: 'hashedPassword.value', description: problem }]),
      ...codes.flatMap((code, index) => codeViolations(code, `recoveryCodes[${index}]`, limits)),
    ];
  }

  private async link(
    tx: Transaction,
    actor: Actor,
    userId: string,
    providers: readonly ProviderAccount[],
  ): Promise<void> {
    for (const provider of providers)
      await this.links.add(tx, { ...provider, userId, orgId: actor.orgId }, actor.userId);
  }

  private async hashAll(codes: readonly RecoveryCode[], turn: Turn): Promise<EncodedPassword[]> {
    const raw = codes.flatMap((code) => ('raw' in code ? [code.raw] : []));
    const brought = codes.flatMap((code) => ('hash' in code ? [toEncoded(code.hash)] : []));
    return [...brought.filter((hash) => hash !== undefined), ...(await this.codes.hash(raw, turn))];
  }
}

function toEncoded(hash: string | undefined): EncodedPassword | undefined {
  return hash !== undefined && isImportedHash(hash) ? hash : undefined;
}

function codeViolations(code: RecoveryCode, field: string, limits: HashLimits | undefined): FieldViolation[] {
  if ('raw' in code) {
    const isTooLong = [...code.raw.reveal()].length > MAX_PASSWORD_CHARACTERS;
    return isTooLong
      ? [{ field: `${field}.raw`, description: `must have at most ${MAX_PASSWORD_CHARACTERS} characters` }]
      : [];
  }
  const problem = limits?.codeProblemOf(code.hash);
  return problem === undefined ? [] : [{ field: `${field}.hash`, description: problem }];
}
