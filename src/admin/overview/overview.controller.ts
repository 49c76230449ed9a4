import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { ApplicationsPage } from './applications.page.js';
import { HomePage } from './home.page.js';
import { OrgsPage } from './orgs.page.js';
import { OverviewErrorFilter } from './overview-error.filter.js';
import { OverviewSender } from './overview-sender.js';
import type { OverviewVisit } from './overview-visit.js';
import { OverviewVisits } from './overview-visits.js';
import { PeoplePage } from './people.page.js';
import { PersonPage } from './person.page.js';
import { PoliciesPage } from './policies.page.js';
import { ServicePage } from './service.page.js';

/**
 * The overview: where managers look first. Read-first, on the pages' own sign-in; everything on it leads to an
 * operation in `/docs`.
 */
@Open()
@UseFilters(OverviewErrorFilter)
@Controller()
export class OverviewController {
  constructor(
    private readonly visits: OverviewVisits,
    private readonly sender: OverviewSender,
    private readonly homePage: HomePage,
    private readonly peoplePage: PeoplePage,
    private readonly personPage: PersonPage,
    private readonly orgsPage: OrgsPage,
    private readonly applicationsPage: ApplicationsPage,
    private readonly policiesPage: PoliciesPage,
    private readonly servicePage: ServicePage,
  ) {}

  @Get(paths.overview)
  async home(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.homePage.page(visit));
  }

  @Get(paths.overviewPeople)
  async people(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.peoplePage.page(visit));
  }

  @Get('/ui/admin/people/:userId')
  async person(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.show(http, response, (visit) => this.personPage.page(visit, userId));
  }

  @Get(paths.overviewOrgs)
  async orgs(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.orgsPage.page(visit));
  }

  @Get(paths.overviewApplications)
  async applications(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.applicationsPage.page(visit));
  }

  @Get(paths.overviewPolicies)
  async policies(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.policiesPage.page(visit));
  }

  @Get(paths.overviewService)
  async service(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.show(http, response, (visit) => this.servicePage.page(visit));
  }

  private async show(
    http: ExpressRequest,
    response: ExpressResponse,
    page: (visit: OverviewVisit) => Promise<LoginPage>,
  ): Promise<void> {
    const visit = await this.visits.open(http, response);
    if (visit) this.sender.send(visit, response, await page(visit));
  }
}
