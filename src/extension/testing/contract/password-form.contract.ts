import { setImmediate as nextTurn } from 'node:timers/promises';
import { extPrefixOf, PASSWORD_FORM, type PasswordForm } from '../../../foundation/password/ext-password-form.js';
import type { TestOrg } from '../builders.js';
import { RelyingParty } from '../relying-party.js';
import type { World } from '../world.js';
import {
  asked,
  type ContractCase,
  type GivenWorld,
  partOf,
  require,
  requirement,
  requireSame,
  shown,
  whileIt,
  worldOf,
} from './contract.js';

/** @public */
export interface PasswordFormContractInput {
  /** The name of the form. */
  readonly form: string;
  /**
   * Hashes as the older service made them, without the prefix `$ext-…$`, and their passwords; two at least, with
   * different passwords.
   */
  readonly vectors: ReadonlyArray<{ readonly hash: string; readonly password: string }>;
}

const LIMIT_MS = 3_000;
/** The limit of a check on a busy machine, where the case is not about time. */
const BUSY_LIMIT_MS = 2 * LIMIT_MS;
/** How long a check may compute before it yields; on a busy machine the least of several rounds is near to that. */
const OCCUPIES_MS = 25;
/** Many, since only a difference that remains is a difference of the form. */
const DECOY_ROUNDS = 25;
const ROUNDS = 4;
/** Many as well: garbage is collected in single rounds, and a slow processor is not always slow. */
const TURN_ROUNDS = 12;
const COST_ROUNDS = 2;
/**
 * The limit for the changes of one hash, by the stated cost: a costly form is tried at fewer places, on each machine at
 * the same.
 */
const CHANGES_MS = 15_000;

/**
 * What every form of password hashes keeps: it admits the given passwords and no other; a hash that was cut or changed
 * anywhere is refused when it is stored, or matches nothing; checks leave the event loop to others and do not mix; cost
 * and decoy are as declared; an import takes its hashes, and the first sign-in replaces them.
 *
 * It cannot prove that the hashes are hard to guess, nor that a check which was given up stops computing. Whether an
 * answer tells unknown names from known ones follows from the decoy, which it measures.
 * @public
 */
