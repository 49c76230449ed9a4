import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Asking, type Caller, Message, OfOrg, Operation, Requires } from 'gatehouse/admin';
import {
  applicationUnknown,
  certificateMissing,
  entityElsewhere,
  entityOther,
  entityOurs,
  entityTaken,
  metadataInvalid,
  metadataUnavailable,
  metadataUrlMissing,
  oneSource,
} from './application.errors.js';
import {
  AddApplicationRequest,
  AddedApplication,
  ApplicationDetails,
  ApplicationEntries,
  type ApplicationEntry,
  ApplicationOfProject,
  ChangeApplicationRequest,
  Done,
  ListApplicationsRequest,
  SetMetadataRequest,
} from './applications.dto.js';
import { Applications, type ManagedSamlApplication } from './applications.js';
import { DEFAULT_MAPPING } from './attribute-mapping.js';

export const READ_APPLICATIONS = 'ext.saml.application.read';
export const WRITE_APPLICATIONS = 'ext.saml.application.write';

const DEFAULT_FORMAT = 'persistent';
const DEFAULT_LIMIT = 100;
const REFUSED_METADATA = [
  oneSource(),
  metadataInvalid('metadata_role_missing'),
  metadataUnavailable(404),
  entityTaken(),
  entityOurs(),
  entityElsewhere(),
];

/** The applications of a project that speak SAML. `ManagedApplications` checks `project.app.*` besides. */
@Controller('management/v1/ext/saml/projects')
@OfOrg()
export class ApplicationsController {
  constructor(private readonly applications: Applications) {}

  @Post(':projectId/applications')
  @Requires(WRITE_APPLICATIONS)
  @Operation({
    id: 'AddApplication',
    summary: 'Add an application that speaks SAML to a project',
    request: AddApplicationRequest,
    returns: AddedApplication,
    refuses: [...REFUSED_METADATA, certificateMissing()],
  })
  async add(@Asking() caller: Caller, @Message() request: AddApplicationRequest): Promise<AddedApplication> {
    const { projectId, nameIdFormat, attributes, ...rest } = request;
    const applicationId = await this.applications.add(caller, projectId, {
      ...rest,
      nameIdFormat: nameIdFormat || DEFAULT_FORMAT,
      attributes: attributes.length > 0 ? attributes : DEFAULT_MAPPING,
    });
    return { applicationId };
  }

  @Get(':projectId/applications')
  @Requires(READ_APPLICATIONS)
  @Operation({
    id: 'ListApplications',
    summary: 'List the applications of a project that speak SAML',
    request: ListApplicationsRequest,
    returns: ApplicationEntries,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { projectId, offset, limit }: ListApplicationsRequest,
  ): Promise<ApplicationEntries> {
    const listed = await this.applications.list(caller, projectId, { offset, limit: limit || DEFAULT_LIMIT });
    return { result: listed.map(toEntry) };
  }

  @Get(':projectId/applications/:applicationId')
  @Requires(READ_APPLICATIONS)
  @Operation({
    id: 'GetApplication',
    summary: 'Get an application that speaks SAML',
    request: ApplicationOfProject,
    returns: ApplicationDetails,
    refuses: [applicationUnknown()],
  })
  async get(@Asking() caller: Caller, @Message() place: ApplicationOfProject): Promise<ApplicationDetails> {
    const found = await this.applications.find(caller, place);
    return { ...toEntry(found), metadata: found.metadata };
  }

  @Put(':projectId/applications/:applicationId')
  @Requires(WRITE_APPLICATIONS)
  @Operation({
    id: 'ChangeApplication',
    summary: 'Change an application that speaks SAML',
    description: 'All settings but the metadata take the values of the request.',
    request: ChangeApplicationRequest,
    returns: Done,
    refuses: [applicationUnknown(), certificateMissing()],
  })
  async change(@Asking() caller: Caller, @Message() request: ChangeApplicationRequest): Promise<Done> {
    const { projectId, applicationId, nameIdFormat, attributes, ...rest } = request;
    await this.applications.change(
      caller,
      { projectId, applicationId },
      {
        ...rest,
        nameIdFormat: nameIdFormat || DEFAULT_FORMAT,
        attributes: attributes.length > 0 ? attributes : DEFAULT_MAPPING,
      },
    );
    return {};
  }

  @Put(':projectId/applications/:applicationId/metadata')
  @Requires(WRITE_APPLICATIONS)
  @Operation({
    id: 'SetApplicationMetadata',
    summary: 'Replace the metadata of an application that speaks SAML',
    request: SetMetadataRequest,
    returns: Done,
    refuses: [...REFUSED_METADATA, applicationUnknown(), certificateMissing()],
  })
  async setMetadata(@Asking() caller: Caller, @Message() request: SetMetadataRequest): Promise<Done> {
    await this.applications.setMetadata(caller, request, request);
    return {};
  }

  @Post(':projectId/applications/:applicationId/metadata/read')
  @Requires(WRITE_APPLICATIONS)
  @Operation({
    id: 'ReadApplicationMetadata',
    summary: 'Read the metadata of an application again from its address',
    request: ApplicationOfProject,
    returns: Done,
    refuses: [metadataUrlMissing(), entityOther(), applicationUnknown(), certificateMissing()],
  })
  async readMetadata(@Asking() caller: Caller, @Message() place: ApplicationOfProject): Promise<Done> {
    await this.applications.readMetadata(caller, place);
    return {};
  }

  @Delete(':projectId/applications/:applicationId')
  @Requires(WRITE_APPLICATIONS)
  @Operation({
    id: 'RemoveApplication',
    summary: 'Remove an application that speaks SAML',
    description: 'The names under which it knew users are removed with it.',
    request: ApplicationOfProject,
    returns: Done,
  })
  async remove(@Asking() caller: Caller, @Message() place: ApplicationOfProject): Promise<Done> {
    await this.applications.remove(caller, place);
    return {};
  }
}

function toEntry({ readAt, validUntil, metadata: _metadata, ...rest }: ManagedSamlApplication): ApplicationEntry {
  return { ...rest, metadataReadAt: readAt, ...(validUntil === null ? {} : { metadataValidUntil: validUntil }) };
}
