import { Controller, Delete, Get, Post } from '@nestjs/common';
import { HttpConfig, IssuerConfig } from '../../../foundation/config/config.js';
import { Applications } from '../../../management/project/applications.js';
import {
  applicationIdTaken,
  clientDescribedElsewhere,
  clientNameTaken,
  clientNotFound,
  clientOfOtherKind,
  clientStateUnchanged,
  clientWithoutSecret,
  documentationClientKept,
} from '../../../project/client/client.errors.js';
import { DEFAULT_SETTINGS } from '../../../project/client/client-settings.js';
import { complianceProblems } from '../../../project/client/compliance.js';
import { ExtGrants } from '../../../project/client/ext-grants.js';
import { projectNotFound } from '../../../project/project.errors.js';
import { type Surroundings, toCompliance } from '../../app/app.mapping.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  ApplicationReferenceV2,
  CreateApplicationRequestV2,
  CreateApplicationResponseV2,
  DeactivateApplicationResponseV2,
  DeleteApplicationResponseV2,
  GenerateClientSecretResponseV2,
  GetApplicationRequestV2,
  GetApplicationResponseV2,
  ListApplicationsRequestV2,
  ListApplicationsResponseV2,
  ReactivateApplicationResponseV2,
  UpdateApplicationRequestV2,
  UpdateApplicationResponseV2,
} from './application.dto.js';
import {
  fieldsBelow,
  toApplication,
  toApplicationConditions,
  toChanges,
  toNewSettings,
} from './application.mapping.js';

