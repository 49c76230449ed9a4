import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Controller, Get, NotFoundException, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { DatabaseConfig, DemoConfig, IssuerConfig, MailConfig } from '../../../foundation/config/config.js';
import { Open } from '../../../foundation/http/access.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { paths } from '../../../org/instance/paths.js';
import { PolicyService } from '../../../org/policy/policy.service.js';
import { renderEntrance, STYLESHEET_PATH } from './entrance.page.js';

const STYLESHEET = readFileSync(new URL('./entrance.css', import.meta.url));
const FOUND = 302;

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The address that everybody opens first. It shows no secrets: anybody who can reach the port may read it. */
@Open()
@Controller()
export class EntranceController {
  constructor(
    private readonly issuer: IssuerConfig,
    private readonly demo: DemoConfig,
    private readonly mail: MailConfig,
    private readonly database: DatabaseConfig,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * In development, links to everything that a newcomer needs; in production, the way to the overview, from where users
   * without a role go on to their account; or to the place that the login policy names instead.
   */
  @Get()
  async open(@Res() response: ExpressResponse): Promise<void> {
    if (this.issuer.production) {
      const { defaultOrgId } = await this.instances.get();
      const { defaultRedirectUri } = await this.policies.effective('login', defaultOrgId);
      response.redirect(FOUND, defaultRedirectUri === '' ? paths.overview : paths.hub);
      return;
    }
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('text/html; charset=utf-8').send(
      renderEntrance({
        issuer: this.issuer.publicUrl,
        demo: this.demo.origin,
        hasMailbox: this.mail.smtpUrl === undefined,
        dataDir: shortPath(this.database.dataDir),
      }),
    );
  }

  @Get(STYLESHEET_PATH.slice(1))
  stylesheet(@Res() response: ExpressResponse): void {
    if (this.issuer.production) throw new NotFoundException();
    response.type('text/css; charset=utf-8').send(STYLESHEET);
  }
}

/** Below the folder of Gatehouse, where the commands of the page are typed; elsewhere absolute. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}
