import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { sendJson } from '../../foundation/http/json.js';
import { KeyService } from '../../token/key/key.service.js';
import { METADATA_CACHE_CONTROL } from '../discovery/metadata.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class KeysController {
  constructor(private readonly keys: KeyService) {}

  /** RFC 7517 §5. Keys are published before they sign, for longer than this response may be cached. */
  @Get('oauth/v2/keys')
  async list(@Res() response: ExpressResponse): Promise<void> {
    const ring = await this.keys.current();
    response.setHeader('Cache-Control', METADATA_CACHE_CONTROL);
    sendJson(response, ring.toJwks());
  }
}
