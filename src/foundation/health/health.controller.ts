import { Controller, Get, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Open } from '../http/access.js';
import { Readiness, type ReadinessCondition } from './readiness.js';

/** The answer to the supervisor of the process. */
@Controller('health')
@Open()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Whether the process serves; if not, it should be started anew. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether requests should be sent here. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: ExpressResponse): Promise<{ status: ReadinessCondition }> {
    const status = await this.readiness.condition();
    response.status(status === 'ok' ? 200 : 503);
    return { status };
  }
}
