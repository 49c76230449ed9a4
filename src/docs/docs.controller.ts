import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DOCUMENTATION_CLIENT_ID } from '../client/documentation-client.js';
import { IssuerConfig } from '../foundation/config/config.js';
import { Open } from '../foundation/http/access.js';
import { Urn } from '../token/urn.js';
import { ApiDocument } from './api-document.js';

const PACKAGE = pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** All files that a browser may load below /docs. */
const FILES: ReadonlyMap<string, URL> = new Map([
  ...['docs.css', 'docs.js', 'examples.js'].map((name) => [name, new URL(`./site/${name}`, import.meta.url)] as const),
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'oauth2-redirect.html', 'oauth2-redirect.js'].map(
    (name) => [name, new URL(name, PACKAGE)] as const,
  ),
]);
const INDEX = new URL('./site/index.html', import.meta.url);

/** Scripts only from this origin, none inline. Swagger UI uses data URLs for its icons and style attributes to place them. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The client closed the connection before it had the whole file: not an error. */
const GONE: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/** Swagger UI and its document. */
@Controller()
@Open()
export class DocsController {
  constructor(
    private readonly document: ApiDocument,
    private readonly issuer: IssuerConfig,
    private readonly urn: Urn,
  ) {}

  @Get('docs')
  async page(@Res() response: Response): Promise<void> {
    await send(response, INDEX);
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

  @Get('docs/:file')
  async file(@Param('file') name: string, @Res() response: Response): Promise<void> {
    const file = FILES.get(name);
    if (!file) throw new NotFoundException();
    // Large, and the same until the next version; the redirect page of the sign-in must not be stored.
    if (!name.endsWith('.html')) response.setHeader('Cache-Control', 'public, max-age=3600');
    await send(response, file);
  }

  @Get('docs-json')
  async json(@Res() response: Response): Promise<void> {
    response.type('application/json; charset=utf-8').end(await this.document.asJson());
  }

  @Get('docs-yaml')
  async yaml(@Res() response: Response): Promise<void> {
    response.type('text/yaml; charset=utf-8').end(await this.document.asYaml());
  }
}

async function send(response: Response, file: URL): Promise<void> {
  response.setHeader(
    'Content-Type',
    TYPES[file.pathname.slice(file.pathname.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  );
  response.setHeader('Content-Security-Policy', CONTENT_POLICY);
  try {
    await pipeline(createReadStream(file), response);
  } catch (error) {
    if (!GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
