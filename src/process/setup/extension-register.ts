import { Injectable } from '@nestjs/common';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { unprepared } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Journal, SYSTEM } from '../../foundation/event/journal.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { type ExtensionRemains, ExtensionRemainsService } from './extension-remains.service.js';

/** Planned each time: once for each start, on a table of a few rows. */
const VERSION = unprepared<{ id: string }, { version: string }>('SELECT version FROM extension WHERE id = :id');
const RECORD = unprepared<{ id: string; version: string; seams: readonly string[]; required: boolean; now: Date }>(
  `INSERT INTO extension (id, version, seams, is_required, first_loaded_at, last_loaded_at)
   VALUES (:id, :version, :seams, :required, :now, :now)
   ON CONFLICT (id) DO UPDATE SET
     version = excluded.version,
     seams = excluded.seams,
     is_required = excluded.is_required,
     last_loaded_at = excluded.last_loaded_at`,
);

/** Compares what a process has loaded with what the database has seen (docs/adr/0053). */
@Injectable()
export class ExtensionRegister {
  constructor(
    private readonly database: Database,
    private readonly remains: ExtensionRemainsService,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the extensions of this process.
   * @returns a sentence for each other one that has tables or listeners, with its remedy
   * @throws DomainError FailedPrecondition `extension.missing` if one of the others must not be missing
   */
  async enter(loaded: readonly Extension[]): Promise<readonly string[]> {
    const { refusals, warnings } = missing(await this.remains.list(), loaded);
    if (refusals.length > 0) throw new DomainError('FailedPrecondition', 'extension.missing', refusals.join('\n'));
    if (loaded.length > 0) await this.record(loaded);
    return warnings;
  }

  private async record(loaded: readonly Extension[]): Promise<void> {
    const { id: instanceId } = await this.instances.get();
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      await takeLockOn(tx, 'extensions'); // processes that start together record one event
      for (const extension of loaded) {
        await this.appendIfNew(tx, extension, instanceId);
        const { id, version, required } = extension;
        await tx.query(RECORD, { id, version, seams: seamsOf(extension), required, now });
      }
    });
  }

  private async appendIfNew(tx: Transaction, { id, version }: Extension, instanceId: string): Promise<void> {
    const [known] = await tx.query(VERSION, { id });
    if (known?.version === version) return;
    await this.journal.append(tx, {
      aggregateType: 'instance',
      aggregateId: instanceId,
      type: 'instance.extension.loaded',
      orgId: instanceId,
      editorId: SYSTEM,
      payload: { extension: id, version },
    });
  }
}

/** The extensions that a database has seen and that are not loaded, each in a sentence with its remedy. */
export function missing(
  remains: readonly ExtensionRemains[],
  loaded: readonly Extension[],
): { readonly refusals: readonly string[]; readonly warnings: readonly string[] } {
  const ids = new Set(loaded.map(({ id }) => id));
  const others = remains.filter(({ id }) => !ids.has(id));
  return {
    refusals: others.filter(({ isRequired }) => isRequired).map(toRefusal),
    warnings: others.filter(({ tables, listeners }) => tables.length + listeners.length > 0).map(toWarning),
  };
}

function seamsOf({ provides }: Extension): string[] {
  return [...new Set(provides.map(({ seam }) => seam.name))];
}

function toRefusal({ id, version }: ExtensionRemains): string {
  return (
    `The extension ${id} ${version} is not loaded, and this database requires it. ` +
    `Load it; or, if processes may start without it from now on, run: gatehouse extension retire ${id}`
  );
}

function toWarning({ id, version, tables, listeners }: ExtensionRemains): string {
  const kept = [
    ...(tables.length === 0 ? [] : [`${tables.length === 1 ? 'a table' : 'tables'} (${tables.join(', ')})`]),
    ...(listeners.length === 0
      ? []
      : [`${listeners.length === 1 ? 'a listener' : 'listeners'} (${listeners.join(', ')})`]),
  ];
  return (
    `The extension ${version === '' ? id : `${id} ${version}`} is not loaded, and the database keeps ${kept.join(' and ')} of it. ` +
    `Load it again, and its listeners continue where they were; or remove what it left: gatehouse extension drop ${id}`
  );
}
