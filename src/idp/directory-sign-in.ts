import { Injectable } from '@nestjs/common';
import type { Secret } from '../foundation/config/secret.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Loan } from '../foundation/extension/loan.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { Logger } from '../foundation/log/logger.js';
import { OutboundSockets } from '../foundation/outbound/outbound-sockets.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import {
  DIRECTORY_KIND,
  type DirectoryGiven,
  type DirectoryKind,
  type DirectoryNet,
  DirectoryRefused,
} from './directory-kind.js';
import { directoryNet } from './directory-net.js';
import { ExtKinds } from './ext-kinds.js';
import { type ExternalIdentity, readIdentity } from './external-identity.js';
import type { Idp } from './idp.entity.js';
import { directoryBusy, providerFailed } from './idp.errors.js';
import { IdpSecrets } from './idp-secrets.js';
import { askKind, settingsOf } from './kind-call.js';

/** Of all directories: more would only wait for sockets and memory. */
const MOST_CHECKS = 100;
/** A directory that hangs must leave room for the others. */
const MOST_CHECKS_PER_PROVIDER = 20;
/** Words of an extension that may appear in the log. */
const WORD = /^[a-z_]{1,40}$/;
const MAX_PROBLEM_CHARACTERS = 400;

/** What a directory says to a name and a password. `word` is for the log. */
export type DirectoryAnswer =
  | { readonly kind: 'right'; readonly identity: ExternalIdentity }
  | { readonly kind: 'wrong' }
  /** The password was right, but nobody may sign in with it. */
  | { readonly kind: 'refused'; readonly word: string };

/** Asks the directories of extensions, within limits that keep one of them from holding up anybody else. */
@Injectable()
export class DirectorySignIn {
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly kinds: ExtKinds,
    private readonly secrets: IdpSecrets,
    private readonly calls: PartCalls,
    private readonly sockets: OutboundSockets,
    private readonly timeouts: Timeouts,
    private readonly log: Logger,
  ) {}

  /**
   * Does the work of one check, unless too many are under way.
   * @throws DomainError Unavailable `idp.directory_busy`
   */
  async inTurn<T>({ id }: Pick<Idp, 'id'>, work: () => Promise<T>): Promise<T> {
    const own = this.running.get(id) ?? 0;
    if (this.total >= MOST_CHECKS || own >= MOST_CHECKS_PER_PROVIDER) throw directoryBusy();
    this.count(id, 1);
    try {
      return await work();
    } finally {
      this.count(id, -1);
    }
  }

  /** @throws DomainError Unavailable `idp.provider_failed` */
  async check(idp: Idp, loginName: string, password: Secret): Promise<DirectoryAnswer> {
    return this.ask(idp, async (kind, given, net, signal) => {
      try {
        const answer: unknown = await kind.check(Object.freeze({ ...given, loginName, password }), net, signal);
        if (answer === undefined) return { kind: 'wrong' };
        const identity = readIdentity(answer);
        if (!identity) throw new Error('Its answer is no identity with a subject of 1 to 255 printable characters.');
        return { kind: 'right', identity };
      } catch (error) {
        if (!(error instanceof DirectoryRefused)) throw error;
        return { kind: 'refused', word: WORD.test(error.message) ? error.message : 'unknown_word' };
      }
    });
  }

  /**
   * What is wrong with the configuration, for administrators; undefined if nothing is.
   * @throws DomainError Unavailable `idp.provider_failed`
   */
  async problemOf(idp: Idp): Promise<string | undefined> {
    return this.ask(idp, async (kind, given, net, signal) => {
      try {
        await kind.test(Object.freeze(given), net, signal);
        return undefined;
      } catch (error) {
        // Not by its class: an extension may bring errors of its own.
        const { message = '' } = error as { readonly message?: string };
        return message.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_PROBLEM_CHARACTERS) || 'It fails without saying why.';
      }
    });
  }

  private count(id: string, number: number): void {
    this.total += number;
    const own = (this.running.get(id) ?? 0) + number;
    if (own === 0) this.running.delete(id);
    else this.running.set(id, own);
  }

  /** @throws DomainError */
  private async ask<T>(
    idp: Idp,
    work: (kind: DirectoryKind, given: DirectoryGiven, net: DirectoryNet, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const filled = this.kinds.findDirectory(idp.type);
    if (!filled) throw this.unavailable(idp, 'extension_missing');
    const given = this.givenOf(idp, filled);
    const call = { seam: DIRECTORY_KIND, of: filled, limitMs: this.timeouts.extensionMs };
    const loan = new Loan('connection to the directory', (error) => this.calls.noteKept(call, error));
    const ended = new AbortController();
    const { ownerId } = idp;
    try {
      return await askKind(
        this.calls,
        call,
        (kind, limit) => {
          const signal = AbortSignal.any([limit, ended.signal]);
          return work(kind, given, directoryNet(this.sockets, { ownerId, signal, loan }), signal);
        },
        (error) => {
          // A directory that cannot be reached is no failure of the extension.
          if (!(error instanceof DomainError)) throw error;
          return this.unavailable(idp, error.reason);
        },
      );
    } finally {
      loan.end();
      ended.abort();
    }
  }

  private givenOf(idp: Idp, filled: Filled<DirectoryKind>): DirectoryGiven {
    const stored = settingsOf({ kinds: this.kinds, secrets: this.secrets }, idp, filled);
    if ('outdated' in stored) throw this.unavailable(idp, `settings_outdated: ${stored.outdated}`);
    return { providerId: idp.id, settings: stored.settings };
  }

  private unavailable({ id, type }: Idp, detail: string): DomainError {
    this.log.warn({ reason: 'idp.provider_failed', detail, idpId: id, kind: type }, 'directory unusable');
    return providerFailed(detail);
  }
}
