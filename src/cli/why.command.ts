import { isIP } from 'node:net';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { Refused, type RemoteApi } from './remote-api.js';
import { type ExplainedSignIn, type ExplainedToken, signInReport, tokenReport } from './why-report.js';

const HELP = `
gatehouse why LOGIN-NAME|USER-ID [options]: says why somebody can or cannot sign in, and what changes it

  --app NAME|CLIENT-ID  the application; default: the pages of the service itself
  --scope SCOPE         a scope that the application would request besides openid; may be repeated
  --network ADDRESS     the address from which the user would come
  --method METHOD       how the user would prove who they are: password, passkey or provider; default: what works
  --provider NAME|ID    the identity provider, for that method
  --claim CLAIM         why this claim is or is not in the tokens of the application
  --role ROLE           the same for a role of its project
${CONNECTION_HELP.slice(1)
  .replace(/^ +--(timeout|quiet).*\n/gm, '')
  .replace('of a member with the role IAM_OWNER', 'of a manager who may read users')
  .replace('print the job as JSON', 'print the answer as JSON')}

  Exit codes: 0 can sign in, and has the claim and the role; 1 cannot, or has not; 2 invalid arguments, 130 interrupted
`;

const METHODS: Readonly<Record<string, string>> = {
  password: 'SIGN_IN_METHOD_PASSWORD',
  passkey: 'SIGN_IN_METHOD_PASSKEY',
  provider: 'SIGN_IN_METHOD_PROVIDER',
};

export const WHY: Command = {
  name: 'why',
  summary: 'Say why somebody can or cannot sign in',
  help: HELP,
  options: {
    ...CONNECTION,
    app: { type: 'string' },
    scope: { type: 'string', multiple: true },
    network: { type: 'string' },
    method: { type: 'string' },
    provider: { type: 'string' },
    claim: { type: 'string' },
    role: { type: 'string' },
  },
  run: why,
};

interface FoundApplication {
  readonly applicationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly oidcConfiguration?: { readonly clientId: string };
}

interface FoundUser {
  readonly id: string;
}

/** The administrative API, without what no request here has. */
type Ask = <T>(method: 'GET' | 'POST', path: string, body?: object, orgId?: string) => Promise<T>;

async function why(given: Arguments, around: Surroundings): Promise<number> {
  const [named, ...others] = given.positionals;
  if (named === undefined || others.length > 0) throw usage('Give the login name or the ID of one user.');
  const { method = '', network = '', claim = '', role = '', ...asked } = optionsOf(given);
  if (method !== '' && !Object.hasOwn(METHODS, method))
    throw usage(`--method is "${method}". Give one of: ${Object.keys(METHODS).join(', ')}.`);
  if (network !== '' && isIP(network) === 0) throw usage(`--network is "${network}". Give an IP address.`);
  const isAboutTokens = claim !== '' || role !== '';
  if (isAboutTokens && asked.app === undefined) throw usage('Give the application of the tokens with --app.');
  const ask = askOf(connect(given, around), around.signal);
  const application = asked.app === undefined ? undefined : await findApplication(ask, asked.app);
  if (isAboutTokens && application === undefined)
    throw new CommandError(`There is no application ${asked.app} that you may read.`);
  const user = await findUser(ask, named);
  const explained = await ask<ExplainedSignIn>('POST', user.path, {
    application: application?.oidcConfiguration?.clientId ?? asked.app ?? '',
    scopes: given.texts('scope'),
    network,
    ...(method === '' ? {} : { method: METHODS[method] }),
    provider: asked.provider ?? '',
    loginName: user.isByName ? named : '',
  });
  const tokens =
    application && isAboutTokens
      ? await explainTokens(ask, application, user, { scopes: ['openid', ...given.texts('scope')], claim, role })
      : undefined;
  around.output.write(
    given.flag('json')
      ? `${JSON.stringify(tokens ? { ...explained, tokens } : explained)}\n`
      : `${signInReport(explained)}${tokens ? `\n${tokenReport(tokens)}` : ''}`,
  );
  const isThere = tokens === undefined || tokens.links.some(({ isPresent }) => isPresent);
  return explained.canSignIn === 'CAN_SIGN_IN_NO' || !isThere ? EXIT.failed : EXIT.done;
}

