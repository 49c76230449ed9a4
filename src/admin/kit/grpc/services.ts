import 'reflect-metadata';

/** A service of gRPC. */
export interface ServiceFacts {
  /** Its package, below the word of the installation: `org.v2`. */
  readonly package: string;
  readonly name: string;
  readonly comment: string;
}

/** The first generation: one service for each object on which its operations act. */
const FIRST = {
  admin: { package: 'admin.v1', name: 'AdminService', comment: 'Operations on the whole instance.' },
  management: {
    package: 'management.v1',
    name: 'ManagementService',
    comment: "Operations on one organization: the one named in the metadata, or else the caller's own.",
  },
  auth: { package: 'auth.v1', name: 'AuthService', comment: "Operations on the caller's own account." },
} as const satisfies Record<string, ServiceFacts>;

/** The second generation: one service for each resource. Requests name the object that they are about. */
const SECOND = {
  org: { package: 'org.v2', name: 'OrganizationService', comment: 'Organizations, their domains and metadata.' },
  settings: { package: 'settings.v2', name: 'SettingsService', comment: 'Settings as they apply to an organization.' },
  user: { package: 'user.v2', name: 'UserService', comment: 'Users of all organizations.' },
  idp: {
    package: 'idp.v2',
    name: 'IdentityProviderService',
    comment: 'Identity providers of the instance and of all organizations.',
  },
  project: { package: 'project.v2', name: 'ProjectService', comment: 'Projects, their roles and grants.' },
  group: { package: 'group.v2', name: 'GroupService', comment: 'Groups of users.' },
  webkey: { package: 'webkey.v2', name: 'WebKeyService', comment: 'The keys that sign tokens.' },
  application: { package: 'application.v2', name: 'ApplicationService', comment: 'Applications and their keys.' },
  internal_permission: {
    package: 'internal_permission.v2',
    name: 'InternalPermissionService',
    comment: 'Who manages the instance, organizations, projects and project grants.',
  },
  feature: { package: 'feature.v2', name: 'FeatureService', comment: 'How the service behaves, as switches.' },
  instance: { package: 'instance.v2', name: 'InstanceService', comment: 'The instance of this service.' },
  authorization: {
    package: 'authorization.v2',
    name: 'AuthorizationService',
    comment: 'The roles that users hold on projects.',
  },
} as const satisfies Record<string, ServiceFacts>;

export const SERVICES: Readonly<Record<ServiceId, ServiceFacts>> = { ...FIRST, ...SECOND };

/** The services of the first generation, by the first word of their paths in JSON. */
export const AREAS = ['admin', 'management', 'auth'] as const satisfies ReadonlyArray<keyof typeof FIRST>;

export type SecondServiceId = keyof typeof SECOND;
export type ServiceId = keyof typeof FIRST | SecondServiceId;

export const SERVICE_IDS = Object.keys(SERVICES) as readonly ServiceId[];

/** The generation that a service belongs to: the version of the package of its messages. */
export function generationOf(service: ServiceId): 'v1' | 'v2' {
  return service in SECOND ? 'v2' : 'v1';
}

const SERVICE = 'gatehouse:service';

/** The service of the second generation to which the operations of a controller belong. */
export function InService(service: SecondServiceId): ClassDecorator {
  return (controller) => Reflect.defineMetadata(SERVICE, service, controller);
}

/** @throws Error for an operation outside of the paths of the first generation whose controller names no service */
export function serviceOf(controller: object, path: string): ServiceId {
  const area = AREAS.find((one) => path.startsWith(`/${one}/`));
  const service = area ?? (Reflect.getMetadata(SERVICE, controller) as SecondServiceId | undefined);
  if (service === undefined) throw new Error(`The operation at ${path} belongs to no service. Add @InService.`);
  return service;
}
