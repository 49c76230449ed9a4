import {
  type AddApiAppResult,
  type AddOIDCAppBody,
  type AddOidcAppResult,
  addAPIApp,
  addOIDCApp,
  addProject,
  type Gatehouse,
  getProviderMetadata,
  listApps,
  listProjectResources,
  listProjects,
  removeProject,
  setProjectResources,
} from '../client/index.js';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT, usage } from './command/command-error.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { isFinal } from './failure.js';

const HELP = `
gatehouse register --name NAME --type TYPE [options]: registers an application, in a project that is created if needed

  --name NAME           name of the application
  --type TYPE           browser: runs in the browser, without a secret
                        web: runs on a server, with a secret
                        native: on a phone, a desktop or the command line, without a secret
                        device: a television, or a command line without a browser, without a secret
                        api: signs no users in, but asks about tokens (introspection), with a secret
  --redirect-uri URI    where users return after the sign-in; may be repeated; http is allowed on localhost
  --post-logout-uri URI where users return after the sign-out; may be repeated
  --project NAME        the project; default: the name of the application
  --resource URI        a protected resource of the project, such as an MCP server; may be repeated
  --jwt                 signed access tokens, which APIs check without asking the service
  --roles               roles in ID tokens and userinfo, also as a plain list "roles"
${CONNECTION_HELP.slice(1).replace(/^ +--(timeout|quiet).*\n/gm, '')}

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments, 130 interrupted
`;

/** The grant types are there if they are not the usual ones. */
type AppType = Pick<AddOIDCAppBody, 'appType' | 'authMethodType' | 'grantTypes'>;

/** The name of each type in the administrative API. */
const TYPES: Readonly<Record<string, AppType>> = {
  browser: { appType: 'OIDC_APP_TYPE_USER_AGENT', authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' },
  web: { appType: 'OIDC_APP_TYPE_WEB', authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC' },
  native: { appType: 'OIDC_APP_TYPE_NATIVE', authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' },
  device: {
    appType: 'OIDC_APP_TYPE_NATIVE',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    grantTypes: ['OIDC_GRANT_TYPE_DEVICE_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  },
};

export const REGISTER: Command = {
  name: 'register',
  summary: 'Register an application',
  help: HELP,
  options: {
    ...CONNECTION,
    name: { type: 'string' },
    type: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true },
    'post-logout-uri': { type: 'string', multiple: true },
    project: { type: 'string' },
    resource: { type: 'string', multiple: true },
    jwt: { type: 'boolean' },
    roles: { type: 'boolean' },
  },
  run: register,
};

interface Registered {
  readonly issuer: string;
  readonly projectId: string;
  readonly clientId: string;
  /** Empty for an application without one. */
  readonly clientSecret: string;
}

async function register(given: Arguments, around: Surroundings): Promise<number> {
  const name = given.text('name');
  const type = given.text('type') ?? '';
  if (name === undefined) throw usage('Give the name of the application with --name.');
  if (type !== 'api' && !Object.hasOwn(TYPES, type))
    throw usage(`--type is "${type}". Give one of: ${[...Object.keys(TYPES), 'api'].join(', ')}.`);
  const redirectUris = given.texts('redirect-uri');
  if (type !== 'api' && type !== 'device' && redirectUris.length === 0)
    throw usage('Give the address to which users return with --redirect-uri.');
  const service = connect(given, around);
  const { signal } = around;
  const { issuer } = await getProviderMetadata(service, {}, { signal });
  const project = await findProject(service, given.text('project') ?? name, signal);
  const { id: projectId } = project;
  const earlier = await addResources(service, projectId, given.texts('resource'), signal).catch(undo);
  const add = async (): Promise<AddApiAppResult & Partial<AddOidcAppResult>> =>
    type === 'api'
      ? addAPIApp(service, { projectId, name, authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' }, { signal })
      : addOIDCApp(service, { projectId, ...settings(given, name, type) }, { signal });
  const {
    clientId,
    clientSecret,
    complianceProblems = [],
  } = await add().catch((refusal: unknown) => undo(refusal, earlier));

  /** A refused application leaves nothing behind. @throws the refusal */
  async function undo(refusal: unknown, resources?: readonly string[]): Promise<never> {
    if (isFinal(refusal)) {
      if (project.isNew) await removeIfEmpty(service, projectId, signal);
      else if (resources) await setProjectResources(service, { projectId, uris: resources }, { signal });
    }
    throw refusal;
  }
  const registered: Registered = { issuer, projectId, clientId, clientSecret };
  around.output.write(given.flag('json') ? `${JSON.stringify(registered)}\n` : toText(registered));
  for (const { localizedMessage } of complianceProblems.slice(1)) around.errors.write(`Note: ${localizedMessage}\n`);
  return EXIT.done;
}

function settings(given: Arguments, name: string, type: string): AddOIDCAppBody {
  const asserts = given.flag('roles');
  return {
    name,
    ...TYPES[type],
    redirectUris: given.texts('redirect-uri'),
    postLogoutRedirectUris: given.texts('post-logout-uri'),
    accessTokenType: given.flag('jwt') ? 'OIDC_TOKEN_TYPE_JWT' : 'OIDC_TOKEN_TYPE_BEARER',
    accessTokenRoleAssertion: asserts,
    idTokenRoleAssertion: asserts,
    flatRolesClaim: asserts,
  };
}

interface FoundProject {
  readonly id: string;
  readonly isNew: boolean;
}

/** The project of this name, or a new one. */
async function findProject(service: Gatehouse, name: string, signal: AbortSignal): Promise<FoundProject> {
  const queries = [{ nameQuery: { name, method: 'TEXT_QUERY_METHOD_EQUALS' } }] as const;
  const { result } = await listProjects(service, { queries }, { signal });
  if (result[0]) return { id: result[0].id, isNew: false };
  const { id } = await addProject(service, { name }, { signal });
  return { id, isNew: true };
}

/** Unless somebody else has begun to use it meanwhile. */
async function removeIfEmpty(service: Gatehouse, projectId: string, signal: AbortSignal): Promise<void> {
  const { result } = await listApps(service, { projectId }, { signal });
  if (result.length === 0) await removeProject(service, { id: projectId }, { signal });
}

/** Beside those that the project has, which it returns; undefined if none are added. */
async function addResources(
  service: Gatehouse,
  projectId: string,
  added: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (added.length === 0) return undefined;
  const { uris } = await listProjectResources(service, { projectId }, { signal });
  await setProjectResources(service, { projectId, uris: [...new Set([...uris, ...added])] }, { signal });
  return uris;
}

function toText({ issuer, projectId, clientId, clientSecret }: Registered): string {
  const lines = [
    ['Issuer', issuer],
    ['Client ID', clientId],
    ...(clientSecret === '' ? [] : [['Client secret', `${clientSecret}   (shown only now)`]]),
    ['Project ID', `${projectId}   (in the aud of access tokens)`],
  ];
  return lines.map(([label, value]) => `${label!.padEnd(15)}${value}\n`).join('');
}
