import { IdpLinks } from '../../../idp/idp-links.js';
import { paths } from '../../../org/instance/paths.js';
import { EDITOR, type TestPerson } from '../builders.js';
import { toQuery } from '../http.js';
import { RelyingParty } from '../relying-party.js';
import { type ContractCase, type GivenWorld, require, requirement, requireSame, shown, worldOf } from './contract.js';
import {
  type IdpKindContractInput,
  KindStage,
  type ProviderAccount,
  type ProviderMisbehaviour,
  somebody,
  visit,
} from './idp-kind-stage.js';

const UNAVAILABLE = 502;
const REFUSED = 400;
const MISBEHAVIOURS: readonly ProviderMisbehaviour[] = [
  'error',
  'silence',
  'redirect',
  'two megabytes',
  'no subject',
  'an odd subject',
];
const NEXT_MASTER_KEY = 'the master key that comes next to it';

/**
 * What every kind of identity provider keeps: users are known by what never changes, and an address is verified only if
 * the provider says so; a state is taken once, within an hour, from the browser that left, at the callback of its
 * provider; another sign-in's code is worth nothing; whatever a provider answers instead of a user signs nobody in;
 * nobody joins another one's account; the provider is called through Gatehouse alone; no secret is in an address, in
 * the API or in the database, and each survives a change of the master key.
 *
 * It needs a world that may call the stand-in: `env: { OUTBOUND_ALLOW: '127.0.0.1' }`.
 *
 * It cannot prove that the provider behaves as its stand-in, nor that what the kind takes for a subject is never given
 * to somebody else there.
 * @public
 */
export function idpKindContract(given: GivenWorld, input: IdpKindContractInput): readonly ContractCase[] {
  const on = (check: (stage: KindStage) => Promise<void>) => async (): Promise<void> =>
    check(await KindStage.set(worldOf(given), input));
  return [
    requirement('identity provider: it signs in the linked user', on(linkedUser)),
    requirement('identity provider: an unknown user gets an account, and is the same one later', on(newUser)),
    requirement('identity provider: an address is verified only if the provider says so', on(verifiedAddress)),
    requirement('identity provider: nobody joins the account of another one by an address', on(takenAddress)),
    requirement('identity provider: an unknown state is refused, and the provider asked nothing', on(unknownState)),
    requirement('identity provider: a state of another browser is refused', on(otherBrowser)),
    requirement('identity provider: a state is taken once', on(once)),
    requirement('identity provider: a state is refused after an hour', on(late)),
    requirement("identity provider: another provider's callback is refused", on(otherCallback)),
    requirement('identity provider: the code of another sign-in is refused (RFC 7636 §4.6)', on(otherCode)),
    requirement('identity provider: errors, and answers without a code, are refused', on(noCode)),
    ...(input.misbehave ? MISBEHAVIOURS : []).map((how) =>
      requirement(
        `identity provider: nobody is signed in by a provider that answers with ${how}`,
        on(misbehaving(how)),
      ),
    ),
    ...(input.misbehave
      ? [requirement('identity provider: it is called through Gatehouse alone', on(throughGatehouse))]
      : []),
    ...(input.clientSecret === ''
      ? []
      : [requirement('identity provider: its secrets are in no address, no answer and no row', on(secrets))]),
    requirement('identity provider: its secrets survive a change of the master key', on(nextMasterKey)),
  ];
}

async function linkedUser(stage: KindStage): Promise<void> {
  const away = await stage.away({ providerOptions: { isAutoCreation: false } });
  const user = await stage.world.add.user();
  const account = somebody();
  await link(stage, away.providerId, user, account);
  const { sub } = await stage.signIn(away, account, 'Once a user is linked');
  requireSame(sub, user.id, 'Who is signed in by the account with which a user is linked');
}

async function link(
  { world, input }: KindStage,
  idpId: string,
  user: TestPerson,
  account: ProviderAccount,
): Promise<void> {
  const of = { userId: user.id, orgId: user.orgId };
  const at = { idpId, externalUserId: input.subjectOf?.(account) ?? account.subject, displayName: account.userName };
  await world.transaction((tx) => world.get(IdpLinks).add(tx, { ...of, ...at }, EDITOR));
}

async function newUser(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const account = somebody();
  const first = await stage.signIn(away, account, 'At the first sign-in of an unknown user');
  const again = await stage.leave(away.providerId);
  const changed = somebody({ subject: account.subject });
  const later = await stage.signIn(again, changed, 'After a user has changed name and address');
  requireSame(later['sub'], first['sub'], 'Who is signed in after a user has changed name and address');
  const other = await stage.signIn(await stage.leave(away.providerId), somebody(), 'For another user');
  require(other['sub'] !== first['sub'], `${stage.name} takes two users of the provider for one.`);
}

async function verifiedAddress(stage: KindStage): Promise<void> {
  const isVerified = async (emailVerified: boolean): Promise<boolean> => {
    const account = somebody({ emailVerified });
    const away = await stage.away();
    await stage.back(away, stage.answerTo(away, account));
    const [row] = await stage.world.sql<{ count: number }>`
      SELECT count(*)::int AS count FROM user_account WHERE email = ${account.email} AND email_verified`;
    return row!.count > 0;
  };
  require(!(await isVerified(
    false,
  )), `${stage.name} says that an address is verified which the provider has not verified.`);
}

async function takenAddress(stage: KindStage): Promise<void> {
  for (const emailVerified of [false, true]) {
    const away = await stage.away();
    const victim = await stage.world.add.user();
    await stage.back(away, stage.answerTo(away, somebody({ email: victim.email, emailVerified })));
    const links = await stage.world.sql`SELECT 1 FROM idp_link WHERE user_id = ${victim.id}`;
    require(links.length === 0, `By ${stage.name}, a user joins the account of another one who has the same address.`);
  }
}

