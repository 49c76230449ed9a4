import { Injectable } from '@nestjs/common';
import { type PartCall, PartCalls } from '../foundation/extension/part-calls.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import { DIRECTORY_KIND } from './directory-kind.js';
import { type ExtKind, ExtKinds } from './ext-kinds.js';
import type { Idp } from './idp.entity.js';
import { IDP_KIND } from './idp-kind.js';
import { IdpSecrets } from './idp-secrets.js';
import { askKind, settingsOf } from './kind-call.js';

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

  private async ask<Kind extends ExtKind>(
    asked: Pick<PartCall<Kind>, 'seam' | 'of'>,
    idp: Idp,
  ): Promise<readonly string[]> {
    if (!asked.of.part.groupsIn) return [];
    const stored = settingsOf({ kinds: this.kinds, secrets: this.secrets }, idp, asked.of);
    if ('outdated' in stored) return [];
    const call = { ...asked, limitMs: this.timeouts.extensionMs };
    return askKind(
      this.calls,
      call,
      async (kind) => readIds(kind.groupsIn?.(stored.settings)),
      (error) => {
        throw error; // it refuses nothing
      },
    );
  }
}

function readIds(answer: unknown): string[] {
  const isList = Array.isArray(answer) && answer.every((id) => typeof id === 'string');
  if (!isList || answer.length > MAX_GROUPS)
    throw new Error(`It has answered no list of at most ${MAX_GROUPS} ids of groups.`);
  return [...new Set(answer)].sort();
}
