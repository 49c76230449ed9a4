import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../error/domain-error.js';
import { type PartCall, PartCalls } from '../extension/part-calls.js';
import type { Filled } from '../extension/seam.js';
import { Logger } from '../log/logger.js';
import { asExtension } from '../log/running-extension.js';
import { EXT_FORM_LIMIT_MS, extSettingOf, PASSWORD_FORM, type PasswordForm } from './ext-password-form.js';

const MAX_CHARACTERS = 500;
/** Longer than a call needs that only begins work elsewhere. */
const OCCUPIES_MS = 50;
const RETRY_AFTER_SECONDS = 5;

/** A hash of a form of an extension. */
interface ExtHash {
  readonly call: PartCall<PasswordForm>;
  /** The hash without the prefix. */
  readonly hash: string;
}

/** The forms of password hashes that extensions add. None of them is asked about a hash without its prefix. */
@Injectable()
export class ExtPasswordForms {
  /** The calls by setting. */
  private readonly calls: ReadonlyMap<string, PartCall<PasswordForm>>;
  /** Forms of which the log has said that they occupy the event loop. */
  private readonly reported = new Set<PartCall<PasswordForm>>();

  constructor(
    @Inject(PASSWORD_FORM.token) filled: ReadonlyArray<Filled<PasswordForm>>,
    private readonly parts: PartCalls,
    private readonly log: Logger,
  ) {
    this.calls = new Map(
      filled.map((of) => [extSettingOf(of), { seam: PASSWORD_FORM, of, limitMs: EXT_FORM_LIMIT_MS }]),
    );
  }

  /** Whether it has the prefix of a form that is loaded. */
  knows(encoded: string): boolean {
    return this.find(encoded) !== undefined;
  }

  /** The problem of a hash that `knows` accepts; undefined if there is none. */
  problemOf(encoded: string): string | undefined {
    if (encoded.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
    const found = this.find(encoded)!;
    try {
      const problem: unknown = asExtension(found.call.of.extension, () => found.call.of.part.problemOf(found.hash));
      if (problem === undefined || typeof problem === 'string') return problem;
      throw new Error('What is wrong with a hash must be a text.');
    } catch (error) {
      this.parts.fail(found.call, error);
      return 'cannot be read by the extension of its form';
    }
  }

  /** The cost of a hash that `knows` accepts; infinite if the form cannot say. */
  millisecondsOf(encoded: string): number {
    const found = this.find(encoded)!;
    try {
      const milliseconds: unknown = asExtension(found.call.of.extension, () =>
        found.call.of.part.millisecondsOf(found.hash),
      );
      if (typeof milliseconds === 'number' && milliseconds >= 0) return milliseconds;
      throw new Error('It does not estimate how long a check takes.');
    } catch (error) {
      this.parts.fail(found.call, error);
      return Number.POSITIVE_INFINITY;
    }
  }

  /** A hash that matches no password; undefined for a setting of no form that is loaded. */
  decoyOf(setting: string): string | undefined {
    const call = this.calls.get(setting);
    return call && `${setting}$${call.of.part.decoy}`;
  }

  /**
   * Whether the password matches a hash that `knows` accepts.
   * @throws DomainError Unavailable `password.form_failed`, which says nothing about the password
   */
  async verify(encoded: string, password: string): Promise<boolean> {
    const { call, hash } = this.find(encoded)!;
    let answer: unknown;
    try {
      answer = await this.parts.call(call, (form, signal) => {
        const beganAtMs = performance.now();
        const checking = form.verify(hash, password, signal);
        this.noteOccupied(call, performance.now() - beganAtMs);
        return checking;
      });
    } catch {
      throw formFailed(); // logged already
    }
    if (typeof answer === 'boolean') return answer;
    this.parts.fail(call, new Error('Its answer is neither true nor false.'));
    throw formFailed();
  }

  /** Warns once for each form: what it computes before it returns its promise delays every other request. */
  private noteOccupied(call: PartCall<PasswordForm>, milliseconds: number): void {
    if (milliseconds < OCCUPIES_MS || this.reported.has(call)) return;
    this.reported.add(call);
    const { extension, name } = call.of;
    this.log.warn(
      { extension, seam: PASSWORD_FORM.name, part: name, milliseconds: Math.round(milliseconds) },
      'a password form occupies the event loop: it should check hashes in a worker thread',
    );
  }

  private find(encoded: string): ExtHash | undefined {
    const end = encoded.indexOf('$', 1);
    const call = end < 0 ? undefined : this.calls.get(encoded.slice(0, end));
    return call && { call, hash: encoded.slice(end + 1) };
  }
}

function formFailed(): DomainError {
  return new DomainError(
    'Unavailable',
    'password.form_failed',
    'The password cannot be checked at the moment. Try again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
