import { Controller, Get, type OnModuleInit, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Open } from '../../foundation/http/access.js';
import { OPEN_TO_ALL_ORIGINS } from '../../foundation/http/cors.js';
import { sendJson } from '../../foundation/http/json.js';
import { RouteTable } from '../../foundation/http/route-table.js';
import { KeyService } from '../../token/key/key.service.js';
import { endpoints } from '../oidc.paths.js';
import { METADATA_CACHE_CONTROL, Metadata } from './metadata.js';

/** RFC 8414 §3: the same document for clients that do not look for OpenID Connect; off unless the operator wants it. */
@Controller()
@Open()
export class OAuthMetadataController implements OnModuleInit {
  constructor(
    private readonly keys: KeyService,
    private readonly metadata: Metadata,
    private readonly issuer: IssuerConfig,
    private readonly routes: RouteTable,
  ) {}

  onModuleInit(): void {
    if (!this.issuer.publishesOAuthMetadata) this.routes.close(endpoints.oauthMetadata);
  }

  @Get('.well-known/oauth-authorization-server')
  async read(@Res() response: ExpressResponse): Promise<void> {
    const ring = await this.keys.current();
    for (const [name, value] of OPEN_TO_ALL_ORIGINS) response.setHeader(name, value);
    response.setHeader('Cache-Control', METADATA_CACHE_CONTROL);
    sendJson(response, this.metadata.discovery(ring));
  }
}
