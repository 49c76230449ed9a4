import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { testDatabaseUrl } from '../../foundation/config/test-database-url.js';
import { checkBinaries } from '../../process/embedded/binaries.js';
import type { TestIdpArguments } from './arguments.js';
import { DEFAULT_FIXTURE } from './fixture.js';
import { FixtureText } from './fixture-text.js';
import { IdpGround } from './ground.js';
import { HeldPort } from './held-port.js';
import { inputMistake } from './input-mistake.js';
import type { TestIdp } from './test-idp.js';

/** @param firstLine of the input, where the fixture may be. @throws what the user can correct, in words */
export async function startTestIdp(given: TestIdpArguments, firstLine: Promise<string>): Promise<TestIdp> {
  const { host, settings } = given;
  const fixture = await fixtureOf(given.fixture, firstLine);
  const held = await HeldPort.take(given.port);
  try {
    // PostgreSQL, in processes of its own, starts while this one reads the rest of its code.
    await using ground = new IdpGround(held.port, given.databaseUrl ?? urlIfNeeded());
    const [{ TestIdp }, { controlOf }] = await Promise.all([import('./test-idp.js'), import('./control.js')]);
    return await TestIdp.start({ host, held, settings, fixture, ground }, controlOf);
  } finally {
    await held.release();
  }
}

/**
 * DATABASE_URL is often that of the application under test, which is no place for this: it counts only where no
 * PostgreSQL is installed.
 */
function urlIfNeeded(): string | undefined {
  try {
    checkBinaries();
    return undefined;
  } catch (error) {
    const url = testDatabaseUrl();
    if (url === undefined) throw error;
    return url;
  }
}

async function fixtureOf(file: string | undefined, firstLine: Promise<string>): Promise<FixtureText> {
  if (file === undefined) return FixtureText.of(DEFAULT_FIXTURE);
  if (file === '-') return FixtureText.of(FixtureText.read(await firstLine, 'fixture').content);
  try {
    return FixtureText.read(readFileSync(file, 'utf8'), basename(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : inputMistake(`The fixture ${file} cannot be read (${code}).`);
  }
}
