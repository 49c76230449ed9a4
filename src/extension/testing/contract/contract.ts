import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Filled, Seam } from '../../../foundation/extension/seam.js';
import type { World } from '../world.js';

/** One requirement of a contract, for any runner of tests: `test(name, run)`. @public */
export interface ContractCase {
  /** The requirement. */
  readonly name: string;
  /** Rejects with what is wrong, in a sentence that names the part. */
  readonly run: () => Promise<void>;
}

/** A world, or how to get it once tests run. @public */
export type GivenWorld = World | (() => World);

/** What a part does not keep of its contract. @public */
export class ContractBroken extends Error {
  override readonly name = 'ContractBroken';
}

/** The limit of a step of a requirement, also on a busy machine. How many steps there are depends on the extension. */
const LIMIT_MS = 60_000;

/** Turns of the event loop between the arrival of an answer and its use. */
const TURNS = 5;

/** When a requirement has last found something out. */
let lastStep = 0;

/** Notes progress: what finds something out does not hang, however long all of it takes. */
export function step(): void {
  lastStep = performance.now();
}

/** @param check rejects if the requirement is not met */
export function requirement(name: string, check: () => Promise<void>): ContractCase {
  return {
    name,
    run: async () => {
      step();
      await within(() => lastStep + LIMIT_MS, check, {
        late: `It hangs: "${name}" has found nothing out for ${LIMIT_MS / 1000} s.`,
        failed: (error) => `It fails: ${error instanceof Error ? error.message : String(error)}`,
      });
    },
  };
}

/** Gives cases a stage in common, which the first of them sets up. */
export function onOneStage<Stage>(
  set: () => Promise<Stage>,
): (check: (stage: Stage) => Promise<void>) => () => Promise<void> {
  let made: Promise<Stage> | undefined;
  return (check) => async () => {
    made ??= set();
    await check(await made);
  };
}

export function worldOf(given: GivenWorld): World {
  return typeof given === 'function' ? given() : given;
}

/** @throws ContractBroken */
export function broken(sentence: string, options?: ErrorOptions): never {
  throw new ContractBroken(sentence, options);
}

/** @throws ContractBroken unless the condition holds */
export function require(holds: boolean, sentence: string): asserts holds {
  step();
  if (!holds) broken(sentence);
}

/** @throws ContractBroken unless both have the same members with the same values, in whatever order */
export function requireSame(found: unknown, expected: unknown, what: string): void {
  step();
  if (canonical(found) !== canonical(expected)) broken(`${what} is ${shown(found)} instead of ${shown(expected)}.`);
}

/** The answer of a part, or a sentence that says how it failed. @throws ContractBroken */
export async function asked<T>(what: string, work: () => Promise<T> | T, limitMs: number): Promise<T> {
  step();
  const until = performance.now() + limitMs;
  return within(() => until, work, {
    late: `${what} takes longer than ${limitMs} ms.`,
    failed: (error) => `${what} throws: ${String(error)}`,
  });
}

/**
 * @param until when it is late, in the time of `performance`: asked again then, because it may have moved
 * @throws ContractBroken with one of the sentences, or as `work` does
 */
async function within<T>(
  until: () => number,
  work: () => Promise<T> | T,
  say: { readonly late: string; readonly failed: (error: unknown) => string },
): Promise<T> {
  const limit = new AbortController();
  const late = (async () => {
    for (let left = until() - performance.now(); left > 0; left = until() - performance.now())
      await sleep(left, undefined, { signal: limit.signal });
    // The answer may be there already, and only be read after the timers, if this process had to wait for a processor.
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn(undefined, { signal: limit.signal });
    return broken(say.late);
  })();
  late.catch(() => undefined); // it is ended below
  try {
    return await Promise.race([(async () => work())(), late]);
  } catch (error) {
    if (error instanceof ContractBroken) throw error;
    return broken(say.failed(error), { cause: error });
  } finally {
    limit.abort();
  }
}

/** The parts of a seam in a world, with the extensions that they belong to. */
export function partsOf<Part>(world: World, seam: Seam<Part>): ReadonlyArray<Filled<Part>> {
  return world.application.get<ReadonlyArray<Filled<Part>>>(seam.token, { strict: false });
}

/** @throws ContractBroken if there is no such part in the world */
export function partOf<Part>(world: World, seam: Seam<Part>, is: (part: Part) => boolean, which: string): Filled<Part> {
  const found = partsOf(world, seam).find(({ part }) => is(part));
  return found ?? broken(`No extension of this world fills ${seam.name} with ${which}.`);
}

/** Lets a part do something else while `work` runs. */
export async function whileIt<Part extends object, Name extends keyof Part, T>(
  part: Part,
  name: Name,
  does: Part[Name],
  work: () => Promise<T>,
): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(part, name);
  Object.defineProperty(part, name, { value: does, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    if (own) Object.defineProperty(part, name, own);
    else delete part[name];
  }
}

/**
 * The handles that some work leaves open in this process. Tried twice if need be: meanwhile a world beside it may have
 * opened a connection, which it keeps. @param isOthers what belongs to others, by the names that Node has for it @param
 * limitMs from the end of the work
 */
export async function leftOpenBy(work: () => Promise<void>, isOthers: RegExp, limitMs: number): Promise<string[]> {
  const open = (): string[] => process.getActiveResourcesInfo().filter((name) => !isOthers.test(name));
  let left: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const before = open();
    await work();
    for (const until = performance.now() + limitMs; ; await sleep(50)) {
      left = beyond([...before, 'Timeout'], open()); // by which the world beside it ends a connection that nobody uses
      if (left.length === 0) return left;
      if (performance.now() > until) break;
    }
  }
  return left;
}

function beyond(before: readonly string[], now: readonly string[]): string[] {
  const known = [...before];
  return now.filter((name) => {
    const place = known.indexOf(name);
    if (place < 0) return true;
    known.splice(place, 1);
    return false;
  });
}

/** A value for a sentence: JSON, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
