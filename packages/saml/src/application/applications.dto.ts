import { Count, Flag, Moment, Parts, Text } from 'gatehouse/admin';
import { ATTRIBUTE_SOURCES, type AttributeSource, isAttributeSource } from './attribute-mapping.js';
import { NAME_ID_FORMATS, type NameIdFormat } from './registered-applications.js';

const MOST = 1_000;
const MAX_METADATA_BYTES = 262_144;
const PROJECT_ID = { min: 1, max: 200, description: 'ID of the project.', example: '327716458341990401' } as const;
const APPLICATION_ID = {
  min: 1,
  max: 200,
  description: 'ID of the application.',
  example: '327716458341990402',
} as const;
const NAME = { min: 1, max: 200, description: 'Name of the application, on pages.', example: 'Wiki' } as const;
const FORMAT = {
  description:
    'The name under which the application knows a user, if its requests ask for none; `persistent` if empty.',
  example: 'persistent',
  form: {
    fits: (text: string) => NAME_ID_FORMATS.some((one) => one === text),
    says: `must be one of ${NAME_ID_FORMATS.join(', ')}`,
  },
};
const IDP_INITIATED = { description: 'Whether users may begin here, without a request of the application.' } as const;
const SIGNED = {
  description: 'Whether requests without a signature are refused, also where metadata allows them.',
} as const;

const METADATA = {
  maxBytes: MAX_METADATA_BYTES,
  description: 'The metadata of the application as XML, with one entity. Either this or metadataUrl.',
  example:
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://wiki.example.com">' +
    '<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
    '<AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" ' +
    'Location="https://wiki.example.com/saml/acs" index="0"/></SPSSODescriptor></EntityDescriptor>',
} as const;
const METADATA_URL = { max: 2_000, description: 'Where the metadata of the application is. It is read once.' } as const;

export class Done {}

export class AttributeEntry {
  @Text(1, {
    min: 1,
    max: 200,
    description: `What it says: ${ATTRIBUTE_SOURCES.join(', ')}. email and phone only if they are verified.`,
    example: 'email',
    form: { fits: isAttributeSource, says: `must be one of ${ATTRIBUTE_SOURCES.join(', ')}` },
  })
  readonly source!: AttributeSource;

  @Text(2, {
    min: 1,
    max: 200,
    description: 'Its name: one of LDAP or eduPerson such as `mail`, which is sent with its OID, a URI, or any other.',
    example: 'mail',
  })
  readonly name!: string;
}

const ATTRIBUTES = { maxItems: 100, description: 'What the application is told of a user.' } as const;

export class AddApplicationRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, NAME)
  readonly name!: string;

  @Text(3, METADATA)
  readonly metadata!: string;

  @Text(4, METADATA_URL)
  readonly metadataUrl!: string;

  @Text(5, FORMAT)
  readonly nameIdFormat!: NameIdFormat | '';

  @Parts(6, () => AttributeEntry, { ...ATTRIBUTES, description: 'What the application is told; the usual if empty.' })
  readonly attributes!: readonly AttributeEntry[];

  @Flag(7, IDP_INITIATED)
  readonly allowIdpInitiated!: boolean;

  @Flag(8, SIGNED)
  readonly requireSignedRequests!: boolean;
}

export class AddedApplication {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;
}

export class ApplicationOfProject {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APPLICATION_ID)
  readonly applicationId!: string;
}

export class ListApplicationsRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Count(2, { max: 1_000_000, description: 'How many are passed over.' })
  readonly offset!: number;

  @Count(3, { max: MOST, description: 'The most that are answered; 100 if it is 0.' })
  readonly limit!: number;
}

export class ApplicationEntry {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(2, NAME)
  readonly name!: string;

  @Text(3, { description: '`active` or `inactive`.' })
  readonly state!: string;

  @Text(4, { description: 'The entityID of the application.' })
  readonly entityId!: string;

  @Text(5, { description: 'Where the metadata was read; empty if it was given as XML.' })
  readonly metadataUrl!: string;

  @Moment(6, { description: 'When the metadata was read.' })
  readonly metadataReadAt!: Date;

  @Moment(7, { description: 'Until when the metadata says that it holds. It is used beyond that.' })
  readonly metadataValidUntil?: Date;

  @Text(8, FORMAT)
  readonly nameIdFormat!: string;

  @Parts(9, () => AttributeEntry, ATTRIBUTES)
  readonly attributes!: readonly AttributeEntry[];

  @Flag(10, IDP_INITIATED)
  readonly allowIdpInitiated!: boolean;

  @Flag(11, SIGNED)
  readonly requireSignedRequests!: boolean;
}

export class ApplicationEntries {
  @Parts(1, () => ApplicationEntry)
  readonly result!: readonly ApplicationEntry[];
}

export class ApplicationDetails extends ApplicationEntry {
  @Text(12, { description: 'The metadata as XML.' })
  readonly metadata!: string;
}

export class ChangeApplicationRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(3, NAME)
  readonly name!: string;

  @Text(4, FORMAT)
  readonly nameIdFormat!: NameIdFormat | '';

  @Parts(5, () => AttributeEntry, { ...ATTRIBUTES, description: 'What the application is told; the usual if empty.' })
  readonly attributes!: readonly AttributeEntry[];

  @Flag(6, IDP_INITIATED)
  readonly allowIdpInitiated!: boolean;

  @Flag(7, SIGNED)
  readonly requireSignedRequests!: boolean;
}

export class SetMetadataRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(3, METADATA)
  readonly metadata!: string;

  @Text(4, METADATA_URL)
  readonly metadataUrl!: string;
}
