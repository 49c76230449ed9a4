import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import { API_AUTH_METHOD, APP_NAME } from '../../app/app.dto.js';
import { SentApiSettings } from '../../app/assertion-settings.dto.js';
import { STRICT_AUTH_METHOD } from '../../app/oidc-config.dto.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Moment, Named, Part, Parts, Reserves, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, HOW, TEXT_FILTER_METHOD } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { PROJECT_ID } from '../project/project.dto.js';
import {
  API_AUTH_METHOD_TYPE_V2,
  APPLICATION_SORTING,
  APPLICATION_STATE,
  APPLICATION_TYPE,
} from './application.enums.js';
import {
  CreateOidcApplicationRequestV2,
  CreateOidcApplicationResponseV2,
  OidcConfigurationV2,
  UpdateOidcApplicationRequestV2,
} from './oidc-application.dto.js';

export const APPLICATION_ID = {
  min: 1,
  max: 200,
  description: 'ID of the application.',
  example: EXAMPLE.applicationV2,
} as const;
/** Its project follows from the application; clients send it nevertheless. */
export const OF_PROJECT = {
  max: 200,
  description: 'ID of its project. Need not be sent; if it is, the application must belong to it.',
} as const;
const CLIENT_ID = {
  description: 'The client ID that the application uses in OAuth and OpenID Connect requests.',
  example: EXAMPLE.clientId,
} as const;
const SAML = {
  oneof: 'applicationType',
  description: 'Always refused: SAML applications are made by the operations of the package gatehouse-saml.',
} as const;

/** Refused with a sentence: that a setting is ignored would not be seen. */
@Reserves({ 1: 'metadata_xml', 2: 'metadata_url', 3: 'login_version' })
@Named('SamlApplicationRequestV2')
export class SamlApplicationRequestV2 {}

@Named('ApiConfigurationV2')
export class ApiConfigurationV2 extends SentApiSettings {
  @Text(1, CLIENT_ID)
  readonly clientId!: string;

  @Choice(2, API_AUTH_METHOD_TYPE_V2, API_AUTH_METHOD)
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE_V2>;

  @Flag(100, STRICT_AUTH_METHOD)
  readonly strictAuthMethod!: boolean;
}

@Named('CreateApiApplicationRequestV2')
export class CreateApiApplicationRequestV2 extends SentApiSettings {
  @Choice(1, API_AUTH_METHOD_TYPE_V2, API_AUTH_METHOD)
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE_V2>;

  @Flag(100, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;
}

@Named('CreateApiApplicationResponseV2')
export class CreateApiApplicationResponseV2 {
  @Text(1, CLIENT_ID)
  readonly clientId!: string;

  @Text(2, { description: 'Returned only once; empty for an application without a secret.', example: 'Xb3…' })
  readonly clientSecret!: string;
}

@Reserves({ 8: 'saml_configuration' })
@Named('ApplicationV2')
export class ApplicationV2 {
  @Text(1, { example: EXAMPLE.applicationV2 })
  readonly applicationId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Moment(3, CHANGED)
  readonly changeDate?: Date;

  @Choice(4, APPLICATION_STATE, {
    example: 'APPLICATION_STATE_ACTIVE',
    description: 'Users cannot sign in to an inactive application.',
  })
  readonly state!: ValueOf<typeof APPLICATION_STATE>;

  @Text(5, { example: 'Timetable for the web' })
  readonly name!: string;

  @Part(6, () => OidcConfigurationV2, { oneof: 'configuration' })
  readonly oidcConfiguration?: OidcConfigurationV2 | undefined;

  @Part(7, () => ApiConfigurationV2, { oneof: 'configuration' })
  readonly apiConfiguration?: ApiConfigurationV2 | undefined;

  @Text(9, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(100, {
    oneof: 'configuration',
    example: 'saml',
    description: 'The extension that answers the application, by a protocol of its own. Its settings are there.',
  })
  readonly extension?: string | undefined;
}

@Named('GetApplicationRequestV2')
export class GetApplicationRequestV2 {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;
}

@Named('GetApplicationResponseV2')
export class GetApplicationResponseV2 {
  @Part(1, () => ApplicationV2)
  readonly application!: ApplicationV2;
}

@Named('ApplicationReferenceV2')
export class ApplicationReferenceV2 {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(2, OF_PROJECT)
  readonly projectId!: string;
}

@Named('CreateApplicationRequestV2')
export class CreateApplicationRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, { max: 200, description: 'An ID of your choice. If empty, one is made.' })
  readonly applicationId!: string;

  @Text(3, APP_NAME)
  readonly name!: string;

  @Part(4, () => CreateOidcApplicationRequestV2, { oneof: 'applicationType' })
  readonly oidcConfiguration?: CreateOidcApplicationRequestV2;

  @Part(5, () => SamlApplicationRequestV2, SAML)
  readonly samlConfiguration?: SamlApplicationRequestV2;

