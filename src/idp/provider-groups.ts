import { Injectable } from '@nestjs/common';
import { DomainError } from '../foundation/error/domain-error.js';
import { type PartCall, PartCalls, PartFailed } from '../foundation/extension/part-calls.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import { DIRECTORY_KIND } from './directory-kind.js';
import { type ExtKind, ExtKinds } from './ext-kinds.js';
import type { Idp } from './idp.entity.js';
import { providerFailed } from './idp.errors.js';
import { IDP_KIND } from './idp-kind.js';
import { IdpSecrets } from './idp-secrets.js';

/** More groups than an administrator maps by hand. */
const MAX_GROUPS = 1_000;

/** About which groups of Gatehouse a provider decides, as the kind reads it in the settings. */
@Injectable()
export class ProviderGroups {
  constructor(
    private readonly kinds: ExtKinds,
    private readonly secrets: IdpSecrets,
    private readonly calls: PartCalls,
    private readonly timeouts: Timeouts,
  ) {}

  /**
   * Their ids, each once, sorted. None if no kind of this process reads the settings, or if they do not fit what it
   * declares today: then nobody signs in by them either.
   * @throws DomainError Unavailable `idp.provider_failed` if the extension fails
   */
  async of(idp: Idp): Promise<readonly string[]> {
    const [site, directory] = [this.kinds.findSite(idp.type), this.kinds.findDirectory(idp.type)];
    if (site) return this.ask({ seam: IDP_KIND, of: site }, idp);
    return directory ? this.ask({ seam: DIRECTORY_KIND, of: directory }, idp) : [];
  }

  private async ask<Kind extends Pick<ExtKind, 'groupsIn'>>(
    asked: Pick<PartCall<Kind>, 'seam' | 'of'>,
    idp: Idp,
  ): Promise<readonly string[]> {
    if (!asked.of.part.groupsIn) return [];
    const settings = this.settingsOf(idp);
    if (!settings) return [];
    try {
      const call = { ...asked, limitMs: this.timeouts.extensionMs };
      return await this.calls.call(call, (kind) => readIds(kind.groupsIn?.(settings)));
    } catch (error) {
      throw error instanceof PartFailed ? providerFailed('extension_failed') : error;
    }
  }

  private settingsOf(idp: Idp): object | undefined {
    const filled = this.kinds.find(idp.type);
    try {
      return filled && this.kinds.give(filled, { open: idp.settings, secret: this.secrets.openSettings(idp) });
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'request.invalid') return undefined;
      throw error;
    }
  }
}

function readIds(answer: unknown): string[] {
  const isList = Array.isArray(answer) && answer.every((id) => typeof id === 'string');
  if (!isList || answer.length > MAX_GROUPS)
    throw new Error(`It has answered no list of at most ${MAX_GROUPS} ids of groups.`);
  return [...new Set(answer)].sort();
}
