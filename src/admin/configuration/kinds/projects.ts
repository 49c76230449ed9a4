import { DomainError } from '../../../foundation/error/domain-error.js';
import type { Json } from '../../kit/inner-calls.js';
import { applicationEffects, grantEffects, projectEffects, roleEffects } from '../effects/access-effects.js';
import { keyed } from '../ground.js';
import type { CollectionKind, SpecialField } from '../kind.js';
import { members } from './members.js';
import { active, checkIs, textsOf } from './special-fields.js';

const PROJECT = '/projects/:projectId';

const ROLES: CollectionKind = {
  type: 'collection',
  label: 'role',
  groups: [{ route: `PUT ${PROJECT}/roles/:roleKey`, of: ({ displayName, group }) => ({ displayName, group }) }],
  effects: roleEffects,
  list: async (ground, place) =>
    keyed(
      await ground.all(place, `POST ${PROJECT}/roles/_search`),
      ({ key }) => key as string,
      ({ key }) => ({ roleKey: key }),
    ),
  add: async (ground, place, roleKey, fields) => {
    await ground.change(place, `POST ${PROJECT}/roles`, { ...fields, roleKey });
    return { roleKey };
  },
  addRoute: () => `POST ${PROJECT}/roles`,
  remove: `DELETE ${PROJECT}/roles/:roleKey`,
};

/** Whether managers may use this API through the application; only owners of the instance read and say it. */
const ADMINISTRATION: SpecialField = {
  word: 'administration',
  schema: { enum: ['APP_ADMINISTRATION_OWN_ORG', 'APP_ADMINISTRATION_ALLOWED'] },
  route: 'PUT /admin/v1/apps/:appId/administration',
  of: ({ administration }) => administration,
  set: async (ground, place, administration) => {
    checkIs('string', administration, 'administration');
    await ground.change(place, 'PUT /admin/v1/apps/:appId/administration', { administration });
  },
};

const APPLICATION = `${PROJECT}/apps/:appId`;

const APPLICATIONS: CollectionKind = {
  type: 'collection',
  label: 'application',
  groups: [
    { word: 'oidc', route: `PUT ${APPLICATION}/oidc_config`, of: ({ oidcConfig }) => oidcConfig as Json | undefined },
    { word: 'api', route: `PUT ${APPLICATION}/api_config`, of: ({ apiConfig }) => apiConfig as Json | undefined },
  ],
  specials: [active(APPLICATION), ADMINISTRATION],
  effects: applicationEffects,
  list: async (ground, place) => {
    const found = await ground.all(place, `POST ${PROJECT}/apps/_search`);
    // Those of extensions are theirs, with settings of their own.
    const ours = found.filter(({ oidcConfig, apiConfig }) => oidcConfig !== undefined || apiConfig !== undefined);
    return keyed(
      ours,
      ({ name }) => name as string,
      ({ id }) => ({ appId: id }),
    );
  },
  add: async (ground, place, name, fields) => {
    const word = wordOf(fields);
    const { appId, clientId, clientSecret } = await ground.change(place, `POST ${PROJECT}/apps/${word}`, {
      ...(fields[word] as object | undefined),
      name,
    });
    ground.made({ path: [...place.path, name], values: { clientId, clientSecret } });
    return { appId };
  },
  addRoute: (fields) => `POST ${PROJECT}/apps/${wordOf(fields)}`,
  remove: `DELETE ${APPLICATION}`,
};

function wordOf(fields: Json): 'oidc' | 'api' {
  return fields['api'] === undefined ? 'oidc' : 'api';
}

const GRANT = `${PROJECT}/grants/:grantId`;

const GRANTS: CollectionKind = {
  type: 'collection',
  label: 'project grant',
  groups: [{ route: `PUT ${GRANT}`, of: ({ grantedRoleKeys }) => ({ roleKeys: grantedRoleKeys }) }],
  specials: [active(GRANT)],
  effects: grantEffects,
  parts: { managers: members(`${GRANT}/members`) },
  list: async (ground, place) =>
    keyed(
      await ground.all(place, `POST ${PROJECT}/grants/_search`),
      ({ grantedOrgName }) => grantedOrgName as string,
      ({ grantId }) => ({ grantId }),
    ),
  add: async (ground, place, name, fields) => {
    const grantedOrgId = await ground.orgIdOf(name);
    const { grantId } = await ground.change(place, `POST ${PROJECT}/grants`, { ...fields, grantedOrgId });
    return { grantId };
  },
  addRoute: () => `POST ${PROJECT}/grants`,
  remove: `DELETE ${GRANT}`,
};

