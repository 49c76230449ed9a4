import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { sendJson } from '../../foundation/http/json.js';
import { addressOf, FormBody } from '../../foundation/http/request.js';
import { paths } from '../../org/instance/paths.js';
import { readCredentials } from '../client-auth/credentials.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { checkParameters } from '../parameters.js';
import { RESOURCE } from '../requested-resources.js';
import { DeviceEndpoint } from './device.endpoint.js';

/** RFC 8628 §3.2. */
export interface DeviceAuthorizationResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  /** The address with the code in it, for a QR code or a link, so that nobody has to type it. */
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class DeviceController {
  constructor(
    private readonly endpoint: DeviceEndpoint,
    private readonly issuer: IssuerConfig,
  ) {}

  @Post('oauth/v2/device_authorization')
  async authorize(
    @FormBody() form: Form,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    checkParameters(form, [RESOURCE]);
    const begun = await this.endpoint.authorize(form, readCredentials(request, form), addressOf(request));
    const page = this.issuer.publicUrl + paths.device;
    const body: DeviceAuthorizationResponse = {
      device_code: begun.deviceCode,
      user_code: begun.userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${begun.userCode}`,
      expires_in: begun.expiresInSeconds,
      interval: begun.intervalSeconds,
    };
    response.setHeader('Pragma', 'no-cache'); // RFC 6749 §5.1; Cache-Control: no-store is on every answer
    sendJson(response, body);
  }
}
