import { readFileSync } from 'node:fs';
import { connect as connectTo, type Gatehouse } from '../client/index.js';
import { decode, EncodingProblem } from '../foundation/config/file-encoding.js';
import { Secret } from '../foundation/config/secret.js';
import { isLoopback } from '../foundation/network/address.js';
import type { Arguments } from './command/arguments.js';
import type { Surroundings } from './command/command.js';
import { CommandError, usage } from './command/command-error.js';

/** The options of every command that calls a service. */
export const CONNECTION = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  insecure: { type: 'boolean' },
  timeout: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  json: { type: 'boolean' },
} as const;

export const CONNECTION_HELP = `
  --url URL             URL of the service, including its path if any; default: GATEHOUSE_URL, or http://localhost:3000
  --token-file FILE     file with a personal access token of a member with the role IAM_OWNER;
                        default: GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE in the environment
  --token TOKEN         the token itself; visible to all users of this machine in the process list
  --insecure            allow http to another machine: token and document are sent unencrypted
  --timeout DURATION    how long the service may take, such as 90s or 1h30m; default: 30m
  --quiet, -q           no progress
  --json                print the result as JSON`;

/** The address that is meant. */
export function addressOf(given: Arguments, { settings }: Surroundings): string {
  return given.text('url') ?? settings.url ?? 'http://localhost:3000';
}

/** @throws CommandError if the arguments and the environment are incomplete */
export function connect(given: Arguments, around: Surroundings): Gatehouse {
  const { settings } = around;
  const text = addressOf(given, around);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress =
    url !== undefined && ['http:', 'https:'].includes(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
  if (!isAddress)
    throw usage(`--url is "${text}". Give an address such as https://id.example.com, optionally with a path.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !given.flag('insecure')) {
    throw usage(
      `${url.origin} is another machine, and http is not encrypted. Give an https address, or --insecure if the connection is protected otherwise.`,
    );
  }
  const token = (tokenOf(given) ?? settings.token ?? missing()).reveal();
  // Exports and imports take long.
  return connectTo({ url, token, timeoutMs: 0 });
}

function tokenOf(given: Arguments): Secret | undefined {
  const path = given.text('token-file');
  const token = given.text('token') ?? (path === undefined ? undefined : readText(path).trim());
  if (token === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(token)) throw usage('The token is not valid: it must be one line without spaces.');
  return new Secret(token);
}

function missing(): never {
  throw usage(
    'A token is missing. Set GATEHOUSE_TOKEN to a personal access token, or name a file that contains one with --token-file.',
  );
}

/** @throws CommandError when the file cannot be read, or is not UTF-8 */
export function readText(path: string): string {
  try {
    return decode(readFile(path));
  } catch (error) {
    throw error instanceof EncodingProblem ? new CommandError(`${path} ${error.message}.`) : error;
  }
}

/** @throws CommandError when the file cannot be read */
export function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}