/** The URIs of APIs that belong to the project (RFC 8707). */
const RESOURCES: SpecialField = {
  word: 'resources',
  schema: { type: 'array', items: { type: 'string' } },
  route: `PUT ${PROJECT}/resources`,
  of: async (_read, ground, place) => (await ground.call(place, `GET ${PROJECT}/resources`))['uris'],
  set: async (ground, place, wanted) => {
    await ground.change(place, `PUT ${PROJECT}/resources`, { uris: textsOf(wanted, 'resources') });
  },
};

export const PROJECTS: CollectionKind = {
  type: 'collection',
  label: 'project',
  groups: [{ route: 'PUT /projects/:id', keyField: 'name', of: (read) => read }],
  specials: [active('/projects/:id'), RESOURCES],
  effects: projectEffects,
  parts: {
    roles: ROLES,
    applications: APPLICATIONS,
    grants: GRANTS,
    managers: members(`${PROJECT}/members`),
  },
  list: async (ground, place) => {
    const found = await ground.all(place, 'POST /projects/_search');
    // The project of this service has its own addresses, which are those of no other instance.
    const system = await ground.facts.systemProjectId();
    return keyed(
      found.filter(({ id }) => id !== system),
      ({ name }) => name as string,
      ({ id }) => ({ id, projectId: id }),
    );
  },
  add: async (ground, place, name, fields) => {
    const { id } = await ground.change(place, 'POST /projects', { ...fields, name });
    return { id, projectId: id };
  },
  addRoute: () => 'POST /projects',
  remove: 'DELETE /projects/:id',
};

const GROUP = '/groups/:groupId';

/** The roles of a group in a project: `Shop: [buyer]`. */
const GROUP_GRANTS: CollectionKind = {
  type: 'collection',
  label: 'roles of a group',
  groups: [{ route: `PUT ${GROUP}/grants/:grantId`, of: ({ roleKeys }) => ({ roleKeys }) }],
  shorthand: 'roleKeys',
  list: async (ground, place) =>
    keyed(
      await ground.all(place, `POST ${GROUP}/grants/_search`),
      ({ projectName }) => projectName as string,
      ({ id }) => ({ grantId: id }),
    ),
  add: async (ground, place, name, fields) => {
    const project = (await ground.all(place, 'POST /projects/_search')).find((one) => one['name'] === name);
    const granted = project
      ? undefined
      : (await ground.all(place, 'POST /granted_projects/_search')).find((one) => one['projectName'] === name);
    const projectId = project?.['id'] ?? granted?.['projectId'];
    if (projectId === undefined)
      throw new DomainError(
        'NotFound',
        'configuration.project_unknown',
        `There is no project ${JSON.stringify(name)} of this organization, and none is granted to it.`,
      );
    const { groupGrantId } = await ground.change(place, `POST ${GROUP}/grants`, {
      ...fields,
      projectId,
      ...(granted ? { projectGrantId: granted['grantId'] } : {}),
    });
    return { grantId: groupGrantId };
  },
  addRoute: () => `POST ${GROUP}/grants`,
  remove: `DELETE ${GROUP}/grants/:grantId`,
};

/** Groups and their roles. Who is in them is no configuration. */
export const GROUPS: CollectionKind = {
  type: 'collection',
  label: 'group',
  groups: [{ route: `PUT ${GROUP}`, keyField: 'name', of: ({ description }) => ({ description }) }],
  parts: { grants: GROUP_GRANTS },
  list: async (ground, place) =>
    keyed(
      await ground.all(place, 'POST /groups/_search'),
      ({ name }) => name as string,
      ({ id }) => ({ groupId: id }),
    ),
  add: async (ground, place, name, fields) => {
    const { groupId } = await ground.change(place, 'POST /groups', { ...fields, name });
    return { groupId };
  },
  addRoute: () => 'POST /groups',
  remove: `DELETE ${GROUP}`,
};
