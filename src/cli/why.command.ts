import { isIP } from 'node:net';
import {
  type ApplicationV2,
  type CallOptions,
  type ExplainSignInBody,
  type ExplainSignInResult,
  type ExplainTokenResult,
  explainSignIn,
  explainSignInOfOrg,
  explainToken,
  type Gatehouse,
  getProjectV2,
  getUserByLoginNameGlobal,
  listAllUsers,
  listApplicationsV2,
  listUsers,
  type SignInMethod,
} from '../client/index.js';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { isFinal } from './failure.js';
import { signInReport, tokenReport } from './why-report.js';

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
  .replace('print the result as JSON', 'print the answer as JSON')}

  Exit codes: 0 can sign in, and has the claim and the role; 1 cannot, or has not; 2 invalid arguments, 130 interrupted
`;

const METHODS: Readonly<Record<string, SignInMethod>> = {
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

/** How the user would prove who they are, and the like. */
type Asked = Omit<ExplainSignInBody, 'prompts'>;

interface FoundUser {
  readonly id: string;
  /** Explains the sign-in of this user, in the reach of the caller. */
  readonly explain: (asked: Asked) => Promise<ExplainSignInResult>;
}

async function why(given: Arguments, around: Surroundings): Promise<number> {
  const [named, ...others] = given.positionals;
  if (named === undefined || others.length > 0) throw usage('Give the login name or the ID of one user.');
  const { method = '', network = '', claim = '', role = '', ...asked } = optionsOf(given);
  if (method !== '' && !Object.hasOwn(METHODS, method))
    throw usage(`--method is "${method}". Give one of: ${Object.keys(METHODS).join(', ')}.`);
  if (network !== '' && isIP(network) === 0) throw usage(`--network is "${network}". Give an IP address.`);
  const isAboutTokens = claim !== '' || role !== '';
  if (isAboutTokens && asked.app === undefined) throw usage('Give the application of the tokens with --app.');
  const service = connect(given, around);
  const call = { signal: around.signal };
  const application = asked.app === undefined ? undefined : await findApplication(service, asked.app, call);
  if (isAboutTokens && application === undefined)
    throw new CommandError(`There is no application ${asked.app} that you may read.`);
  const user = await findUser(service, named, call);
  const explained = await user.explain({
    application: application?.oidcConfiguration?.clientId ?? asked.app ?? '',
    scopes: given.texts('scope'),
    network,
    ...(method === '' ? {} : { method: METHODS[method] }),
    provider: asked.provider ?? '',
    loginName: user.id === named ? '' : named,
  });
  const tokens =
    application && isAboutTokens
      ? await explainTokens(
          service,
          application,
          user.id,
          { scopes: ['openid', ...given.texts('scope')], claim, role },
          call,
        )
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

/** In any organization for those who may look there, otherwise in the caller's own. */
async function findUser(service: Gatehouse, named: string, call: CallOptions): Promise<FoundUser> {
  const everywhere = await unlessRefused(async () => findAnywhere(service, named, call));
  if (everywhere !== undefined)
    return { id: everywhere, explain: async (asked) => explainSignIn(service, { ...asked, userId: everywhere }, call) };
  const own = await findInOrg(service, named, call);
  if (own === undefined) throw new CommandError(`There is no user ${named} that you may read.`);
  return { id: own, explain: async (asked) => explainSignInOfOrg(service, { ...asked, userId: own }, call) };
}

async function findAnywhere(service: Gatehouse, named: string, call: CallOptions): Promise<string | undefined> {
  const byName = await unlessRefused(async () => getUserByLoginNameGlobal(service, { loginName: named }, call));
  if (byName?.user) return byName.user.id;
  if (await unlessRefused(async () => explainSignIn(service, { userId: named }, call))) return named;
  // A name that leads to nobody any more, or an address.
  const mentioning = await unlessRefused(async () => listAllUsers(service, { text: named }, call));
  const known = (mentioning?.result ?? []).filter(({ userName, loginNames, human }) =>
    [userName, ...loginNames, human?.email?.email].some((one) => one?.toLowerCase() === named.toLowerCase()),
  );
  if (known.length > 1) throw usage(`Several users answer to ${named}. Give the ID of one.`);
  return known[0]?.id;
}

async function findInOrg(service: Gatehouse, named: string, call: CallOptions): Promise<string | undefined> {
  const method = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE';
  const queries = [
    { loginNameQuery: { loginName: named, method } },
    { emailQuery: { emailAddress: named, method } },
    { userNameQuery: { userName: named, method } },
    { inUserIdsQuery: { userIds: [named] } },
  ] as const;
  const { result } = await listUsers(service, { queries: [{ orQuery: { queries } }] }, call);
  return result[0]?.id;
}

/** By its client id or its name, if the caller may read it. */
async function findApplication(
  service: Gatehouse,
  named: string,
  call: CallOptions,
): Promise<ApplicationV2 | undefined> {
  const filters = [{ clientIdFilter: { clientId: named } }, { nameFilter: { name: named } }];
  for (const filter of filters) {
    const found = await unlessRefused(async () => listApplicationsV2(service, { filters: [filter] }, call));
    const [sole, another] = found?.applications ?? [];
    if (another) throw usage(`Several applications are called ${named}. Give the client ID of one.`);
    if (sole) return sole;
  }
  return undefined;
}

async function explainTokens(
  service: Gatehouse,
  { applicationId: appId, projectId }: ApplicationV2,
  userId: string,
  asked: { readonly scopes: readonly string[]; readonly claim: string; readonly role: string },
  call: CallOptions,
): Promise<ExplainTokenResult> {
  const { project } = await getProjectV2(service, { projectId }, call);
  return explainToken(
    service,
    { projectId, appId, userId, ...asked },
    { ...call, organization: project?.organizationId },
  );
}

/** Undefined where the caller lacks a permission, or nothing is there. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isFinal(error)) return undefined;
    throw error;
  }
}
