import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Open } from '../http/access.js';
import { Operation } from './operation.js';

export class HealthResponse {}

@ApiTags('Health')
@Controller('admin/v1')
export class HealthController {
  @Get('healthz')
  @Open()
  @Operation({ id: 'GetHealth', summary: 'Whether the administrative API answers', description: 'Needs no token.', returns: HealthResponse })
  get(): HealthResponse {
    return {};
  }
}
