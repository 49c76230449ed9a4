import { Controller, Get, NotFoundException, Res } from '@nestjs/common';
import type { Response } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Open } from '../../foundation/http/access.js';
import { OPEN_TO_ALL_ORIGINS } from '../../foundation/http/cors.js';
import { sendJson } from '../../foundation/http/json.js';
import { KeyService } from '../../key/key.service.js';
import { METADATA_CACHE_CONTROL, Metadata } from './metadata.js';

/** RFC 8414 §3: the same document for clients that do not look for OpenID Connect; off unless the operator wants it. */
@Controller()
@Open()
export class OAuthMetadataController {
  constructor(
    private readonly keys: KeyService,
    private readonly metadata: Metadata,
    private readonly issuer: IssuerConfig,
  ) {}

  @Get('.well-known/oauth-authorization-server')
  async read(@Res() response: Response): Promise<void> {
    // Answered like any unknown path.
    if (!this.issuer.publishesOAuthMetadata) throw new NotFoundException();
    const ring = await this.keys.current();
    for (const [name, value] of OPEN_TO_ALL_ORIGINS) response.setHeader(name, value);
    response.setHeader('Cache-Control', METADATA_CACHE_CONTROL);
    sendJson(response, this.metadata.discovery(ring));
  }
}
