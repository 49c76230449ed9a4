import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES } from './cases.mjs';
import { isBeside, NAMED } from './ours/forms.mjs';

export const HELP = `npm run bench -- [options]
  --only a,b         only these scenarios: ${CASES.map(({ name }) => name).join(', ')}
  --seconds N        how long each measurement takes (3)
  --rounds N         how often each is repeated, ours and the peer's in turn (3)
  --concurrency N    virtual clients, each with a connection of its own (16)
  --keycloak         also Keycloak, fetched once by Maven; needs Java 17. Its first round takes a minute more for each scenario
  --no-peer          without oidc-provider
  --no-ours          without our service
  --beside WHAT      our service also in another form, in turn: "extension", with one that is never asked,
                     "telemetry", which sends traces and metrics, or the folder of an earlier version of Gatehouse, built
  --profile          a CPU profile of our service: the 25 functions that take the most
  --help`;

/** @throws Error with a sentence for the reader when an option is wrong */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '16' },
      keycloak: { type: 'boolean', default: false },
      'no-peer': { type: 'boolean', default: false },
      'no-ours': { type: 'boolean', default: false },
      beside: { type: 'string' },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !CASES.some((known) => known.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`unknown scenario: ${unknown.join(', ')}\n${HELP}`);
  const beside = values.beside === undefined || NAMED.includes(values.beside) ? values.beside : resolve(values.beside);
  if (beside !== undefined && !isBeside(beside))
    throw new Error(`--beside takes ${NAMED.join(', ')}, or a folder with dist/main.js; there is none in ${beside}`);
  if (beside !== undefined && values['no-ours'])
    throw new Error('--beside compares with our service: not with --no-ours');
  return {
    help: values.help,
    cases: CASES.filter(({ name }) => !names || names.includes(name)),
    seconds: numberWithin('seconds', values.seconds, 0.5, 120),
    rounds: numberWithin('rounds', values.rounds, 1, 50),
    concurrency: numberWithin('concurrency', values.concurrency, 1, 256),
    keycloak: values.keycloak,
    peer: !values['no-peer'],
    beside,
    ours: !values['no-ours'],
    profile: values.profile,
  };
}

function numberWithin(name, text, least, most) {
  const number = Number(text);
  if (!(number >= least && number <= most)) throw new Error(`--${name} takes a number from ${least} to ${most}`);
  return number;
}
