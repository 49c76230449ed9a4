import { type ContractCase, type GivenWorld, require, requirement, requireSame, worldOf } from './contract.js';
import {
  type DirectoryKindContractInput,
  type DirectoryMisbehaviour,
  DirectoryStage,
  someone,
} from './directory-kind-stage.js';

const UNAVAILABLE = 502;
const REFUSED = 400;
const LIMITED = 429;
const MISBEHAVIOURS: readonly DirectoryMisbehaviour[] = ['silence', 'closed connections', 'noise'];
/** Guesses within fifteen minutes that reach the directory. */
const GUESSES = 10;

/**
 * What every kind of directory keeps: people are known by what never changes, and nobody but by the right password;
 * whether a name exists shows nowhere; empty passwords never reach the directory, and guesses only so many; a directory
 * that misbehaves signs nobody in; it is reached through Gatehouse alone; no secret is in the API or in the database.
 *
 * It needs a world that may call the stand-in, and that limits guesses: `env: { OUTBOUND_ALLOW: '127.0.0.1' }`,
 * `loginLimits: 'on'`.
 *
 * It cannot prove that the directory behaves as its stand-in, nor that what the kind takes for a subject is never given
 * to somebody else there.
 * @public
 */
export function directoryKindContract(given: GivenWorld, input: DirectoryKindContractInput): readonly ContractCase[] {
  const on = (check: (stage: DirectoryStage) => Promise<void>) => async (): Promise<void> =>
    check(await DirectoryStage.set(worldOf(given), input));
  return [
    requirement('directory: the test of a provider finds it, and says so if it is away', on(tested)),
    requirement('directory: somebody new gets an account, and keeps it under another name', on(newUser)),
    requirement('directory: a wrong password and an unknown name get one answer', on(wrong)),
    requirement('directory: patterns, and text that ends names in its protocol, find nobody', on(patterns)),
    requirement('directory: it is not asked about an empty password, or one with NUL', on(emptyPassword)),
    requirement('directory: it is asked about one name ten times in fifteen minutes', on(guesses)),
    requirement('directory: whoever may not sign in is sent to the administrator, and learns no more', on(disabled)),
    ...MISBEHAVIOURS.map((how) =>
      requirement(`directory: nobody is signed in by one that answers with ${how}`, on(misbehaving(how))),
    ),
    requirement('directory: it is reached through Gatehouse alone', on(throughGatehouse)),
    requirement('directory: its secrets are in no answer and no row', on(secrets)),
  ];
}

async function tested(stage: DirectoryStage): Promise<void> {
  const { admin, input } = stage;
  const ask = async (id: string): Promise<readonly boolean[]> => {
    const { parts } = await admin.call<{ parts: ReadonlyArray<{ ok: boolean }> }>('POST', `/admin/v1/idps/${id}/_test`);
    return parts.map(({ ok }) => ok);
  };
  const id = await stage.provider();
  requireSame(await ask(id), [true, true], 'Which parts of a provider are in order');
  input.misbehave('closed connections');
  try {
    requireSame(await ask(id), [true, false], 'Which parts are in order while the directory closes connections');
  } finally {
    input.misbehave(undefined);
  }
}

async function newUser(stage: DirectoryStage): Promise<void> {
  const { input, name } = stage;
  const [person, other] = [someone(), someone()];
  await input.add(person);
  await input.add(other);
  const id = await stage.provider();
  const { sub } = await stage.signIn(id, person, 'Once somebody is in the directory');
  const later = await stage.signIn(id, person, 'Later');
  requireSame(later['sub'], sub, 'Who is signed in later');
  const second = await stage.signIn(id, other, 'Once a second one is in the directory');
  require(second['sub'] !== sub, `${name} takes two people of the directory for one.`);
  const { loginName } = someone();
  await input.rename(person.loginName, loginName);
  const renamed = await stage.signIn(id, { ...person, loginName }, 'Under a new name');
  requireSame(renamed['sub'], sub, 'Who is signed in under a new name');
  await input.add({ ...other, loginName: person.loginName, email: someone().email });
  const heir = await stage.signIn(id, { ...other, loginName: person.loginName }, 'With a name that another one had');
  require(heir['sub'] !== sub, `${name} gives the account of a person to the next one with that name.`);
}

