/*
 * What the compiler knows of calls, and which it refuses: `npm run typecheck` reads it, and package.deep-spec.ts
 * compiles it against the declarations of the package. It does not run.
 */
import {
  addHumanUser,
  connect,
  deleteApplicationV2,
  each,
  exportData,
  type GatehouseError,
  getInstanceLabelFile,
  getLoginSettingsV2,
  getMyUser,
  getUserByID,
  getUserinfo,
  type Input,
  isRefusal,
  issueToken,
  listMyPermissions,
  listUsers,
  type Output,
  operation,
  type Reason,
  raw,
  revokeToken,
  startAuthorization,
  type User,
  type Userinfo,
  type UserResult,
  type UserState,
  wait,
} from 'gatehouse/client';
import { keyFile, type ServiceKey, serviceKey, tokenFile } from 'gatehouse/client/node';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function isSo<_ extends true>(): void {}

const url = 'https://id.example.com';
const gatehouse = connect({ url: new URL(url), token: 'x', organization: '1', timeoutMs: 0, retry: { attempts: 1 } });
connect({ url, token: () => 'x' });
connect({ url, token: async ({ refused }) => Promise.resolve(`not ${refused ?? ''}`) });
connect({ url, token: keyFile('key.json', { url }) });
connect({ url, token: tokenFile('admin.pat') });
connect({ url, token: serviceKey({} as ServiceKey, { url, scope: 'email' }), fetch });
// @ts-expect-error -- an address is needed
connect({ token: 'x' });
// @ts-expect-error -- a body is of one call
connect({ url, body: '{}' });

export async function inputs(): Promise<void> {
  await getMyUser(gatehouse);
  await getMyUser(gatehouse, {}, { signal: AbortSignal.timeout(1) });
  await getUserByID(gatehouse, { id: '1' }, { organization: '2' });
  await getLoginSettingsV2(gatehouse, { ctx: { instance: true } });
  await deleteApplicationV2(gatehouse, { applicationId: '1', projectId: '2' });
  // @ts-expect-error -- the connection comes first
  await getUserByID({ id: '1' });
  // @ts-expect-error -- the path needs an id
  await getUserByID(gatehouse);
  // @ts-expect-error -- an id is a text
  await getUserByID(gatehouse, { id: 1 });
  // @ts-expect-error -- no such member
  await getUserByID(gatehouse, { id: '1', userId: '1' });
  // @ts-expect-error -- a name, a profile and an address are needed
  await addHumanUser(gatehouse, { userName: 'ilse' });
  const person = { userName: 'ilse', email: { email: 'a@b.example' } };
  await addHumanUser(gatehouse, { ...person, profile: { firstName: 'I', lastName: 'B', gender: 'GENDER_FEMALE' } });
  // @ts-expect-error -- no such value
  await addHumanUser(gatehouse, { ...person, profile: { firstName: 'I', lastName: 'B', gender: 'FEMALE' } });
  // @ts-expect-error -- no such grant
  await issueToken(gatehouse, { grant_type: 'password' });
  // @ts-expect-error -- no such option
  await getMyUser(gatehouse, {}, { timeout: 5 });
}

export async function outputs(): Promise<void> {
  const { user } = await getUserByID(gatehouse, { id: '1' });
  isSo<Same<typeof user, User | undefined>>();
  isSo<Same<NonNullable<typeof user>['state'], UserState>>();
  isSo<Same<Output<typeof getUserByID>, UserResult>>();
  isSo<Same<Input<typeof getUserByID>, { readonly id: string }>>();
  isSo<Same<Output<typeof getInstanceLabelFile>, Blob>>();
  isSo<Same<Output<typeof startAuthorization>, Response>>();
  isSo<Same<Output<typeof revokeToken>, undefined>>();
  isSo<Same<Output<typeof getUserinfo>, Userinfo | string>>();
  // @ts-expect-error -- it may be missing
  console.log(user.userName);
  // @ts-expect-error -- no such member
  console.log(user?.username);
  // @ts-expect-error -- answers are read
  if (user) user.userName = 'x';
}

export function refusals(error: unknown): void {
  isSo<Same<Extract<Reason<typeof getUserByID>, `user.${string}`>, 'user.not_found'>>();
  if (isRefusal(error, getUserByID, 'user.not_found', 'token.dead')) {
    isSo<Same<typeof error, GatehouseError<'user.not_found' | 'token.dead'>>>();
    console.log(error.fields[0]?.description, error.status);
    // @ts-expect-error -- a narrow union
    console.log(error.reason === 'internal');
  }
  if (isRefusal(error, getUserByID)) isSo<Same<typeof error.reason, Reason<typeof getUserByID>>>();
  // @ts-expect-error -- not for this reason
  isRefusal(error, getUserByID, 'user.name_taken');
  // @ts-expect-error -- misspelt
  isRefusal(error, getUserByID, 'user.notfound');
  isRefusal(error, issueToken, 'invalid_grant');
}

export async function lists(): Promise<void> {
  for await (const user of each(gatehouse, listUsers, { query: { limit: 5 } })) isSo<Same<typeof user, User>>();
  // @ts-expect-error -- it does not page
  each(gatehouse, listMyPermissions);
  // @ts-expect-error -- a limit is a number
  each(gatehouse, listUsers, { query: { limit: '5' } });
}

export async function jobs(): Promise<void> {
  const job = await wait(gatehouse, await exportData(gatehouse), { onProgress: ({ done }) => void done.length });
  isSo<Same<typeof job.state, NonNullable<typeof job.state>>>();
  const answer = await raw(gatehouse, exportData, { responseOutput: true });
  isSo<Same<typeof answer, Response>>();
  // @ts-expect-error -- no job begins there
  await wait(gatehouse, await getUserByID(gatehouse, { id: '1' }));
}

export async function ownRoutes(): Promise<void> {
  const find = operation<{ readonly id: string }, { readonly costCentre: string }, 'ext.hr.unknown'>('GET', '/x/{id}');
  const { costCentre } = await find(gatehouse, { id: '1' });
  isSo<Same<typeof costCentre, string>>();
  // @ts-expect-error -- the path needs an id
  await find(gatehouse);
}
