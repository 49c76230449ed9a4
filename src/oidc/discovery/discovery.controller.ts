import { Controller, Get, Inject, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { IssuerConfig } from '../../config/config.js';
import { KEYS_MAX_AGE_SECONDS, KeyService } from '../../key/key.service.js';
import { Open } from '../../http/access.js';
import { sendJson } from '../../http/json.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { GRANTS, type Grant } from '../token/grant/grant.js';
import { discoveryDocument } from './discovery.document.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class DiscoveryController {
  constructor(
    @Inject(GRANTS) private readonly grants: readonly Grant[],
    private readonly keys: KeyService,
    private readonly issuer: IssuerConfig,
  ) {}

  /** OpenID Connect Discovery §4. The issuer is configured, never taken from a header of the request. */
  @Get('.well-known/openid-configuration')
  async read(@Res() response: Response): Promise<void> {
    const ring = await this.keys.current();
    response.setHeader('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`);
    sendJson(
      response,
      discoveryDocument({
        issuer: this.issuer.publicUrl,
        grantTypes: this.grants.map((grant) => grant.type),
        signingAlgorithms: ring.algorithms(),
      }),
    );
  }
}
