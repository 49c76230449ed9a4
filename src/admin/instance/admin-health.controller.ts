import { Controller, Get } from '@nestjs/common';
import { Open } from '../../foundation/http/access.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Named } from '../kit/wire/fields.js';

@Named('HealthResponse')
export class HealthResponse {}

@Tagged('Health')
@Controller()
@Open()
export class AdminHealthController {
  @Get('admin/v1/healthz')
  @Operation({
    id: 'GetHealth',
    summary: 'Check the health of the administrative API',
    description: 'Requires no token.',
    returns: HealthResponse,
  })
  get(): HealthResponse {
    return {};
  }

  @Get('management/v1/healthz')
  @Operation({
    id: 'GetManagementHealth',
    summary: 'Check the health of the management API',
    description: 'Requires no token.',
    returns: HealthResponse,
  })
  getManagement(): HealthResponse {
    return {};
  }
}
