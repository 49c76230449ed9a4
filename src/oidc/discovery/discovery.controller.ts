import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { sendJson } from '../../foundation/http/json.js';
import { KeyService } from '../../token/key/key.service.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { METADATA_CACHE_CONTROL, Metadata } from './metadata.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class DiscoveryController {
  constructor(
    private readonly keys: KeyService,
    private readonly metadata: Metadata,
  ) {}

  /** OpenID Connect Discovery §4. */
  @Get('.well-known/openid-configuration')
  async read(@Res() response: ExpressResponse): Promise<void> {
    const ring = await this.keys.current();
    response.setHeader('Cache-Control', METADATA_CACHE_CONTROL);
    sendJson(response, this.metadata.discovery(ring));
  }
}
