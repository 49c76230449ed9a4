import type { ParseArgsOptionsConfig } from 'node:util';
import { isPostgresUrl } from '../foundation/config/postgres-url.js';
import type { PeopleSettings } from '../migration/convert/people-settings.js';
import type { Report } from '../migration/convert/report.js';
import type { Arguments } from './command/arguments.js';
import { usage } from './command/command-error.js';
import { readText } from './connection.js';

export const ZITADEL_OPTIONS = {
  database: { type: 'string' },
  'database-file': { type: 'string' },
  masterkey: { type: 'string' },
  'masterkey-file': { type: 'string' },
  instance: { type: 'string' },
  org: { type: 'string', multiple: true },
  provider: { type: 'string', multiple: true },
  'target-extensions': { type: 'string', multiple: true },
  'instance-policies': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export const ZITADEL_HELP = `
  zitadel: its database, of version 2.71, 3 or 4, which is only read
  --database URL        postgres://USER@HOST:PORT/DATABASE of a role that may read; its password
                        from PGPASSWORD, or from ~/.pgpass
  --database-file FILE  a file that contains the address, with or without the password
  --masterkey-file FILE the file with its master key, which seals seeds of one-time codes and the
                        secrets of providers; without it they are left out. --masterkey KEY: the
                        key itself, which other users of the machine can see
  --org ID              an organization to convert; may be repeated; default: all
  --instance ID         the instance, if the database has several
  --provider OLD=NEW    an identity provider that was set up at the target, to which links lead;
                        may be repeated
  --target-extensions NAME,…
                        the extensions of the target, of those that providers and SAML
                        applications need: social, ldap, saml
  --instance-policies leave-out
                        policies and texts of the instance are left out; by default, they are
                        written to each organization that has none of its own
  --rp-id DOMAIN        the domain of passkeys that do not name theirs; default: the primary
                        domain of the instance
`;

/** A name as extensions have them. */
const EXTENSION = /^[a-z][a-z0-9]*$/;

/** What is read alike for other sources. */
interface Shared {
  /** Reads an option of the form OLD=NEW. */
  readonly pairsOf: (option: string, form: string) => ReadonlyMap<string, string>;
  readonly rpId: string | undefined;
}

export async function fromZitadel(
  given: Arguments,
  { pairsOf, rpId = '' }: Shared,
  people: PeopleSettings,
  report: Report,
): Promise<AsyncGenerator<string>> {
  const policies = given.text('instance-policies');
  if (policies !== undefined && policies !== 'leave-out')
    throw usage(`--instance-policies is "${policies}". Give leave-out, or leave it out.`);
  const extensions = given.texts('target-extensions').flatMap((names) => names.split(','));
  const wrong = extensions.find((name) => !EXTENSION.test(name));
  if (wrong !== undefined) throw usage(`--target-extensions has "${wrong}". Give names such as social,ldap,saml.`);
  const databaseUrl = databaseOf(given);
  const masterKey = masterKeyOf(given);
  const providers = pairsOf('provider', 'OLD=NEW, such as 301955599023472641=311955599023472642');
  const { convertZitadel } = await import('../migration/convert/zitadel/zitadel.js');
  return convertZitadel(
    {
      databaseUrl,
      masterKey,
      instanceId: given.text('instance') ?? '',
      orgIds: given.texts('org'),
      rpId,
      providers,
      extensions,
      inherits: policies === undefined,
      people,
    },
    report,
  );
}

/** Never shown, since it may contain a password. */
function databaseOf(given: Arguments): string {
  const path = given.text('database-file');
  const url = given.text('database') ?? (path === undefined ? undefined : readText(path).trim());
  if (url === undefined) throw usage('Give the database with --database or --database-file.');
  if (!isPostgresUrl(url))
    throw usage('The address of the database is not valid. Give postgres://USER@HOST:PORT/DATABASE.');
  return url;
}

function masterKeyOf(given: Arguments): string | undefined {
  const path = given.text('masterkey-file');
  return given.text('masterkey') ?? (path === undefined ? undefined : readText(path).replace(/\r?\n$/, ''));
}
