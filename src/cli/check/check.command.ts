import type { Config } from '../../foundation/config/config.js';
import { describeExtension } from '../../process/setup/start-block.js';
import type { ExtendedServices, PartFindings } from '../../process/start/extended-services.js';
import type { Command } from '../command/command.js';
import { CommandError, EXIT } from '../command/command-error.js';
import { onDatabase } from '../command/on-database.js';
import { type Finding, fine, note, toText, wrong } from '../doctor/finding.js';

const HELP = `
gatehouse --with EXTENSION check: what a start with these extensions would say, without starting

  Runs with the settings of the service. Settings, extensions and their parts are checked, and, if there is a database, which schema changes
  the next start would make and which extensions are missing. Nothing is changed, and nothing listens.

  --json                print the findings as JSON

  Exit codes: 0 it would start, 1 it would not, 2 invalid arguments
`;

/** The check that a team runs before an upgrade. */
export function checkCommand(services: ExtendedServices): Command {
  return {
    name: 'check',
    summary: 'what a start with these extensions would say',
    help: HELP,
    options: { json: { type: 'boolean' } },
    run: async (given, { output }) => {
      const findings = await examine(services);
      output.write(given.flag('json') ? `${JSON.stringify(findings)}\n` : findings.map(toText).join(''));
      return findings.some(({ state }) => state === 'wrong') ? EXIT.failed : EXIT.done;
    },
  };
}

async function examine(services: ExtendedServices): Promise<Finding[]> {
  // Loaded here, because the other commands need none of it.
  const { ConfigError } = await import('../../foundation/config/environment.js');
  const { loadConfig } = await import('../../foundation/config/load-config.js');
  const { hasEmbeddedPostgres } = await import('../../process/embedded/index.js');
  let config: Config;
  try {
    config = loadConfig(undefined, (env, { deprecations }) => services.readSettings(env, deprecations));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((finding) => wrong('settings', finding));
  }
  const isThere = config.database.url !== undefined || hasEmbeddedPostgres(config.database.dataDir);
  const ofDatabase = isThere ? await examineDatabase(services) : undefined;
  return [
    fine('settings', 'Every setting is valid.'),
    ...config.misspellings.map((finding) => note('settings', finding)),
    ...services.extensions.map((extension) => fine('extension', describeExtension(extension))),
    ...services.deprecated.map((finding) => note('extension', finding)),
    ...(ofDatabase?.isReached === true ? await examineParts(services) : await examinePartsAlone(services, config)),
    ...(ofDatabase?.findings ?? (await ofAbsentDatabase(config))),
  ];
}

/** The first start makes the embedded one, if it can. */
async function ofAbsentDatabase({ database }: Config): Promise<Finding[]> {
  const { checkBinaries } = await import('../../process/embedded/binaries.js');
  const { DomainError } = await import('../../foundation/error/domain-error.js');
  try {
    checkBinaries();
    return [note('database', `There is none yet: the first start makes it in ${database.dataDir}.`)];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [wrong('database', error.message)];
  }
}

/**
 * The parts as they are made in the service. Nothing can write: what an extension does while it is made must not count.
 */
async function examineParts(services: ExtendedServices): Promise<Finding[]> {
  return ofParts(() =>
    onDatabase(
      async (context) => services.findingsOf(context),
      {},
      {
        read: (env) => services.readSettings(env),
        assemble: (config, connection) => services.make(config, connection, { keepsSchema: true, readsOnly: true }),
      },
    ),
  );
}

/** Like `examineParts`, where there is no database. */
async function examinePartsAlone(services: ExtendedServices, config: Config): Promise<Finding[]> {
  const { ConnectionSettings } = await import('../../foundation/database/connection-settings.js');
  const { Secret } = await import('../../foundation/config/secret.js');
  const { randomToken } = await import('../../foundation/crypto/random.js');
  // A key of the moment: without one, a file would be written.
  const secrets = { ...config.secrets, masterKey: config.secrets.masterKey ?? new Secret(randomToken(32)) };
  const quiet: Config = { ...config, secrets, log: { level: 'error', format: 'json' } };
  return ofParts(async () => {
    const context = await services.make(quiet, new ConnectionSettings({}, 'none'), { isAbsent: true });
    try {
      return services.findingsOf(context);
    } finally {
      await context.close();
    }
  });
}

async function ofParts(find: () => Promise<PartFindings>): Promise<Finding[]> {
  try {
    const { mistakes, warnings } = await find();
    return [
      ...mistakes.map((finding) => wrong('extension', finding)),
      ...warnings.map((finding) => note('extension', finding)),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [wrong('extension', `The extensions cannot be made: ${why}`)];
  }
}

/** Examines what the next start changes in the database, and what it misses there. */
async function examineDatabase({
  extensions,
}: ExtendedServices): Promise<{ readonly isReached: boolean; readonly findings: readonly Finding[] }> {
  const { pendingChanges } = await import('./pending-changes.js');
  try {
    const findings = await onDatabase(async (context) => pendingChanges(context, extensions), { readsOnly: true });
    return { isReached: true, findings };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { isReached: false, findings: [wrong('database', error.message)] };
  }
}