@Tagged('Applications v2')
@Controller('v2/applications')
@InService('application')
export class ApplicationV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly applications: Applications,
    private readonly http: HttpConfig,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
  ) {}

  @Post()
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'CreateApplicationV2',
    sameAs: ['AddOIDCApp', 'AddAPIApp'],
    summary: 'Create an application that signs users in, or an API that asks about tokens',
    request: CreateApplicationRequestV2,
    exampleWith: {
      oidcConfiguration: {
        redirectUris: ['https://app.example.com/callback'],
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
        applicationType: 'OIDC_APP_TYPE_WEB',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
      },
    },
    returns: CreateApplicationResponseV2,
    refuses: [projectNotFound(), clientNameTaken(), applicationIdTaken()],
  })
  async create(
    @Asking() caller: Caller,
    @Message() request: CreateApplicationRequestV2,
  ): Promise<CreateApplicationResponseV2> {
    const { projectId, applicationId, name } = request;
    const actor = await this.reach.project(caller, 'project.app.write', projectId);
    const settings = toNewSettings(request);
    const chosen = applicationId === '' ? {} : { id: applicationId };
    const { id, clientId, secret, mark } = await fieldsBelow(request, () =>
      this.applications.add(actor, { ...settings, ...chosen, projectId, name }),
    );
    const credentials = { clientId, clientSecret: secret?.reveal() ?? '' };
    const created = { applicationId: id, creationDate: mark.at };
    if (settings.kind === 'api') return { ...created, apiConfiguration: credentials };
    const problems = complianceProblems({ ...DEFAULT_SETTINGS, ...settings }, this.http, this.grants, this.issuer);
    const { noneCompliant, complianceProblems: told } = toCompliance(problems, settings, this.grants);
    return {
      ...created,
      oidcConfiguration: { ...credentials, nonCompliant: noneCompliant, complianceProblems: told },
    };
  }

  @Post('_search')
  @Requires('project.app.read', { named: true })
  @Operation({
    id: 'ListApplicationsV2',
    sameAs: ['ListApps'],
    summary: 'Search the applications that the caller may read, of all organizations',
    description: 'There is no filter by entity ID: those of SAML applications are known to the package gatehouse-saml.',
    request: ListApplicationsRequestV2,
    returns: ListApplicationsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { pagination, sortingColumn, filters }: ListApplicationsRequestV2,
  ): Promise<ListApplicationsResponseV2> {
    const page = await this.applications.listAll(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn,
      where: toApplicationConditions(filters),
    });
    const around = this.around();
    return {
      applications: page.rows.map((client) => toApplication(client, around)),
      pagination: toPagination(page, pagination),
    };
  }

  @Get(':applicationId')
  @Requires('project.app.read', { named: true })
  @Operation({
    id: 'GetApplicationV2',
    sameAs: ['GetAppByID'],
    summary: 'Get an application',
    request: GetApplicationRequestV2,
    exampleWith: { applicationId: EXAMPLE.documentationApp },
    returns: GetApplicationResponseV2,
    refuses: [clientNotFound()],
  })
  async get(
    @Asking() caller: Caller,
    @Message() { applicationId }: GetApplicationRequestV2,
  ): Promise<GetApplicationResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.read', applicationId);
    return { application: toApplication(await this.applications.get(actor, place), this.around()) };
  }

  @Post(':applicationId')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'UpdateApplicationV2',
    sameAs: ['UpdateApp', 'UpdateOIDCAppConfig', 'UpdateAPIAppConfig'],
    summary: 'Update the name and configuration of an application',
    description:
      'What is not sent stays as it is, and so does a list that is empty. The client secret is deleted if the new authentication method does not use one.',
    request: UpdateApplicationRequestV2,
    exampleWith: {
      name: 'Timetable for the web and phones',
      oidcConfiguration: { authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    },
    returns: UpdateApplicationResponseV2,
    refuses: [
      clientNotFound(),
      clientNameTaken(),
      clientOfOtherKind('oidc'),
      clientOfOtherKind('api'),
      clientDescribedElsewhere(),
    ],
  })
  async update(
    @Asking() caller: Caller,
    @Message() request: UpdateApplicationRequestV2,
  ): Promise<UpdateApplicationResponseV2> {
    const { applicationId, projectId } = request;
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    const { kind, settings } = toChanges(request);
    const mark = await fieldsBelow(request, () => this.applications.configure(actor, place, kind, settings));
    return { changeDate: mark.at };
  }

  @Post(':applicationId/deactivate')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'DeactivateApplicationV2',
    sameAs: ['DeactivateApp'],
    summary: 'Deactivate an application: sign-ins are refused and its tokens become invalid',
    request: ApplicationReferenceV2,
    returns: DeactivateApplicationResponseV2,
    refuses: [clientNotFound(), clientStateUnchanged('inactive')],
  })
  async deactivate(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId }: ApplicationReferenceV2,
  ): Promise<DeactivateApplicationResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    return { deactivationDate: (await this.applications.changeState(actor, place, 'inactive')).at };
  }

  @Post(':applicationId/reactivate')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'ReactivateApplicationV2',
    sameAs: ['ReactivateApp'],
    summary: 'Reactivate an application',
    request: ApplicationReferenceV2,
    returns: ReactivateApplicationResponseV2,
    refuses: [clientNotFound(), clientStateUnchanged('active')],
  })
  async reactivate(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId }: ApplicationReferenceV2,
  ): Promise<ReactivateApplicationResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    return { reactivationDate: (await this.applications.changeState(actor, place, 'active')).at };
  }

  @Post(':applicationId/generate_client_secret')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'GenerateClientSecretV2',
    sameAs: ['RegenerateOIDCClientSecret', 'RegenerateAPIClientSecret'],
    summary: 'Replace the client secret of an application; the previous one is no longer valid',
    request: ApplicationReferenceV2,
    returns: GenerateClientSecretResponseV2,
    refuses: [clientNotFound(), clientWithoutSecret()],
  })
  async generateSecret(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId }: ApplicationReferenceV2,
  ): Promise<GenerateClientSecretResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    const { secret, mark } = await this.applications.regenerateSecret(actor, place, undefined);
    return { clientSecret: secret.reveal(), creationDate: mark.at };
  }

  @Delete(':applicationId')
  @Requires('project.app.delete', { named: true })
  @Operation({
    id: 'DeleteApplicationV2',
    sameAs: ['RemoveApp'],
    summary: 'Remove an application; its secret, keys and tokens become invalid',
    request: ApplicationReferenceV2,
    returns: DeleteApplicationResponseV2,
    refuses: [clientNotFound(), documentationClientKept()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId }: ApplicationReferenceV2,
  ): Promise<DeleteApplicationResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.delete', applicationId, projectId);
    return { deletionDate: (await this.applications.remove(actor, place)).at };
  }

  private around(): Surroundings {
    return { headers: this.http, grants: this.grants, requests: this.issuer };
  }
}