  @Part(6, () => CreateApiApplicationRequestV2, { oneof: 'applicationType' })
  readonly apiConfiguration?: CreateApiApplicationRequestV2;
}

@Reserves({ 4: 'saml_configuration' })
@Named('CreateApplicationResponseV2')
export class CreateApplicationResponseV2 {
  @Text(1, { example: EXAMPLE.applicationV2 })
  readonly applicationId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Part(3, () => CreateOidcApplicationResponseV2, { oneof: 'applicationType' })
  readonly oidcConfiguration?: CreateOidcApplicationResponseV2;

  @Part(5, () => CreateApiApplicationResponseV2, { oneof: 'applicationType' })
  readonly apiConfiguration?: CreateApiApplicationResponseV2;
}

/** The field has no label in the original: what is not sent is BASIC. */
@Named('UpdateApiApplicationRequestV2')
export class UpdateApiApplicationRequestV2 extends SentApiSettings {
  @Choice(1, API_AUTH_METHOD_TYPE_V2, {
    ...API_AUTH_METHOD,
    description: `${API_AUTH_METHOD.description} If absent: BASIC, also in an update.`,
  })
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE_V2>;

  @Flag(100, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;
}

@Named('UpdateApplicationRequestV2')
export class UpdateApplicationRequestV2 {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(2, OF_PROJECT)
  readonly projectId!: string;

  @Text(3, { max: 200, description: `${APP_NAME.description} If empty, it is unchanged.` })
  readonly name!: string;

  @Part(4, () => SamlApplicationRequestV2, SAML)
  readonly samlConfiguration?: SamlApplicationRequestV2;

  @Part(5, () => UpdateOidcApplicationRequestV2, { oneof: 'applicationType' })
  readonly oidcConfiguration?: UpdateOidcApplicationRequestV2;

  @Part(6, () => UpdateApiApplicationRequestV2, { oneof: 'applicationType' })
  readonly apiConfiguration?: UpdateApiApplicationRequestV2;
}

@Named('UpdateApplicationResponseV2')
export class UpdateApplicationResponseV2 {
  @Moment(2, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteApplicationResponseV2')
export class DeleteApplicationResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('DeactivateApplicationResponseV2')
export class DeactivateApplicationResponseV2 {
  @Moment(1, { ...CHANGED, description: 'When it was deactivated.' })
  readonly deactivationDate?: Date;
}

@Named('ReactivateApplicationResponseV2')
export class ReactivateApplicationResponseV2 {
  @Moment(1, { ...CHANGED, description: 'When it was reactivated.' })
  readonly reactivationDate?: Date;
}

@Named('GenerateClientSecretResponseV2')
export class GenerateClientSecretResponseV2 {
  @Text(1, { description: 'Returned only once; the previous secret is no longer valid.', example: 'Xb3…' })
  readonly clientSecret!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('ProjectIdFilterV2')
export class ProjectIdFilterV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;
}

@Named('ApplicationNameFilterV2')
export class ApplicationNameFilterV2 {
  @Text(1, { max: 200, example: 'Time' })
  readonly name!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('ClientIdFilterV2')
export class ClientIdFilterV2 {
  @Text(1, { min: 1, max: 500, example: EXAMPLE.clientId })
  readonly clientId!: string;
}

@Filter()
@Reserves({ 6: 'entity_id_filter' }) // the package gatehouse-saml knows those
@Named('ApplicationSearchFilterV2')
export class ApplicationSearchFilterV2 {
  @Part(1, () => ProjectIdFilterV2, { oneof: 'filter' })
  readonly projectIdFilter?: ProjectIdFilterV2;

  @Part(2, () => ApplicationNameFilterV2, { oneof: 'filter' })
  readonly nameFilter?: ApplicationNameFilterV2;

  @Choice(3, APPLICATION_STATE, {
    oneof: 'filter',
    required: true,
    description: 'Nothing is kept of applications that were removed: that filter finds none.',
  })
  readonly stateFilter?: ValueOf<typeof APPLICATION_STATE>;

  @Choice(4, APPLICATION_TYPE, {
    oneof: 'filter',
    required: true,
    description: 'SAML finds those of the package gatehouse-saml.',
  })
  readonly typeFilter?: ValueOf<typeof APPLICATION_TYPE>;

  @Part(5, () => ClientIdFilterV2, { oneof: 'filter' })
  readonly clientIdFilter?: ClientIdFilterV2;
}

@Named('ListApplicationsRequestV2')
export class ListApplicationsRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Parts(2, () => ApplicationSearchFilterV2, FILTERS)
  readonly filters!: ApplicationSearchFilterV2[];

  @Choice(3, APPLICATION_SORTING, { description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn!: ValueOf<typeof APPLICATION_SORTING>;
}

@Named('ListApplicationsResponseV2')
export class ListApplicationsResponseV2 {
  @Parts(1, () => ApplicationV2)
  readonly applications!: readonly ApplicationV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}