async function wrong(stage: DirectoryStage): Promise<void> {
  const person = someone();
  await stage.input.add(person);
  const id = await stage.provider();
  const password = 'another word';
  const known = await stage.refuses(id, { ...person, password }, REFUSED, 'With a wrong password');
  const unknown = await stage.refuses(id, { ...someone(), password }, REFUSED, 'With an unknown name');
  requireSame(plain(unknown.text), plain(known.text), 'What the page says to an unknown name');
}

/** Without what a reader has typed. */
function plain(text: string): string {
  return text.replace(/someone\d+/g, '');
}

async function patterns(stage: DirectoryStage): Promise<void> {
  const person = someone();
  await stage.input.add(person);
  const id = await stage.provider();
  const { loginName, password } = person;
  const spellings = ['*', `${loginName.slice(0, -1)}*`, `*)(uid=*`, `${loginName})(|(a=b`, '\\2a', `${loginName}\\00`];
  for (const spelling of spellings)
    await stage.refuses(id, { loginName: spelling, password }, REFUSED, `With the name ${spelling}`);
}

async function emptyPassword(stage: DirectoryStage): Promise<void> {
  const person = someone();
  await stage.input.add(person);
  const id = await stage.provider();
  const before = stage.input.connections();
  for (const password of ['', '\0', `\0${person.password}`, `${person.password}\0`, 'x'.repeat(201)])
    await stage.refuses(id, { ...person, password }, REFUSED, `With the password ${JSON.stringify(password)}`);
  requireSame(stage.input.connections() - before, 0, 'With such passwords, the number of connections to the directory');
}

async function guesses(stage: DirectoryStage): Promise<void> {
  const { input } = stage;
  const person = someone();
  await input.add(person);
  const id = await stage.provider();
  for (let guess = 0; guess < GUESSES; guess += 1) await stage.try(id, { ...person, password: `guess ${guess}` });
  const before = input.connections();
  for (const loginName of [person.loginName, person.loginName.toUpperCase(), ` ${person.loginName}  `])
    await stage.refuses(id, { ...person, loginName }, LIMITED, `After ${GUESSES} guesses, with "${loginName}"`);
  requireSame(input.connections() - before, 0, `After ${GUESSES} guesses, the number of connections to the directory`);
}

async function disabled(stage: DirectoryStage): Promise<void> {
  const { input } = stage;
  const person = someone();
  await input.add(person);
  const id = await stage.provider();
  await input.disable(person.loginName);
  const told = await stage.refuses(id, person, REFUSED, 'Once somebody is disabled');
  require(/administrator/i.test(told.text) &&
    !/disabled|expired|locked/i.test(told.text), `Somebody who is disabled reads: ${told.text.slice(0, 300)}`);
}

function misbehaving(how: DirectoryMisbehaviour): (stage: DirectoryStage) => Promise<void> {
  return async (stage) => {
    const person = someone();
    await stage.input.add(person);
    const id = await stage.provider();
    stage.input.misbehave(how);
    try {
      await stage.refuses(id, person, UNAVAILABLE, `With ${how} of the directory`);
    } finally {
      stage.input.misbehave(undefined);
    }
    await stage.signIn(id, person, `After ${how} of the directory`);
  };
}

/**
 * A replica that may not call the stand-in: what reaches it nevertheless has gone around the rules for outgoing
 * connections.
 */
async function throughGatehouse(stage: DirectoryStage): Promise<void> {
  const { world, input, name } = stage;
  const person = someone();
  await input.add(person);
  const id = await stage.provider();
  const closed = await world.replica({ env: { ...world.options.env, OUTBOUND_ALLOW: '' } });
  try {
    const before = input.connections();
    const { status } = await stage.try(id, person, stage.party(closed));
    requireSame(
      input.connections() - before,
      0,
      `Past the rules for outgoing connections, the number of connections by ${name}`,
    );
    requireSame(status, UNAVAILABLE, 'Where the address of the directory may not be called, the status of the page');
  } finally {
    await closed.close();
  }
}

async function secrets(stage: DirectoryStage): Promise<void> {
  const { world, admin, input, name } = stage;
  const id = await stage.provider();
  const [row] = await world.sql<{ text: string }>`SELECT i::text AS text FROM idp i WHERE id = ${id}`;
  const shownToManagers = JSON.stringify(await admin.call('GET', `/admin/v1/idps/${id}`));
  for (const secret of input.secrets) {
    require(!row!.text.includes(secret), `With ${name}, a secret is in the row of the provider.`);
    require(!shownToManagers.includes(secret), `With ${name}, a secret is in what the API answers.`);
  }
}
