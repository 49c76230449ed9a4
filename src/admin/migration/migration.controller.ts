import { Controller, Post, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Faults } from '../../migration/document/faults.js';
import {
  documentBroken,
  documentEmpty,
  documentOfAnother,
  documentTooLarge,
  importConflicts,
  importDisturbed,
  memberTwice,
  orgsUnknown,
  sourceAmbiguous,
  timedOut,
  tooManyAtOnce,
} from '../../migration/document/migration.errors.js';
import { ExportService } from '../../migration/export.service.js';
import { ImportService } from '../../migration/import.service.js';
import type { MigrationJob as Job } from '../../migration/job/migration-job.entity.js';
import { endpointRefused, storeUnknown } from '../../migration/storage/store.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { documented, Tagged } from '../kit/wire/documentation.js';
import type { AnswerStream, Exchange } from '../kit/wire/exchange.js';
import { Message } from '../kit/wire/message.js';
import { writeMessage } from '../kit/wire/write-message.js';
import { toExportRequest } from './export.mapping.js';
import { MigrationJobResponse } from './job.dto.js';
import { toJob } from './job.mapping.js';
import { ExportDataRequest, ExportDataResponse, ImportDataRequest, ImportDataResponse } from './migration.dto.js';
import { Streamed } from './stream.js';

const CONFLICT = new Faults();
CONFLICT.add('orgs[0].humanUsers[3]', 'conflicts with an existing user');

const EXPORT =
  'The response is streamed from one consistent snapshot, gzip-compressed on request. An export to a file runs as a job (202); the file is written completely or not at all and never replaces an existing one. Left out, and listed in `leftOut`: everything that belongs to the instance, personal access tokens, webhooks, sessions and tokens, tables of extensions that do not move, and, unless they are requested, passwords, second factors, keys and passkeys. Only the public part of keys is exported.';
const IMPORT =
  'All or nothing: an invalid entry or a conflict refuses the whole document, and all of them are listed. Objects that already exist and are identical are skipped, so the same document may be sent again. All IDs are kept. E-mails are sent to new users only with `sendInitMails`. ' +
  'With `Prefer: respond-async` (RFC 7240), the document is read and invalid entries are reported immediately; conflicts are then checked and the objects written in the background: ' +
  '202, with the location of the job. The import of a file always runs this way.';

/** The other way in which an operation may answer. */
const Accepted = (): MethodDecorator =>
  documented(({ ApiAcceptedResponse }) =>
    ApiAcceptedResponse({
      type: MigrationJobResponse,
      description: 'Continues as a job; `Location` is its URL.',
      headers: {
        Location: {
          description: 'The URL of the job.',
          required: true,
          schema: { type: 'string', example: '/admin/v1/jobs/912381145721603886' },
        },
      },
    }),
  );
const Prefer = (): MethodDecorator =>
  documented(({ ApiHeader }) =>
    ApiHeader({
      name: 'Prefer',
      required: false,
      description: '`respond-async`: do not wait for the job to end (RFC 7240).',
    }),
  );

/** Export and import of organizations. */
@Tagged('Migration')
@Controller('admin/v1')
export class MigrationController {
  constructor(
    private readonly exports: ExportService,
    private readonly imports: ImportService,
  ) {}

  @Post('export')
  @Requires('iam.migrate')
  @Operation({
    id: 'ExportData',
    summary: 'Export organizations and everything that belongs to them',
    description: EXPORT,
    request: ExportDataRequest,
    returns: ExportDataResponse,
    streams: 'answer',
    refuses: [
      orgsUnknown(['301955518264418305']),
      storeUnknown(),
      endpointRefused('minio:9000'),
      timedOut(),
      tooManyAtOnce(),
    ],
  })
  @Accepted()
  async export(
    @Asking() actor: Actor,
    @Message() request: ExportDataRequest,
    @Streamed() { answer }: Exchange,
    @Res() _response?: ExpressResponse,
  ): Promise<ExportDataResponse> {
    const asked = toExportRequest(request);
    const { place } = asked;
    if (place === undefined) await answer.sendDocument(this.exports.export(actor.userId, asked), asked.timeoutMs);
    else if (request.responseOutput)
      await answer.sendDocument(this.exports.exportAlongside(actor.userId, { ...asked, place }), asked.timeoutMs);
    else accept(await this.exports.send(actor.userId, { ...asked, place }), answer);
    return {};
  }

  @Post('import')
  @Requires('iam.migrate')
  @Operation({
    id: 'ImportData',
    summary: 'Import organizations and everything that belongs to them',
    description: IMPORT,
    request: ImportDataRequest,
    returns: ImportDataResponse,
    streams: 'both',
    refuses: [
      documentBroken('is not valid JSON at line 12, column 7 (byte 1024)'),
      documentEmpty(),
      documentOfAnother('keycloak'),
      documentTooLarge(),
      memberTwice('orgs'),
      sourceAmbiguous(),
      storeUnknown(),
      endpointRefused('minio:9000'),
      importConflicts(CONFLICT),
      importDisturbed(),
      timedOut(),
      tooManyAtOnce(),
    ],
  })
  @Accepted()
  @Prefer()
  async import(
    @Asking() actor: Actor,
    @Streamed() { body, answer, mayLeave }: Exchange,
    @Res() _response?: ExpressResponse,
  ): Promise<Partial<ImportDataResponse>> {
    const outcome = await this.imports.start(actor.userId, body, {
      inBackground: mayLeave,
      maxErrors: answer.maxErrors,
    });
    if (outcome.kind === 'job') accept(outcome.job, answer);
    else await answer.send(outcome.pieces, outcome.leftMs());
    return {};
  }
}

function accept(job: Job, answer: AnswerStream): void {
  answer.accept(`/admin/v1/jobs/${job.id}`, writeMessage(MigrationJobResponse, { job: toJob(job) }));
}
