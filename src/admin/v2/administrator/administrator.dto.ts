import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Flag, Moment, Named, Part, Text, Texts } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';

const USER_ID = { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.personV2 } as const;
const ROLES = {
  min: 1,
  max: 200,
  maxItems: 50,
  description: 'Names of manager roles, of the level of the resource.',
  example: ['ORG_OWNER_VIEWER'],
} as const;
export const ROLES_HELD = { example: ['ORG_OWNER_VIEWER'], description: 'The manager roles that are held.' } as const;

@Named('ResourceProjectGrantV2')
export class ResourceProjectGrantV2 {
  @Text(1, { min: 1, max: 200, description: 'The project that is granted.', example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(2, { min: 1, max: 200, description: 'The organization that it is granted to.', example: EXAMPLE.setUpOrg })
  readonly organizationId!: string;
}

/** What is managed: one of the four. */
@Named('ResourceTypeV2')
export class ResourceTypeV2 {
  @Flag(1, { oneof: 'resource', description: 'The whole instance: `true`, or another resource.' })
  readonly instance?: boolean;

  @Text(2, { oneof: 'resource', min: 1, max: 200, example: EXAMPLE.org })
  readonly organizationId?: string;

  @Text(3, { oneof: 'resource', min: 1, max: 200, example: EXAMPLE.projectV2 })
  readonly projectId?: string;

  @Part(4, () => ResourceProjectGrantV2, { oneof: 'resource' })
  readonly projectGrant?: ResourceProjectGrantV2;
}

const RESOURCE = { required: true, description: 'What the user manages.' } as const;

@Named('CreateAdministratorRequestV2')
export class CreateAdministratorRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => ResourceTypeV2, RESOURCE)
  readonly resource!: ResourceTypeV2;

  @Texts(3, ROLES)
  readonly roles!: string[];
}

@Named('CreateAdministratorResponseV2')
export class CreateAdministratorResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;
}

@Named('UpdateAdministratorRequestV2')
export class UpdateAdministratorRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => ResourceTypeV2, RESOURCE)
  readonly resource!: ResourceTypeV2;

  @Texts(3, { ...ROLES, replaces: true })
  readonly roles!: string[];
}

@Named('UpdateAdministratorResponseV2')
export class UpdateAdministratorResponseV2 {
  @Moment(1, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteAdministratorRequestV2')
export class DeleteAdministratorRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => ResourceTypeV2, RESOURCE)
  readonly resource!: ResourceTypeV2;
}

@Named('DeleteAdministratorResponseV2')
export class DeleteAdministratorResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('AdministratorUserV2')
export class AdministratorUserV2 {
  @Text(1, { example: EXAMPLE.personV2 })
  readonly id!: string;

  @Text(2, { example: 'ilse.brandt@acme.localhost' })
  readonly preferredLoginName!: string;

  @Text(3, { example: 'Ilse Brandt' })
  readonly displayName!: string;

  @Text(4, { description: 'The organization that the user belongs to.', example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Named('AdministeredOrganizationV2')
export class AdministeredOrganizationV2 {
  @Text(1, { example: EXAMPLE.org })
  readonly id!: string;

  @Text(2, { example: 'Acme' })
  readonly name!: string;
}

@Named('AdministeredProjectV2')
export class AdministeredProjectV2 {
  @Text(1, { example: EXAMPLE.projectV2 })
  readonly id!: string;

  @Text(2, { example: 'Timetable' })
  readonly name!: string;

  @Text(3, { description: 'The organization that owns the project.', example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Named('AdministeredProjectGrantV2')
export class AdministeredProjectGrantV2 {
  @Text(1, { example: EXAMPLE.projectGrant })
  readonly id!: string;

  @Text(2, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(3, { example: 'Timetable' })
  readonly projectName!: string;

  @Text(4, { description: 'The organization that owns the project.', example: EXAMPLE.org })
  readonly organizationId!: string;

  @Text(5, { description: 'The organization that it is granted to.', example: EXAMPLE.setUpOrg })
  readonly grantedOrganizationId!: string;
}

@Named('AdministratorV2')
export class AdministratorV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Moment(2, CHANGED)
  readonly changeDate?: Date;

  @Part(3, () => AdministratorUserV2)
  readonly user!: AdministratorUserV2;

  @Flag(4, { oneof: 'resource', description: 'Whether they manage the instance.' })
  readonly instance?: boolean;

  @Part(5, () => AdministeredOrganizationV2, { oneof: 'resource' })
  readonly organization?: AdministeredOrganizationV2;

  @Part(6, () => AdministeredProjectV2, { oneof: 'resource' })
  readonly project?: AdministeredProjectV2;

  @Part(7, () => AdministeredProjectGrantV2, { oneof: 'resource' })
  readonly projectGrant?: AdministeredProjectGrantV2;

  @Texts(8, ROLES_HELD)
  readonly roles!: readonly string[];
}