function optionsOf(given: Arguments): Readonly<Record<string, string | undefined>> {
  const names = ['app', 'network', 'method', 'provider', 'claim', 'role'];
  return Object.fromEntries(names.map((name) => [name, given.text(name)]));
}

function askOf(service: RemoteApi, signal: AbortSignal): Ask {
  return async (method, path, body, orgId) =>
    service.call({
      method,
      path,
      signal,
      ...(orgId === undefined ? {} : { headers: { 'x-service-orgid': orgId } }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** In any organization for those who may look there, otherwise in the caller's own. */
async function findUser(
  ask: Ask,
  named: string,
): Promise<FoundUser & { readonly path: string; readonly isByName: boolean }> {
  const everywhere = await unlessRefused(async () => findAnywhere(ask, named));
  if (everywhere)
    return { ...everywhere, path: `/admin/v1/users/${everywhere.id}/_explain`, isByName: everywhere.id !== named };
  const [own] = await search(ask, named);
  if (!own) throw new CommandError(`There is no user ${named} that you may read.`);
  return { ...own, path: `/management/v1/users/${own.id}/_explain`, isByName: own.id !== named };
}

async function findAnywhere(ask: Ask, named: string): Promise<FoundUser | undefined> {
  const path = `/management/v1/global/users/_by_login_name?loginName=${encodeURIComponent(named)}`;
  const byName = await unlessRefused(async () => ask<{ user: WireUser }>('GET', path));
  if (byName) return toUser(byName.user);
  const byId = `/admin/v1/users/${encodeURIComponent(named)}/_explain`;
  if (await unlessRefused(async () => ask('POST', byId, {}))) return { id: named };
  // A name that leads to nobody any more, or an address.
  const mentioning = await unlessRefused(async () =>
    ask<{ result: readonly WireUser[] }>('POST', '/management/v1/global/users/_search', { text: named }),
  );
  const known = (mentioning?.result ?? []).filter(({ userName, loginNames, human }) =>
    [userName, ...(loginNames ?? []), human?.email?.email].some((one) => one?.toLowerCase() === named.toLowerCase()),
  );
  if (known.length > 1) throw usage(`Several users answer to ${named}. Give the ID of one.`);
  return known.map(toUser)[0];
}

interface WireUser {
  readonly id: string;
  readonly userName: string;
  readonly loginNames?: readonly string[];
  readonly human?: { readonly email?: { readonly email: string } };
}

function toUser({ id }: WireUser): FoundUser {
  return { id };
}

async function search(ask: Ask, named: string): Promise<FoundUser[]> {
  const method = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE';
  const queries = [
    { loginNameQuery: { loginName: named, method } },
    { emailQuery: { emailAddress: named, method } },
    { userNameQuery: { userName: named, method } },
    { inUserIdsQuery: { userIds: [named] } },
  ];
  const { result } = await ask<{ result: readonly WireUser[] }>('POST', '/management/v1/users/_search', {
    queries: [{ orQuery: { queries } }],
  });
  return result.map(toUser);
}

/** By its client id or its name, if the caller may read it. */
async function findApplication(ask: Ask, named: string): Promise<FoundApplication | undefined> {
  const filters = [{ clientIdFilter: { clientId: named } }, { nameFilter: { name: named } }];
  for (const filter of filters) {
    const found = await unlessRefused(async () =>
      ask<{ applications: readonly FoundApplication[] }>('POST', '/v2/applications/_search', { filters: [filter] }),
    );
    const [sole, another] = found?.applications ?? [];
    if (another) throw usage(`Several applications are called ${named}. Give the client ID of one.`);
    if (sole) return sole;
  }
  return undefined;
}

async function explainTokens(
  ask: Ask,
  { applicationId, projectId }: FoundApplication,
  { id: userId }: FoundUser,
  asked: { readonly scopes: readonly string[]; readonly claim: string; readonly role: string },
): Promise<ExplainedToken> {
  const { project } = await ask<{ project: { readonly organizationId: string } }>('GET', `/v2/projects/${projectId}`);
  const path = `/management/v1/projects/${projectId}/apps/${applicationId}/_explain_token`;
  return ask('POST', path, { userId, ...asked }, project.organizationId);
}

/** Undefined where the caller lacks a permission, or nothing is there. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
