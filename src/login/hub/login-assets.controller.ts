import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { isStorable } from '../../foundation/crypto/json-members.js';
import { Open } from '../../foundation/http/access.js';
import { paths } from '../../org/instance/paths.js';
import { Branding } from '../../page/branding/branding.js';
import { ExtAssets } from '../../page/ext-assets.js';
import { assets } from '../../page/page-renderer.js';
import { pageNotFound } from '../login.errors.js';
import { LoginPages } from '../login-pages.js';
import { END_SESSION } from '../way-out.js';
import { LoginErrorFilter } from './login-error.filter.js';

const FOUND = 302;
/** For files whose address contains a hash of their content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** For all other files. */
const ONE_DAY = 'public, max-age=86400';

/** Logout and the files of the pages. */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class LoginAssetsController {
  constructor(
    private readonly pages: LoginPages,
    private readonly branding: Branding,
    private readonly extAssets: ExtAssets,
  ) {}

  @Get('/ui/login')
  toHub(@Res() response: ExpressResponse): void {
    response.redirect(FOUND, paths.hub);
  }

  @Get(paths.signOut)
  signOut(@Res() response: ExpressResponse): void {
    response.redirect(FOUND, END_SESSION);
  }

  @Get(paths.signedOut)
  async signedOut(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.pages.send(http, response, { page: 'signedOut' });
  }

  @Get(paths.stylesheet)
  stylesheet(@Res() response: ExpressResponse): void {
    response.setHeader('Cache-Control', FOR_GOOD);
    response.type('text/css; charset=utf-8').send(assets.stylesheet);
  }

  @Get(paths.script)
  script(@Res() response: ExpressResponse): void {
    response.setHeader('Cache-Control', FOR_GOOD);
    response.type('text/javascript; charset=utf-8').send(assets.script);
  }

  @Get(paths.passkeyScript)
  passkeyScript(@Res() response: ExpressResponse): void {
    response.setHeader('Cache-Control', FOR_GOOD);
    response.type('text/javascript; charset=utf-8').send(assets.passkeyScript);
  }

  @Get(paths.webauthnScript)
  webauthnScript(@Res() response: ExpressResponse): void {
    response.setHeader('Cache-Control', FOR_GOOD);
    response.type('text/javascript; charset=utf-8').send(assets.webauthnScript);
  }

  /**
   * The colours of an organization, or of the instance. An old address returns the current ones and must not be cached.
   */
  @Get(`${paths.brand}/:ownerId/:file`)
  async brand(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const { ownerId, file } = http.params as { ownerId: string; file: string };
    const version = /^([\w-]{1,40})\.css$/.exec(file)?.[1];
    const sheet =
      version !== undefined && isStorable(ownerId) ? await this.branding.findSheet(ownerId, version) : undefined;
    if (!sheet) throw pageNotFound();
    response.setHeader('Cache-Control', sheet.isCurrent ? FOR_GOOD : 'no-cache');
    response.type('text/css; charset=utf-8').send(sheet.css);
  }

  /** The files of an extension. An old address returns the current file and must not be cached. */
  @Get(`${paths.extAssets}/:extension/:file`)
  own(@Req() http: ExpressRequest, @Res() response: ExpressResponse): void {
    const { extension, file } = http.params as { extension: string; file: string };
    const asset = this.extAssets.find(extension, file);
    if (!asset) throw pageNotFound();
    response.setHeader('Cache-Control', asset.path === http.originalUrl ? FOR_GOOD : 'no-cache');
    // Opened by itself, a picture must not run what is in it.
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader('Content-Type', asset.type);
    response.send(asset.content);
  }

  @Get(paths.icon)
  icon(@Res() response: ExpressResponse): void {
    response.setHeader('Cache-Control', ONE_DAY);
    response.type('image/svg+xml; charset=utf-8').send(assets.icon);
  }
}
