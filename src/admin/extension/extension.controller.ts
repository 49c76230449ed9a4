import { Controller, Get } from '@nestjs/common';
import type { Extension } from '../../foundation/extension/extension.js';
import { FilledSeams, LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Actor } from '../../user/permission/actor.js';
import { ROUTES } from '../kit/ext-calls.js';
import { operationIdsOf } from '../kit/ext-routes.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toWholeListDetails } from '../kit/wire/list.dto.js';
import { type ExtensionEntry, type FilledSeamEntry, ListExtensionsResponse } from './extension.dto.js';

/** What is loaded beside the product, and how often it has failed. */
@Tagged('Instance')
@Controller('admin/v1/extensions')
export class ExtensionController {
  constructor(
    private readonly loaded: LoadedExtensions,
    private readonly filled: FilledSeams,
    private readonly record: PartRecord,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('iam.read')
  @Operation({
    id: 'ListExtensions',
    summary: 'List the extensions that are loaded',
    description:
      'In their order, as the process that answers has loaded them; without extensions the list is empty. Failures are those of this process: ' +
      'of several processes, each knows its own, and the metric `gatehouse_extension_failures_total` has those of all. ' +
      'E-mails that a transport refuses are not counted as failures.',
    returns: ListExtensionsResponse,
  })
  async list(@Asking() _actor: Actor): Promise<ListExtensionsResponse> {
    const result = await Promise.all(this.loaded.extensions.map((one) => this.toEntry(one)));
    return { details: toWholeListDetails(result.length, this.clock.now()), result };
  }

  private async toEntry(extension: Extension): Promise<ExtensionEntry> {
    const { id, version, schemaChanges, events } = extension;
    const operations = await operationIdsOf(extension);
    const seams = [
      ...this.filled.seams.map(({ seam, filled }) => {
        const own = filled.filter((one) => one.extension === id);
        return this.toSeam(
          id,
          seam.name,
          own.map((one) => seam.nameOf(one)),
        );
      }),
      this.toSeam(id, ROUTES, operations),
    ];
    return {
      id,
      version,
      schemaVersion: schemaChanges.length,
      seams: seams.filter(({ parts }) => parts.length > 0),
      events: events.map(({ type, level, says, carries }) => ({ type, level, says, carries: Object.keys(carries) })),
    };
  }

  private toSeam(extension: string, seam: string, parts: readonly string[]): FilledSeamEntry {
    return { seam, parts, failures: this.record.failuresOfLastHour({ extension, seam }) };
  }
}
