import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { MailServer } from './mail-server.entity.js';
import {
  mailServerActive,
  mailServerInactive,
  mailServerInvalid,
  mailServerNotFound,
  mailServerUnchanged,
  passwordUnreadable,
  tooManyMailServers,
} from './mail-server.errors.js';
import { MailServerPasswords } from './mail-server-passwords.js';
import {
  isSameAccess,
  MAX_MAIL_SERVERS,
  type MailServerAccess,
  type MailServerSettings,
  mailServerEvent,
  mailServerViolations,
  PASSWORD_NEEDED,
} from './mail-server-rules.js';

/** The mail servers that owners of the instance set up. */
@Injectable()
export class MailServers {
  constructor(
    @InjectRepository(MailServer) private readonly rows: Repository<MailServer>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly passwords: MailServerPasswords,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
    private readonly issuer: IssuerConfig,
    private readonly addresses: OutboundAddresses,
    private readonly changes: ChangeChannel,
  ) {}

  /** All mail servers, in the order in which they were added. */
  async list(): Promise<MailServer[]> {
    return this.rows.find({ order: { creationDate: 'ASC', id: 'ASC' } });
  }

  /** @throws DomainError NotFound `mail_server.not_found` */
  async get(id: string): Promise<MailServer> {
    const server = await this.rows.findOneBy({ id });
    if (!server) throw mailServerNotFound();
    return server;
  }

  /**
   * The password to sign in with, as the same user, at a server that is not stored yet.
   * @throws DomainError NotFound `mail_server.not_found`; InvalidArgument if it was given for another server;
   * FailedPrecondition `mail_server.password_unreadable`
   */
  async passwordFor(id: string, access: MailServerAccess): Promise<Secret> {
    const server = await this.get(id);
    if (server.password !== '' && !isSameAccess(server, access)) throw mailServerInvalid([PASSWORD_NEEDED]);
    return this.passwordOf(server);
  }

  /** @throws DomainError FailedPrecondition `mail_server.password_unreadable` */
  passwordOf(server: MailServer): Secret {
    const password = this.passwords.find(server);
    if (!password) throw passwordUnreadable();
    return password;
  }

  /**
   * Checks the rules that forms do not know: the domain policy of the instance, that a password has a user, and that an
   * address may be called; that of a name is known when it is dialled.
   * @throws DomainError InvalidArgument with every violation; FailedPrecondition `outbound.address_refused`
   */
  async check(
    settings: Pick<MailServerSettings, 'host' | 'senderAddress' | 'userName'>,
    password: string,
    tx?: Transaction,
  ): Promise<void> {
    const { id: instanceId } = await this.instances.get();
    const { policy } = await this.policies.read('domain', instanceId, tx);
    const host = policy.smtpSenderAddressMatchesInstanceDomain ? new URL(this.issuer.publicUrl).hostname : undefined;
    const violations = mailServerViolations(settings, password, host);
    if (violations.length > 0) throw mailServerInvalid(violations);
    this.addresses.checkLiteral(new URL(`smtp://${settings.host}`));
  }

  /**
   * Adds a mail server, which is not active yet.
   * @throws DomainError InvalidArgument with every violation; FailedPrecondition `mail_server.too_many`
   */
  async add(settings: MailServerSettings, password: string, editorId: string): Promise<MailServer> {
    return this.database.transaction(async (tx) => {
      await this.check(settings, password, tx);
      await this.lock(tx);
      if ((await tx.of(this.rows).count()) >= MAX_MAIL_SERVERS) throw tooManyMailServers(MAX_MAIL_SERVERS);
      const id = newId();
      const mark = await this.append(tx, id, 'mail_server.added', editorId, settings);
      const server = tx.of(this.rows).create({
        ...settings,
        id,
        state: 'inactive',
        password: this.passwords.seal(id, password),
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
      await tx.of(this.rows).insert(server);
      return server;
    });
  }

  /**
   * Replaces all settings. An empty password is the one that is stored.
   * @throws DomainError NotFound `mail_server.not_found`; InvalidArgument with every violation, also if the stored
   * password was given for another server or user; FailedPrecondition `mail_server.unchanged`
   */
  async change(id: string, settings: MailServerSettings, password: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.check(settings, password, tx);
      const server = await this.hold(tx, id);
      const keepsPassword = password === '' && settings.userName !== '';
      if (keepsPassword && server.password !== '' && !isSameAccess(server, settings))
        throw mailServerInvalid([PASSWORD_NEEDED]);
      const names = Object.keys(settings) as ReadonlyArray<keyof MailServerSettings>;
      const changed = names.filter((name) => server[name] !== settings[name]);
      if (changed.length === 0 && password === '') throw mailServerUnchanged();
      const payload = Object.fromEntries(changed.map((name) => [name, settings[name]]));
      const sealed = keepsPassword ? server.password : this.passwords.seal(id, password);
      return this.save(tx, id, { ...settings, password: sealed }, 'mail_server.changed', editorId, payload);
    });
  }

  /** @throws DomainError NotFound `mail_server.not_found`; InvalidArgument without a user name */
  async changePassword(id: string, password: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const server = await this.hold(tx, id);
      const violations = mailServerViolations(server, password, undefined);
      if (violations.length > 0) throw mailServerInvalid(violations);
      return this.save(
        tx,
        id,
        { password: this.passwords.seal(id, password) },
        'mail_server.password.changed',
        editorId,
      );
    });
  }

  /**
   * Mails leave by this server from now on. The one that was active is not any more.
   * @throws DomainError NotFound `mail_server.not_found`; FailedPrecondition `mail_server.active`; InvalidArgument if
   * the domain policy does not allow its sender any more
   */
  async activate(id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const server = await this.hold(tx, id);
      if (server.state === 'active') throw mailServerActive();
      await this.check(server, '', tx);
      for (const { id: former } of await tx.of(this.rows).findBy({ state: 'active' }))
        await this.save(tx, former, { state: 'inactive' }, 'mail_server.deactivated', editorId);
      return this.save(tx, id, { state: 'active' }, 'mail_server.activated', editorId);
    });
  }

  /** @throws DomainError NotFound `mail_server.not_found`; FailedPrecondition `mail_server.inactive` */
  async deactivate(id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const server = await this.hold(tx, id);
      if (server.state !== 'active') throw mailServerInactive();
      return this.save(tx, id, { state: 'inactive' }, 'mail_server.deactivated', editorId);
    });
  }

  /** @throws DomainError NotFound `mail_server.not_found` */
  async remove(id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, id);
      const mark = await this.append(tx, id, 'mail_server.removed', editorId);
      await tx.of(this.rows).delete({ id });
      return mark;
    });
  }

  private async hold(tx: Transaction, id: string): Promise<MailServer> {
    await this.lock(tx);
    const server = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!server) throw mailServerNotFound();
    return server;
  }

  /** Locks all, as they are few and seldom changed: which one is active must not change between two statements. */
  private async lock(tx: Transaction): Promise<void> {
    await takeLockOn(tx, 'mail-servers');
  }

  private async save(
    tx: Transaction,
    id: string,
    changed: Partial<MailServer>,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const mark = await this.append(tx, id, type, editorId, payload);
    await tx.of(this.rows).update({ id }, { ...changed, sequence: mark.sequence, changeDate: mark.at });
    return mark;
  }

  /** @param payload never with a password */
  private async append(
    tx: Transaction,
    id: string,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    await this.changes.announce(tx, 'mail-server', EVERYTHING);
    const { id: instanceId } = await this.instances.get();
    return this.journal.append(tx, mailServerEvent(id, instanceId, type, editorId, payload));
  }
}
