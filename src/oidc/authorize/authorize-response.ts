import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { DayCounts } from '../../foundation/day-count/day-counts.js';
import { PageRenderer } from '../../page/page-renderer.js';
import { PageSettings } from '../../page/page-settings.js';
import { withoutChosenPort } from '../../project/client/redirect-uri.js';
import type { OAuthError } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import type { Delivery } from './return-address.js';

export type ResponseParameters = Readonly<Record<string, string | undefined>>;

/** RFC 6749 §4.1.2, OIDC Core §3.2.2.5, OAuth 2.0 Form Post Response Mode; `iss` by RFC 9207 §2. */
@Injectable()
export class AuthorizeResponse {
  constructor(
    private readonly pages: PageRenderer,
    private readonly settings: PageSettings,
    private readonly issuer: IssuerConfig,
    private readonly counts: DayCounts,
  ) {}

  async succeed(
    request: ExpressRequest,
    response: ExpressResponse,
    delivery: Delivery,
    parameters: ResponseParameters,
  ): Promise<void> {
    this.counts.add('redirect', delivery.clientId, withoutChosenPort(delivery.redirectUri));
    await this.deliver(request, response, delivery, parameters);
  }

  async fail(request: ExpressRequest, response: ExpressResponse, delivery: Delivery, error: OAuthError): Promise<void> {
    await this.deliver(request, response, delivery, { error: error.error, error_description: error.message });
  }

  private async deliver(
    request: ExpressRequest,
    response: ExpressResponse,
    delivery: Delivery,
    given: ResponseParameters,
  ): Promise<void> {
    const parameters = Object.entries({ ...given, state: delivery.state, iss: this.issuer.publicUrl }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    if (delivery.mode === 'form_post') {
      const fields = Object.fromEntries(parameters);
      this.pages.send(
        response,
        { page: 'formPost', action: delivery.redirectUri, fields, script: endpoints.formPostScript },
        // This page offers no choice of language: reloading it would need a new response, and its form is for the
        // client.
        {
          ...(await this.settings.forReader(request)),
          languageSwitch: undefined,
          formTarget: delivery.redirectUri,
          runsScript: true,
        },
      );
      return;
    }
    redirect(request, response, withParameters(delivery, parameters));
  }
}

/** 303 after a POST, so that no browser repeats the form at the client (RFC 9700 §4.12). */
export function redirect(request: ExpressRequest, response: ExpressResponse, location: string): void {
  response.status(request.method === 'POST' ? 303 : 302).setHeader('Location', location);
  response.end();
}

/** RFC 6749 §3.1.2: an existing query of the redirect URI is kept. Values are sent byte for byte, percent-encoded. */
function withParameters({ redirectUri, mode }: Delivery, parameters: ReadonlyArray<readonly [string, string]>): string {
  const encoded = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  if (mode === 'fragment') return `${redirectUri}#${encoded}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${encoded}`;
}
