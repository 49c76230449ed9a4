import { Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { invalidFields } from '../../error/domain-error.js';
import { Faults } from '../../migration/document/faults.js';
import { parseTimeout, TIMEOUT_RULE } from '../../migration/duration.js';
import { ExportService } from '../../migration/export.service.js';
import { ImportService } from '../../migration/import.service.js';
import { documentBroken, documentTooLarge, importConflicts, importDisturbed, orgsUnknown, sourceAmbiguous, storeMissing, timedOut } from '../../migration/migration.errors.js';
import type { Actor } from '../../permission/actor.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { Message } from '../wire/message.js';
import { ExportDataRequest, ExportDataResponse, ImportDataRequest, ImportDataResponse } from './migration.dto.js';
import { StreamedAnswer, StreamedBody, type AnswerStream, type BodyStream } from './stream.js';

const CONFLICT = new Faults();
CONFLICT.add('orgs[0].humanUsers[3]', 'is a user that is there already and differs');

const EXPORT = 'The answer is written while rows are read, of one moment; gzip when it is asked for. Left out: what belongs to the instance, personal access tokens, passkeys, sessions and tokens. Keys travel with their public part.';
const IMPORT = 'All or nothing: a fault or a conflict refuses the whole document, and all of them are named. What is there already and equal is no conflict, so the same document may be sent again. Every id is kept. No mails are sent.';

/** An organization moves house. */
@ApiTags('Migration' satisfies Tag)
@Controller('admin/v1')
export class MigrationController {
  constructor(
    private readonly exports: ExportService,
    private readonly imports: ImportService,
  ) {}

  @Post('export')
  @Requires('iam.migrate')
  @Operation({
    id: 'ExportData', summary: 'Writes organizations with all that belongs to them', description: EXPORT, request: ExportDataRequest, returns: ExportDataResponse,
    refuses: [orgsUnknown(['301955518264418305']), storeMissing(), timedOut()],
  })
  async export(@Asking() actor: Actor, @Message() request: ExportDataRequest, @StreamedAnswer() answer: AnswerStream, @Res() _response: Response): Promise<ExportDataResponse> {
    if (request.objstoreOutput !== undefined) throw storeMissing();
    const timeoutMs = parseTimeout(request.timeout);
    if (timeoutMs === undefined) throw invalidFields([{ field: 'timeout', description: TIMEOUT_RULE }]);
    await answer.send(this.exports.export(actor.userId, { ...request, timeoutMs }));
    return {};
  }

  @Post('import')
  @Requires('iam.migrate')
  @Operation({
    id: 'ImportData', summary: 'Brings organizations with all that belongs to them', description: IMPORT, request: ImportDataRequest, returns: ImportDataResponse,
    refuses: [documentBroken(1_024), documentTooLarge(), sourceAmbiguous(), storeMissing(), importConflicts(CONFLICT), importDisturbed(), timedOut()],
  })
  async import(@Asking() actor: Actor, @StreamedBody() body: BodyStream, @StreamedAnswer() answer: AnswerStream, @Res() _response: Response): Promise<Partial<ImportDataResponse>> {
    await answer.send(this.imports.import(actor.userId, body));
    return {};
  }
}
