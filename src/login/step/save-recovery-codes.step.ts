import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import type { Form } from '../../foundation/http/form.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { turnOf } from '../../session/proof/limits.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

interface ShownCodes {
  /** The set that they are for: a page that was left open does not bring back codes that were replaced. */
  readonly set: string;
  readonly codes: readonly string[];
}

/**
 * Shows recovery codes once: they exist on this page and, sealed, in its form only. Hashes are stored when the user
 * confirms that the codes of that page are saved; reloading the page before makes new ones.
 */
@Injectable()
export class SaveRecoveryCodesStep implements LoginStep<never> {
  readonly step = 'recovery-codes';
  readonly path = paths.recoveryCodes;
  readonly reach = 'due';

  constructor(
    private readonly changes: SignInChanges,
    private readonly codes: RecoveryCodes,
    private readonly tokenSeal: TokenSeal,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session } = visit;
    const set = session && (await this.codes.findOwed(session));
    if (!session || set === undefined) return undefined;
    const codes = this.codes.make().map((code) => code.reveal());
    return {
      page: 'recoveryCodes',
      form: { ...visit.formTo(this.path), fields: { codes: this.seal(session, { set, codes }) } },
      codes,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session } = visit;
    if (!session) return taken;
    const shown = this.open(session, form.find('codes'));
    if (!shown || form.find('decision') !== 'kept') return again({ reason: 'formStale' });
    const turn = turnOf(visit.address, session.userId);
    const hashes = await this.codes.hash(
      shown.codes.map((code) => new Secret(code)),
      turn,
    );
    // Hashing takes seconds, in which the session may have ended.
    await this.changes.saveRecoveryCodes(session, shown.set, hashes);
    return taken;
  }

  private seal({ id }: BrowserSession, { set, codes }: ShownCodes): string {
    return this.tokenSeal.seal('recovery', Buffer.from(JSON.stringify([id, set, ...codes])));
  }

  /** Undefined for codes of another session. */
  private open({ id }: BrowserSession, sealed: string | undefined): ShownCodes | undefined {
    const payload = sealed === undefined ? undefined : this.tokenSeal.open('recovery', sealed);
    if (!payload) return undefined;
    const [sessionId, set = '', ...codes] = JSON.parse(payload.toString()) as string[];
    return sessionId === id ? { set, codes } : undefined;
  }
}
