import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { certificateOf } from '../../foundation/http/client-certificate.js';
import type { Form } from '../../foundation/http/form.js';
import { sendJson } from '../../foundation/http/json.js';
import { addressOf, FormBody } from '../../foundation/http/request.js';
import type { IssuedTokens } from '../../token/token-issuer.js';
import { readCredentials } from '../client-auth/credentials.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { checkParameters } from '../parameters.js';
import { RESOURCE } from '../requested-resources.js';
import { AUDIENCE, TOKEN_EXCHANGE } from './grant/token-exchange.grant.js';
import { TokenEndpoint } from './token.endpoint.js';

/** RFC 6749 §5.1. */
export interface TokenResponse {
  readonly access_token: string;
  /** RFC 9449 §5. */
  readonly token_type: 'Bearer' | 'DPoP' | 'N_A';
  /** RFC 8693 §2.2.1. */
  readonly issued_token_type?: string;
  readonly expires_in: number;
  readonly scope?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class TokenController {
  constructor(private readonly endpoint: TokenEndpoint) {}

  @Post('oauth/v2/token')
  async token(@FormBody() form: Form, @Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    checkParameters(form, form.find('grant_type') === TOKEN_EXCHANGE ? [RESOURCE, AUDIENCE] : [RESOURCE]);
    const caller = {
      credentials: readCredentials(request, form),
      address: addressOf(request),
      certificate: certificateOf(request),
    };
    const { tokens, nextNonce } = await this.endpoint.token(form, request, caller);
    if (nextNonce !== undefined) response.setHeader('DPoP-Nonce', nextNonce);
    response.setHeader('Pragma', 'no-cache'); // RFC 6749 §5.1; Cache-Control: no-store is on every answer
    sendJson(response, toTokenResponse(tokens));
  }
}

function toTokenResponse(tokens: IssuedTokens): TokenResponse {
  return {
    access_token: tokens.accessToken,
    token_type: tokens.tokenType,
    ...(tokens.issuedTokenType === undefined ? {} : { issued_token_type: tokens.issuedTokenType }),
    expires_in: tokens.expiresInSeconds,
    ...(tokens.scopes.length === 0 ? {} : { scope: tokens.scopes.join(' ') }), // RFC 6749 §3.3: never empty
    ...(tokens.idToken === undefined ? {} : { id_token: tokens.idToken }),
    ...(tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken }),
  };
}