export function passwordFormContract(given: GivenWorld, input: PasswordFormContractInput): readonly ContractCase[] {
  const on = (check: (stage: FormStage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const { part, name, extension } = partOf(
      world,
      PASSWORD_FORM,
      (form) => form.name === input.form,
      `a form named ${input.form}`,
    );
    const prefix = extPrefixOf({ part, name, extension });
    await check({ world, form: part, part: name, prefix, vectors: input.vectors });
  };
  return [
    requirement('password form: the given passwords match their hashes, and no others do', on(rightAndWrong)),
    requirement(
      'password form: a hash that was cut, changed or lengthened is refused or matches nothing',
      on(changedHashes),
    ),
    requirement(
      'password form: whatever is no hash of the form is refused with a reason, without an error',
      on(malformed),
    ),
    requirement('password form: checks at the same time do not mix', on(atOnce)),
    requirement('password form: a check leaves the event loop to others', on(leavesLoop)),
    requirement('password form: the cost is stated, and within 3 s', on(cost)),
    requirement('password form: the decoy matches nothing, and takes as long as hashes of users', on(decoy)),
    requirement('password form: an import takes its hashes; the first sign-in replaces them', on(importAndSignIn)),
  ];
}

interface FormStage extends Pick<PasswordFormContractInput, 'vectors'> {
  readonly world: World;
  readonly form: PasswordForm;
  /** The name of the class. */
  readonly part: string;
  readonly prefix: string;
}

async function rightAndWrong(stage: FormStage): Promise<void> {
  require(stage.vectors.length > 1, `Give two hashes of ${stage.part} at least.`);
  for (const { hash, password } of stage.vectors) {
    require(await matches(stage, hash, password), `${stage.part} refuses the password of ${shown(hash)}.`);
    const wrong = [`${password}x`, password.slice(0, -1), password.toUpperCase(), ` ${password}`, ''];
    for (const one of wrong.filter((text) => text !== password))
      require(!(await matches(
        stage,
        hash,
        one,
      )), `${stage.part} admits ${shown(one)} for a hash of ${shown(password)}.`);
  }
}

async function changedHashes(stage: FormStage): Promise<void> {
  const { hash, password } = stage.vectors[0]!;
  const changed = [
    ...Array.from(hash, (_, index) => hash.slice(0, index)),
    ...Array.from(hash, (letter, index) => hash.slice(0, index) + neighbour(letter) + hash.slice(index + 1)),
    `${hash}A`,
    `${hash}=`,
    `${hash}\n`,
    ` ${hash}`,
  ];
  const tries = Math.ceil(CHANGES_MS / Math.max(1, stage.form.millisecondsOf(hash) || 1));
  for (const one of spread(changed).slice(0, tries)) {
    if (problemOf(stage, one) !== undefined) continue;
    require(!(await matches(
      stage,
      one,
      password,
    )), `${stage.part} admits the password for ${shown(one)}, which is not its hash ${shown(hash)}.`);
  }
}

/** Another letter of the same kind. */
function neighbour(letter: string): string {
  if (/[0-9]/.test(letter)) return letter === '0' ? '1' : String(Number(letter) - 1);
  if (/[b-zB-Z]/.test(letter)) return String.fromCharCode(letter.charCodeAt(0) - 1);
  return letter === 'a' ? 'b' : 'A' === letter ? 'B' : 'A';
}

/** The list in an order in which the first ones are from everywhere. */
function spread<T>(list: readonly T[]): T[] {
  const step = 7;
  return Array.from({ length: step }, (_, from) => list.filter((__, index) => index % step === from)).flat();
}

async function malformed(stage: FormStage): Promise<void> {
  for (const text of [
    '',
    'x',
    '$',
    '$$$',
    '\0',
    '{}',
    'ü'.repeat(10),
    'a'.repeat(480),
    '$2b$10$',
    '../../etc/passwd',
  ]) {
    const problem = problemOf(stage, text);
    require(typeof problem === 'string' &&
      problem !== '', `${stage.part} takes ${shown(text)} for a hash: problemOf must say what is wrong with it.`);
  }
  for (const { hash } of stage.vectors)
    requireSame(problemOf(stage, hash) ?? 'nothing', 'nothing', `What ${stage.part} finds wrong with ${shown(hash)}`);
}

/** One check runs at a time, but one that was given up may still run when the next one begins. */
async function atOnce(stage: FormStage): Promise<void> {
  const pairs = stage.vectors.flatMap((one) => stage.vectors.map((other) => [one, other] as const));
  await Promise.all(
    pairs.map(async ([{ hash, password }, other]) => {
      const isRight = other.password === password;
      requireSame(
        await matches(stage, hash, other.password, BUSY_LIMIT_MS * pairs.length),
        isRight,
        `While others are checked, whether ${stage.part} admits ${shown(other.password)} for the hash of ${shown(password)}`,
      );
    }),
  );
}

async function leavesLoop(stage: FormStage): Promise<void> {
  const { hash, password } = stage.vectors[0]!;
  let least = Infinity;
  for (let round = 0; round < TURN_ROUNDS && least >= OCCUPIES_MS; round += 1)
    least = Math.min(least, await longestTurn(() => matches(stage, hash, password)));
  require(least <
    OCCUPIES_MS, `${stage.part} occupies the event loop for ${Math.round(least)} ms: nothing else is answered meanwhile. Compute in a worker thread or on Node's thread pool.`);
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time for which nothing else could run. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  // Processor time of this thread, which does not grow while other programs have the processor.
  let last = busyMs();
  const done = work().finally(() => (isDone = true));
  let longest = busyMs() - last;
  while (!isDone) {
    last = busyMs();
    await nextTurn();
    longest = Math.max(longest, busyMs() - last);
  }
  await done;
  return longest;
}

async function cost(stage: FormStage): Promise<void> {
  for (const hash of [stage.form.decoy, ...stage.vectors.map((vector) => vector.hash)]) {
    const milliseconds = stage.form.millisecondsOf(hash);
    require(milliseconds > 0 &&
      milliseconds <=
        LIMIT_MS, `${stage.part} says that ${shown(hash)} takes ${milliseconds} ms. State more than 0 and at most ${LIMIT_MS}.`);
  }
  for (const hash of [stage.form.decoy, stage.vectors[0]!.hash]) {
    let least = Infinity;
    for (let round = 0; round < COST_ROUNDS && least > LIMIT_MS; round += 1)
      least = Math.min(least, await elapsed(() => matches(stage, hash, 'wrong')));
    require(least <=
      LIMIT_MS, `${stage.part} takes ${Math.round(least)} ms for ${shown(hash)}; a sign-in waits for ${LIMIT_MS} ms.`);
  }
}

async function decoy(stage: FormStage): Promise<void> {
  const { form, part, vectors } = stage;
  for (const { password } of [...vectors, { password: '' }])
    require(!(await matches(
      stage,
      form.decoy,
      password,
    )), `The decoy of ${part} matches the password ${shown(password)}.`);
  // The two take turns, and the quickest of each counts: other programs slow single rounds down, but never all of them.
  let ofUser = Infinity;
  let ofDecoy = Infinity;
  for (let round = 0; round < ROUNDS || (round < DECOY_ROUNDS && !isNear(ofUser, ofDecoy)); round += 1) {
    ofUser = Math.min(ofUser, await elapsed(() => matches(stage, vectors[0]!.hash, 'wrong')));
    ofDecoy = Math.min(ofDecoy, await elapsed(() => matches(stage, form.decoy, 'wrong')));
  }
  require(isNear(
    ofUser,
    ofDecoy,
  ), `A check of a user takes ${part} ${ofUser.toFixed(1)} ms, and one of its decoy ${ofDecoy.toFixed(1)} ms: unknown names can be told from known ones.`);
}

function isNear(ofUser: number, ofDecoy: number): boolean {
  // Differences as short as this are hidden by a hash of Gatehouse, which is checked besides.
  return Math.abs(ofUser - ofDecoy) < 5 || (ofDecoy < ofUser * 2 && ofUser < ofDecoy * 2);
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function importAndSignIn(stage: FormStage): Promise<void> {
  const { world, part, form, prefix } = stage;
  const { hash, password } = stage.vectors[0]!;
  world.plant(password);
  const org: TestOrg = await world.add.org();
  const api = (await world.manager(['IAM_OWNER'], org)).about(org.id);
  const loginName = `imported@${org.domain}`;
  const { userId } = await api.call<{ userId: string }>('POST', '/management/v1/users/human/_import', {
    userName: loginName,
    profile: { firstName: 'Given', lastName: 'Family' },
    email: { email: loginName, isEmailVerified: true },
    hashedPassword: { value: prefix + hash },
  });
  const storedIsForeign = async (): Promise<boolean> => {
    const [row] = await world.sql<{
      hash: string;
    }>`SELECT password_hash AS hash FROM user_account WHERE id = ${userId}`;
    return row!.hash.startsWith(prefix);
  };
  const signsIn = async (typed: string): Promise<boolean> => {
    const party = new RelyingParty(world, client);
    return (await party.enter(await party.authorize(), { loginName, password: typed })).redirect !== undefined;
  };
  const client = await world.add.application();
  require(!(await signsIn(`${password}x`)), `A wrong password signs in a user with a hash of ${part}.`);
  require(await storedIsForeign(), `A wrong password has replaced the hash of ${part}.`);
  require(await signsIn(password), `A user with a hash of ${part} cannot sign in with the right password.`);
  require(!(await storedIsForeign()), `The first sign-in has not replaced the hash of ${part}.`);
  let again = 0;
  const verify: PasswordForm['verify'] = async () => {
    again += 1;
    return true;
  };
  const isIn = await whileIt(form, 'verify', verify, () => signsIn(password));
  require(isIn && again === 0, `The second sign-in asks ${part} once more.`);
}

async function matches(stage: FormStage, hash: string, password: string, limitMs = BUSY_LIMIT_MS): Promise<boolean> {
  const { form, part } = stage;
  const answer: unknown = await asked(
    `${part}.verify`,
    () => form.verify(hash, password, new AbortController().signal),
    limitMs,
  );
  require(typeof answer === 'boolean', `${part}.verify answers ${shown(answer)} instead of true or false.`);
  return answer;
}

function problemOf({ form, part }: FormStage, text: string): string | undefined {
  try {
    return form.problemOf(text);
  } catch (error) {
    return require(false, `${part}.problemOf throws for ${shown(text)}: ${String(error)}`) as never;
  }
}
