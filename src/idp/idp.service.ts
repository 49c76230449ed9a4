import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../foundation/config/config.js';
import type { Secret } from '../foundation/config/secret.js';
import { newId } from '../foundation/crypto/id.js';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { changedValues } from '../foundation/database/changed-values.js';
import type { Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { allowLongWork } from '../foundation/database/long-work.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import type { Filled } from '../foundation/extension/seam.js';
import { Logger } from '../foundation/log/logger.js';
import { type ExtKind, ExtKinds } from './ext-kinds.js';
import { type ExtIdpType, Idp, type IdpType, isExtType } from './idp.entity.js';
import {
  idpIdTaken,
  idpInvalid,
  idpKindUnavailable,
  idpKindUnknown,
  idpNameTaken,
  idpNotActive,
  idpNotFound,
  idpNotInactive,
  idpOfOtherType,
  idpUnchanged,
} from './idp.errors.js';
import { IdpLinks } from './idp-links.js';
import type { IdpOwner } from './idp-owner.js';
import {
  DEFAULT_HEADER_NAME,
  type JwtSettings,
  jwtViolations,
  type OidcOptions,
  type OidcSettings,
  oidcViolations,
} from './idp-rules.js';
import { IdpSecrets } from './idp-secrets.js';
import { LoginPolicyIdps } from './login-policy-idps.js';
import type { AddedIdp, CommonSettings, ExtKindConfig, NewExtIdp, NewJwtIdp, NewOidcIdp } from './new-idp.js';

/** Names in events that differ from those of the columns. */
const EVENT_NAMES: Readonly<Record<string, string>> = { displayNameMapping: 'idpDisplayNameMapping' };

/** External identity providers of the instance and of organizations. */
@Injectable()
export class IdpService {
  constructor(
    @InjectRepository(Idp) private readonly rows: Repository<Idp>,
    private readonly journal: Journal,
    private readonly secrets: IdpSecrets,
    private readonly kinds: ExtKinds,
    private readonly links: IdpLinks,
    private readonly listed: LoginPolicyIdps,
    private readonly issuer: IssuerConfig,
    private readonly changes: ChangeChannel,
    private readonly log: Logger,
  ) {}

  /** @throws DomainError InvalidArgument with every violation; AlreadyExists `idp.name_taken`, `idp.id_taken` */
  async addOidc(tx: Transaction, owner: IdpOwner, input: NewOidcIdp, editorId: string): Promise<AddedIdp> {
    const { id = newId(), name, stylingType, autoRegister, options, clientSecret, ...config } = input;
    refuse(oidcViolations(config, this.issuer));
    return this.add(
      tx,
      owner,
      { id, type: 'oidc', name, stylingType, autoRegister, options },
      config,
      { clientSecret: this.secrets.sealClientSecret({ id, ownerId: owner.id }, clientSecret.reveal()) },
      editorId,
    );
  }

  /** @throws DomainError InvalidArgument with every violation; AlreadyExists `idp.name_taken`, `idp.id_taken` */
  async addJwt(tx: Transaction, owner: IdpOwner, input: NewJwtIdp, editorId: string): Promise<AddedIdp> {
    const { id = newId(), name, stylingType, autoRegister, options, ...endpoints } = input;
    const { headerName = DEFAULT_HEADER_NAME } = input;
    const config = { ...endpoints, headerName };
    refuse(jwtViolations(config, this.issuer));
    return this.add(tx, owner, { id, type: 'jwt', name, stylingType, autoRegister, options }, config, {}, editorId);
  }

  /**
   * A provider of an extension's kind.
   * @throws DomainError InvalidArgument with every violation, also for a kind that is not loaded; AlreadyExists
   * `idp.name_taken`, `idp.id_taken`
   */
  async addExt(tx: Transaction, owner: IdpOwner, input: NewExtIdp, editorId: string): Promise<AddedIdp> {
    const { id = newId(), name, stylingType, autoRegister, options, kind, clientSecret, settings, ...config } = input;
    const filled = this.kinds.find(kind);
    if (!filled) throw idpInvalid([idpKindUnknown(this.kinds.names)]);
    const { open, secret } = this.kinds.take(filled, settings);
    const place = { id, ownerId: owner.id };
    return this.add(
      tx,
      owner,
      { id, type: kind as ExtIdpType, name, stylingType, autoRegister, options },
      { ...config, issuer: '', settings: open },
      {
        clientSecret: this.secrets.sealClientSecret(place, clientSecret?.reveal() ?? ''),
        secretSettings: this.secrets.sealSettings(place, secret),
      },
      editorId,
    );
  }

  /**
   * Owned by one of these.
   * @throws DomainError NotFound `idp.not_found`
   */
  async get(ownerIds: readonly string[], id: string): Promise<Idp> {
    const idp = await this.rows.findOneBy({ id });
    if (!idp || !ownerIds.includes(idp.ownerId)) throw idpNotFound();
    return idp;
  }

  /** The organization or instance that owns it; undefined if there is no such provider. */
  async findOwner(id: string): Promise<string | undefined> {
    return (await this.rows.findOne({ select: { ownerId: true }, where: { id } }))?.ownerId;
  }

  /** Like `get`, as the transaction sees it. */
  async readOf(tx: Transaction, ownerId: string, id: string): Promise<Idp> {
    const idp = await tx.of(this.rows).findOneBy({ id, ownerId });
    if (!idp) throw idpNotFound();
    return idp;
  }

  /** The provider of any owner, if it can be used to sign in. */
  async findActive(id: string): Promise<Idp | undefined> {
    return (await this.rows.findOneBy({ id, state: 'active' })) ?? undefined;
  }

  /**
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.unchanged`; AlreadyExists `idp.name_taken`
   */
  async change(
    tx: Transaction,
    owner: IdpOwner,
    id: string,
    { options, ...settings }: Partial<CommonSettings>,
    editorId: string,
  ): Promise<EventMark> {
    const idp = await this.getLocked(tx, owner, id);
    return this.update(tx, owner, idp, { ...settings, ...options }, 'config.changed', editorId);
  }

  /**
   * Changes the settings; without `clientSecret` the secret stays.
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.unchanged`, `idp.other_type`; InvalidArgument
   * with every violation
   */
  async changeOidcConfig(
    tx: Transaction,
    owner: IdpOwner,
    id: string,
    config: OidcSettings & { readonly settings?: OidcOptions },
    clientSecret: Secret | undefined,
    editorId: string,
  ): Promise<EventMark> {
    refuse(oidcViolations(config, this.issuer));
    const idp = await this.getLocked(tx, owner, id, 'oidc');
    return this.update(
      tx,
      owner,
      idp,
      { ...config, ...this.newSecretOf(idp, clientSecret) },
      'oidc.config.changed',
      editorId,
    );
  }

  /**
   * Changes the settings; the secrets that are not given, `clientSecret` or among the settings, stay.
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.unchanged`, `idp.other_type`,
   * `idp.kind_unavailable`; InvalidArgument with every violation
   */
  async changeExtConfig(
    tx: Transaction,
    owner: IdpOwner,
    id: string,
    { settings, ...config }: ExtKindConfig,
    clientSecret: Secret | undefined,
    editorId: string,
  ): Promise<EventMark> {
    const idp = await this.getLocked(tx, owner, id);
    const stored = this.secrets.findSettings(idp);
    const { open, secret } = this.kinds.take(this.kindOf(idp), settings, stored);
    const isSame = stored !== undefined && isDeepStrictEqual({ ...secret }, { ...stored });
    const wanted = {
      ...config,
      settings: open,
      ...this.newSecretOf(idp, clientSecret),
      ...(isSame ? {} : { secretSettings: this.secrets.sealSettings(idp, secret) }),
    };
    return this.update(tx, owner, idp, wanted, 'extension.config.changed', editorId);
  }

  /**
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.unchanged`, `idp.other_type`;
   * InvalidArgument with every violation
   */
  async changeJwtConfig(
    tx: Transaction,
    owner: IdpOwner,
    id: string,
    config: JwtSettings,
    editorId: string,
  ): Promise<EventMark> {
    refuse(jwtViolations(config, this.issuer));
    const idp = await this.getLocked(tx, owner, id, 'jwt');
    return this.update(tx, owner, idp, config, 'jwt.config.changed', editorId);
  }

  /**
   * Deactivates the provider: nobody can sign in through it until it is reactivated.
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.not_active`
   */
  async deactivate(tx: Transaction, owner: IdpOwner, id: string, editorId: string): Promise<EventMark> {
    const idp = await this.getLocked(tx, owner, id);
    if (idp.state !== 'active') throw idpNotActive();
    return this.update(tx, owner, idp, { state: 'inactive' }, 'config.deactivated', editorId);
  }

  /** @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.not_inactive` */
  async reactivate(tx: Transaction, owner: IdpOwner, id: string, editorId: string): Promise<EventMark> {
    const idp = await this.getLocked(tx, owner, id);
    if (idp.state !== 'inactive') throw idpNotInactive();
    return this.update(tx, owner, idp, { state: 'active' }, 'config.reactivated', editorId);
  }

  /**
   * Removes it with all links to it, and from every login policy that lists it, with an event for each.
   * @throws DomainError NotFound `idp.not_found`
   */
  async remove(tx: Transaction, owner: IdpOwner, id: string, editorId: string): Promise<EventMark> {
    await allowLongWork(tx);
    const idp = await this.getLocked(tx, owner, id);
    // Waits for transactions that link or list it, and blocks new ones, so that everything is removed.
    await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    await this.links.removeAllOfIdp(tx, id, editorId);
    await this.listed.removeAllOfIdp(tx, id, editorId);
    const mark = await this.append(tx, owner, 'config.removed', editorId, { idpConfigId: id, name: idp.name });
    await tx.of(this.rows).delete({ id });
    return mark;
  }

  /** Removes all providers of an owner that is removed. */
  async removeAllOf(tx: Transaction, owner: IdpOwner, editorId: string): Promise<void> {
    await this.lock(tx, owner);
    for (const { id } of await tx.of(this.rows).find({ where: { ownerId: owner.id }, order: { id: 'ASC' } }))
      await this.remove(tx, owner, id, editorId);
  }

  /**
   * Reseals every secret under today's master key, whatever the kind of its provider. One that cannot be read stays as
   * it is: its provider is not to be used until it is given anew, and all others are.
   */
  async reseal(tx: Transaction): Promise<void> {
    for (const idp of await tx.of(this.rows).find()) {
      const { resealed, isUnreadable } = this.secrets.reseal(idp);
      if (isUnreadable)
        this.log.error(
          { idpId: idp.id, name: idp.name, ownerId: idp.ownerId },
          'the client secret of an identity provider cannot be read with MASTER_KEY and MASTER_KEY_PREVIOUS; set it anew',
        );
      if (Object.keys(resealed).length > 0) await tx.of(this.rows).update({ id: idp.id }, resealed);
    }
  }

  private async add(
    tx: Transaction,
    owner: IdpOwner,
    { options, ...idp }: CommonSettings & Pick<Idp, 'id' | 'type'>,
    config:
      | (OidcSettings & { readonly settings?: OidcOptions })
      | JwtSettings
      | (Omit<ExtKindConfig, 'settings'> & Pick<Idp, 'issuer' | 'settings'>),
    sealed: Partial<Pick<Idp, 'clientSecret' | 'secretSettings'>>,
    editorId: string,
  ): Promise<AddedIdp> {
    await this.lock(tx, owner);
    const { id, type, name, stylingType, autoRegister } = idp;
    const added = await this.append(tx, owner, 'config.added', editorId, {
      idpConfigId: id,
      name,
      idpType: type,
      stylingType,
      autoRegister,
      ...options,
    });
    const mark = await this.append(tx, owner, `${isExtType(type) ? 'extension' : type}.config.added`, editorId, {
      idpConfigId: id,
      ...toPayload(config),
    });
    try {
      await tx.of(this.rows).insert({
        ...idp,
        ...options,
        ...config,
        ...sealed,
        ownerId: owner.id,
        sequence: mark.sequence,
        creationDate: added.at,
        changeDate: mark.at,
      });
    } catch (error) {
      if (isUniqueViolation(error, 'idp_owner_name_key')) throw idpNameTaken(name);
      throw isUniqueViolation(error, 'idp_pkey') ? idpIdTaken() : error;
    }
    return { id, type, mark };
  }

  private async update(
    tx: Transaction,
    owner: IdpOwner,
    idp: Idp,
    wanted: Partial<Idp>,
    what: string,
    editorId: string,
  ): Promise<EventMark> {
    const changed = changedValues(idp, wanted);
    if (Object.keys(changed).length === 0) throw idpUnchanged();
    const { clientSecret, secretSettings, state: _state, ...shown } = changed;
    const payload = {
      idpConfigId: idp.id,
      ...toPayload(shown),
      ...(clientSecret === undefined ? {} : { clientSecretChanged: true }),
      ...(secretSettings === undefined ? {} : { secretSettingsChanged: true }),
    };
    const mark = await this.append(tx, owner, what, editorId, payload);
    try {
      await tx.of(this.rows).update({ id: idp.id }, { ...changed, sequence: mark.sequence, changeDate: mark.at });
    } catch (error) {
      throw isUniqueViolation(error, 'idp_owner_name_key') ? idpNameTaken(changed.name ?? idp.name) : error;
    }
    return mark;
  }

  /** The owner's provider, of that type, locked until the transaction ends. */
  private async getLocked(tx: Transaction, owner: IdpOwner, id: string, type?: IdpType): Promise<Idp> {
    await this.lock(tx, owner);
    const idp = await tx.of(this.rows).findOneBy({ id, ownerId: owner.id });
    if (!idp) throw idpNotFound();
    if (type !== undefined && idp.type !== type) throw idpOfOtherType(idp.type);
    return idp;
  }

  /**
   * All providers of an owner share its sequence of events: concurrent changes wait for one another rather than collide
   * and retry.
   */
  private async lock(tx: Transaction, owner: IdpOwner): Promise<void> {
    await takeLockOn(tx, `idp:${owner.id}`);
  }

  private async append(
    tx: Transaction,
    owner: IdpOwner,
    what: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    const type = `${owner.level === 'instance' ? 'iam' : 'org'}.idp.${what}`;
    await this.changes.announce(tx, 'idp', EVERYTHING);
    return this.journal.append(tx, {
      aggregateType: owner.level,
      aggregateId: owner.id,
      type,
      orgId: owner.id,
      editorId,
      payload,
    });
  }

  /** @throws DomainError FailedPrecondition `idp.other_type`, `idp.kind_unavailable` */
  private kindOf({ type }: Idp): Filled<ExtKind> {
    if (!isExtType(type)) throw idpOfOtherType(type);
    const filled = this.kinds.find(type);
    if (!filled) throw idpKindUnavailable(type);
    return filled;
  }

  /** The column, if the secret is another one than before. */
  private newSecretOf(idp: Idp, secret: Secret | undefined): Partial<Pick<Idp, 'clientSecret'>> {
    if (secret === undefined || secret.reveal() === this.secrets.findClientSecret(idp)) return {};
    return { clientSecret: this.secrets.sealClientSecret(idp, secret.reveal()) };
  }
}

function refuse(violations: Parameters<typeof idpInvalid>[0]): void {
  if (violations.length > 0) throw idpInvalid(violations);
}

function toPayload(settings: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [EVENT_NAMES[name] ?? name, value]));
}
