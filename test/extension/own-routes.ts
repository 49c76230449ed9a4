import { setTimeout as sleep } from 'node:timers/promises';
import {
  All,
  type ArgumentsHost,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  StreamableFile,
  UseFilters,
} from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { AdminRoutes } from '../../src/extension/facade/admin/admin-routes.js';
import { Asking, Requires } from '../../src/extension/facade/admin/operation.js';
import {
  BytesBody,
  FormBody,
  type FormFields,
  JsonBody,
  Open,
  Refusals,
  Within,
} from '../../src/extension/facade/admin/routes.js';
import type { Caller } from '../../src/extension/facade/caller.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';

/** Behind permissions, in the form that the administrative API has for refusals. */
@Controller('desks/v1/:orgId/Desks')
export class DeskController {
  /** What `PATCH` does next; usually it echoes. */
  static instead: (() => unknown) | undefined;

  @Get(':id')
  @Requires('user.read', { org: 'orgId' })
  read(@Asking() caller: Caller, @Param('id') id: string, @Query() _query: unknown): object {
    return { id, orgId: caller.orgId, by: caller.userId };
  }

  @Patch(':id')
  @Requires('ext.desks.write', { org: 'orgId' })
  change(@JsonBody({ types: ['application/desk+json', 'application/json'] }) body: unknown): unknown {
    return DeskController.instead ? DeskController.instead() : { body };
  }

  @Put(':id/photo')
  @Requires('ext.desks.write', { org: 'orgId' })
  @HttpCode(204)
  photograph(
    @BytesBody({ maxBytes: 1_000 }) photo: Buffer,
    @Res({ passthrough: true }) response: ExpressResponse,
  ): void {
    response.setHeader('X-Bytes', photo.length);
  }

  @Delete(':id')
  @Requires('ext.desks.write')
  @Within(0.3)
  async remove(): Promise<object> {
    await sleep(3_000);
    return {};
  }
}

/** Refusals in a form of their own. */
@Injectable()
@Catch()
class ProblemFilter implements ExceptionFilter {
  constructor(private readonly refusals: Refusals) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const refusal = this.refusals.answer(thrown, host);
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    if (refusal) response.type('application/problem+json').send(JSON.stringify({ title: refusal.reason }));
  }
}

/** Open to everybody. */
@Controller('desks/v1')
@UseFilters(ProblemFilter)
class LobbyController {
  @Get('plan')
  @Open()
  @Header('Content-Type', 'text/html; charset=utf-8')
  plan(): string {
    return '<!doctype html><title>Plan</title>';
  }

  @Get('list.csv')
  @Open()
  list(): StreamableFile {
    return new StreamableFile(Buffer.from('desk\n1\n'), { type: 'text/csv; charset=utf-8' });
  }

  @Post('book')
  @Open()
  @HttpCode(303)
  book(@FormBody() form: FormFields, @Res({ passthrough: true }) response: ExpressResponse): string {
    if (form.find('desk') === undefined) throw new DomainError('InvalidArgument', 'desks.no_desk', 'Name a desk.');
    response.setHeader('Location', `/desks/v1/plan?desk=${encodeURIComponent(form.find('desk')!)}`);
    return '';
  }

  @Get('behind')
  @Requires('user.read')
  behind(): object {
    return {};
  }

  @Get('broken/:how')
  @Open()
  broken(@Param('how') how: string): never {
    if (how === 'forbidden') throw new ForbiddenException('Not here.');
    throw new Error('secret of the house');
  }

  @All('rest/*rest')
  @Open()
  rest(): never {
    throw new NotFoundException('Nothing here.');
  }
}

@Module({ imports: [AdminRoutes], controllers: [DeskController, LobbyController], providers: [ProblemFilter] })
class DesksModule {}

/** Routes at a path of the extension's own. */
export const desks = defineExtension({
  id: 'desks',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: DesksModule,
  paths: ['desks/v1'],
  permissions: [{ name: 'ext.desks.write', level: 'org', heldBy: ['ORG_OWNER'] }],
});