async function unknownState(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const before = stage.input.requests?.() ?? 0;
  await stage.refuses(
    away,
    { [stage.stateName]: 'made-up', code: 'made-up' },
    REFUSED,
    'With a state that was made up',
  );
  requireSame(
    (stage.input.requests?.() ?? 0) - before,
    0,
    'For a state that was made up, the number of requests to the provider',
  );
}

async function otherBrowser(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const thief = stage.party();
  await thief.authorize();
  const answer = stage.answerTo(away, somebody());
  await stage.refuses({ ...away, party: thief }, answer, REFUSED, 'In another browser');
}

async function once(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const answer = stage.answerTo(away, somebody());
  const first = await stage.back(away, answer);
  require(first.status < 400, `The first return from ${stage.name} is answered with ${first.status}.`);
  const { status } = await stage.back(away, answer);
  requireSame(status, REFUSED, 'For a state that comes twice, the status of the page');
}

async function late(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const answer = stage.answerTo(away, somebody());
  stage.world.clock.advance('61m');
  await stage.refuses(away, answer, REFUSED, 'After an hour');
}

async function otherCallback(stage: KindStage): Promise<void> {
  const away = await stage.away();
  const other = await stage.provider();
  const answer = stage.answerTo(away, somebody());
  await stage.refuses({ ...away, providerId: other }, answer, REFUSED, 'At the callback of another provider');
  const again = await stage.away();
  const query = toQuery(stage.answerTo(again, somebody()));
  const { status } = await visit(again.party, `${paths.externalCallback}?${query}`);
  requireSame(status, REFUSED, 'At the callback of OpenID providers, the status of the page');
}

async function otherCode(stage: KindStage): Promise<void> {
  const first = await stage.away();
  const other = stage.answerTo(first, somebody());
  const second = await stage.leave(first.providerId);
  const own = stage.answerTo(second, somebody());
  await stage.refuses(
    second,
    { ...other, [stage.stateName]: own[stage.stateName] },
    REFUSED,
    'With the code of another sign-in',
  );
}

async function noCode(stage: KindStage): Promise<void> {
  for (const said of [{ error: 'access_denied' }, { error: '<b>x</b>', code: 'x' }, {}]) {
    const away = await stage.away();
    const answer = stage.answerTo(away, somebody());
    await stage.refuses(
      away,
      { [stage.stateName]: answer[stage.stateName], ...said },
      REFUSED,
      `With the answer ${shown(said)}`,
    );
  }
}

function misbehaving(how: ProviderMisbehaviour): (stage: KindStage) => Promise<void> {
  return async (stage) => {
    const away = await stage.away();
    const answer = stage.answerTo(away, somebody());
    stage.input.misbehave?.(how);
    try {
      await stage.refuses(away, answer, UNAVAILABLE, `With ${how} of the provider`);
    } finally {
      stage.input.misbehave?.(undefined);
    }
  };
}

/**
 * A replica that may not call the stand-in: what reaches it nevertheless has gone around the rules for outgoing
 * requests.
 */
async function throughGatehouse(stage: KindStage): Promise<void> {
  const { world } = stage;
  const away = await stage.away();
  const answer = stage.answerTo(away, somebody());
  const closed = await world.replica({ env: { ...world.options.env, OUTBOUND_ALLOW: '' } });
  try {
    away.party.goTo(closed);
    const before = stage.input.requests?.() ?? 0;
    const { status } = await stage.back(away, answer);
    requireSame(
      (stage.input.requests?.() ?? 0) - before,
      0,
      `Past the rules for outgoing requests, the number of requests by ${stage.name}`,
    );
    requireSame(status, UNAVAILABLE, 'Where the address of the provider may not be called, the status of the page');
  } finally {
    await closed.close();
  }
}

async function secrets(stage: KindStage): Promise<void> {
  const { clientSecret } = stage.input;
  const away = await stage.away();
  const [row] = await stage.world.sql<{
    text: string;
  }>`SELECT i::text AS text FROM idp i WHERE id = ${away.providerId}`;
  const shownToManagers = await stage.admin.call('GET', `/admin/v1/idps/${away.providerId}`);
  const places: ReadonlyArray<readonly [string, string]> = [
    ['the address of the provider', decodeURIComponent(away.url)],
    ['the row of the provider', row!.text],
    ['what the API answers', JSON.stringify(shownToManagers)],
  ];
  for (const [place, text] of places)
    require(!text.includes(clientSecret), `With ${stage.name}, the secret of the client is in ${place}.`);
}

/** Changes the master key in one process; then another one knows only the new key. The old one is back at the end. */
async function nextMasterKey(stage: KindStage): Promise<void> {
  const { world } = stage;
  const { env } = world.options;
  const old = world.config.secrets.masterKey!.reveal();
  const id = await stage.provider();
  const changeKey = async (MASTER_KEY: string, MASTER_KEY_PREVIOUS: string): Promise<void> => {
    await (await world.replica({ env: { ...env, MASTER_KEY, MASTER_KEY_PREVIOUS } })).close();
  };
  await changeKey(NEXT_MASTER_KEY, old);
  try {
    const alone = await world.replica({ env: { ...env, MASTER_KEY: NEXT_MASTER_KEY } });
    try {
      const party = new RelyingParty(alone, stage.client);
      await stage.signIn(await stage.leave(id, party), somebody(), 'After a change of the master key');
    } finally {
      await alone.close();
    }
  } finally {
    await changeKey(old, NEXT_MASTER_KEY);
  }
}
