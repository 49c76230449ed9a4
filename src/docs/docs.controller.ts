import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../foundation/config/config.js';
import { Open } from '../foundation/http/access.js';
import { DOCUMENTATION_CLIENT_ID } from '../project/client/documentation-client.js';
import { Urn } from '../token/claims/urn.js';
import { ApiDocument } from './api-document.js';
import { type Compressed, codingFor } from './compressed.js';
import { SiteFiles } from './site-files.js';

/**
 * Scripts only from this origin, none inline. Swagger UI uses data URLs for its icons and style attributes to place
 * them.
 */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/**
 * A mail or page with its own styles and pictures, in a frame without an origin: it can neither read what is around it
 * nor run anything.
 */
const PREVIEW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

const REFERENCE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The path contains a digest of all files. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Asked for each time, and sent only if it has changed. */
const ASK = 'no-cache';

/** Serves Swagger UI and its document. */
@Controller()
@Open()
export class DocsController {
  private readonly files = new SiteFiles();

  constructor(
    private readonly document: ApiDocument,
    private readonly issuer: IssuerConfig,
    private readonly urn: Urn,
  ) {}

  @Get('docs')
  async page(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.file('index.html', request, response);
  }

  /** The description of the API as one page to read and print, without scripts. */
  @Get('docs/reference')
  async reference(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const page = await this.document.asReference(`/docs/assets/${await this.files.version()}`);
    response.setHeader('Content-Security-Policy', REFERENCE_POLICY);
    await send(request, response, 'text/html; charset=utf-8', page, ASK);
  }

  /** The initial values of the Authorize dialogue. */
  @Get('docs/settings.json')
  settings(): Record<string, unknown> {
    const { publicUrl } = this.issuer;
    return {
      publicUrl,
      redirectUrl: `${publicUrl}/docs/oauth2-redirect.html`,
      clientId: DOCUMENTATION_CLIENT_ID,
      scopes: ['openid', this.urn.systemAudience],
    };
  }

  /** The index that the search on the page reads. */
  @Get('docs/search.json')
  async search(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await send(request, response, 'application/json; charset=utf-8', await this.document.asSearchIndex(), ASK);
  }

  @Get('docs/assets/:version/:file')
  async asset(
    @Param('version') version: string,
    @Param('file') name: string,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    const file = await this.files.find(name);
    if (!file || name.endsWith('.html')) throw new NotFoundException();
    const isCurrent = version === (await this.files.version());
    // A frame without an origin loads them as well (docs/site/preview.html).
    response.setHeader('Access-Control-Allow-Origin', '*');
    await send(request, response, file.type, file.content, isCurrent ? FOR_GOOD : ASK);
  }

  @Get('docs/:file')
  async file(
    @Param('file') name: string,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    const file = await this.files.find(name);
    if (!file) throw new NotFoundException();
    response.setHeader('Content-Security-Policy', name === 'preview.html' ? PREVIEW_POLICY : CONTENT_POLICY);
    if (name === 'preview.html') response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    await send(request, response, file.type, file.content, ASK);
  }

  @Get('docs-json')
  async json(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await send(request, response, 'application/json; charset=utf-8', await this.document.asJson(), ASK);
  }

  @Get('docs-yaml')
  async yaml(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await send(request, response, 'text/yaml; charset=utf-8', await this.document.asYaml(), ASK);
  }
}

async function send(
  request: ExpressRequest,
  response: ExpressResponse,
  type: string,
  content: Compressed,
  caching: string,
): Promise<void> {
  response.setHeader('Cache-Control', caching);
  response.setHeader('ETag', content.etag);
  response.setHeader('Vary', 'Accept-Encoding');
  // RFC 9110 §13.1.2; tags are compared weakly.
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === content.etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  const coding = codingFor(request.headers['accept-encoding']);
  if (coding === undefined) {
    response.end(content.bytes);
    return;
  }
  response.setHeader('Content-Encoding', coding);
  response.end(await content.as(coding));
}
