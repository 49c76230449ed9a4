import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { Secret } from '../../foundation/config/secret.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { MAX_PASSWORD_CHARACTERS } from '../../foundation/password/password-hash.js';
import { type DirectoryAnswer, DirectorySignIn } from '../../idp/directory-sign-in.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpKinds } from '../../idp/idp-kinds.js';
import { ProviderRecord } from '../../idp/provider-record.js';
import { paths } from '../../org/instance/paths.js';
import { DIRECTORY_ID, type DirectoryField } from '../../page/directory.page.js';
import type { LoginPage } from '../../page/render.js';
import { directoryLimits } from '../../session/proof/limits.js';
import { RefusedSignIns } from '../../session/proof/refused-sign-ins.js';
import { ExternalLogin } from '../idp/external-login.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { providerNotOffered } from '../login.errors.js';
import { again, type LoginStep, type Retry, type StepOutcome } from '../login-step.js';
import type { Visit } from '../visit.js';

const MAX_NAME_CHARACTERS = 200;
/** No directory has such a name or password; some take what is before NUL for all of it. */
const NUL = '\0';

/** Asks for the name and the password that a directory knows. */
@Injectable()
export class DirectoryStep implements LoginStep<DirectoryField> {
  readonly step = 'directory';
  readonly path = paths.directory;
  readonly reach = 'link';

  constructor(
    private readonly directories: DirectorySignIn,
    private readonly kinds: IdpKinds,
    private readonly providers: ExternalProviders,
    private readonly external: ExternalLogin,
    private readonly attempts: AttemptService,
    private readonly refused: RefusedSignIns,
    private readonly record: ProviderRecord,
    private readonly log: Logger,
  ) {}

  /** Nothing without the id of a directory that is offered: the button of a provider brings it. */
  async page(visit: Visit, retry?: Retry<DirectoryField>): Promise<LoginPage | undefined> {
    const idp = await this.providers.find(visit, retry?.form.find(DIRECTORY_ID) ?? '');
    if (!idp || !this.kinds.isDirectory(idp.type)) return undefined;
    const { request } = visit;
    const typed = retry?.form.find('loginName');
    return {
      page: 'directory',
      form: { ...visit.formTo(this.path), fields: { [DIRECTORY_ID]: idp.id } },
      provider: this.providers.toLink(idp),
      // A user who chose an account here is known by its name here, which the directory need not have.
      loginName: typed ?? (request.userId === undefined ? request.loginName : undefined),
      isConfirming: visit.isConfirming,
      otherWaysHref: request.idpWanted === undefined ? paths.loginName : undefined,
      errors: retry?.errors,
    };
  }

  /**
   * @throws DomainError ResourceExhausted `attempt.too_many`: before the directory is asked; Unavailable
   * `idp.provider_failed`, which does not count as an attempt; PermissionDenied `login.provider_not_offered`
   */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<DirectoryField>> {
    const idp = await this.providers.get(visit, form.find(DIRECTORY_ID) ?? '');
    if (!this.kinds.isDirectory(idp.type)) throw providerNotOffered();
    const loginName = form.find('loginName')?.trim() ?? '';
    const typed = form.find('password') ?? '';
    if (loginName === '') return again({ field: 'loginName', reason: 'loginNameMissing' });
    if (typed === '') return again({ field: 'password', reason: 'passwordMissing' });
    try {
      return await this.directories.inTurn(idp, () => this.check(visit, idp, loginName, new Secret(typed)));
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'idp.directory_busy') throw error;
      this.log.warn({ reason: error.reason, idpId: idp.id, address: visit.address }, 'sign-in refused');
      return again({ reason: 'directoryBusy' });
    }
  }

  private async check(
    visit: Visit,
    idp: Idp,
    loginName: string,
    password: Secret,
  ): Promise<StepOutcome<DirectoryField>> {
    const { name, address } = directoryLimits(idp.id, loginName, visit.address);
    await this.attempts.count([name, address]);
    const answer = await this.attempts.unlessFailed([name, address], () => this.ask(idp, loginName, password));
    if (answer.kind === 'right') {
      const returned = await this.attempts.unlessFailed([name, address], () =>
        this.external.takeFromDirectory(visit, idp, answer.identity),
      );
      await this.attempts.forgive([name], [address]);
      return { kind: 'taken', ...returned };
    }
    const reason = answer.kind === 'wrong' ? 'directory_wrong' : `directory_${answer.word}`;
    await this.refused.record('password', undefined, SYSTEM, { reason });
    this.log.warn({ reason: `sign_in.${reason}`, idpId: idp.id, address: visit.address }, 'sign-in refused');
    return again(
      answer.kind === 'wrong' ? { field: 'password', reason: 'credentialsWrong' } : { reason: 'directoryRefused' },
    );
  }

  private async ask(idp: Idp, loginName: string, password: Secret): Promise<DirectoryAnswer> {
    const isAskable = isWithin(loginName, MAX_NAME_CHARACTERS) && isWithin(password.reveal(), MAX_PASSWORD_CHARACTERS);
    if (!isAskable) return { kind: 'wrong' };
    return this.record.during(idp.id, async () => this.directories.check(idp, loginName, password));
  }
}

function isWithin(text: string, max: number): boolean {
  return !text.includes(NUL) && [...text].length <= max;
}
