import { writeDocument } from '../document-writer.js';
import { objectIn, textIn, type Json } from '../json.js';
import { Report } from '../report.js';
import { filesAt, objectsOf } from '../source-file.js';
import { humanOf, metadataOf } from './users.js';

export interface Auth0Source {
  /** Exports of users: an object on each line, or a list; or files for Auth0's own import. */
  readonly users: readonly string[];
  /** Files with the hashes, as Auth0's support sends them. */
  readonly passwords: readonly string[];
  readonly orgId: string;
  readonly orgName: string;
  /** The id of the identity provider here that a connection there is. */
  readonly connections: ReadonlyMap<string, string>;
}

/**
 * An Auth0 export as the document that an import takes: all users in one organization. Hashes are kept in memory, about 200 MB
 * for a million; the users are not.
 * @throws Error for files that cannot be read
 */
export async function* convertAuth0({ users, passwords, orgId, orgName, connections }: Auth0Source, report: Report): AsyncGenerator<string> {
  const files = await filesAt(users);
  const beside = { passwords: await readPasswords(await filesAt(passwords), report), connections, names: new Set<string>() };
  /** The second list reads the users again, of whom everything was told. */
  const told = new Report('');
  yield* writeDocument([{
    orgId, members: { org: { name: orgName } },
    lists: [
      ['humanUsers', async function* () {
        for await (const user of usersOf(files, report)) yield humanOf(user, beside, report);
        for (const userId of beside.passwords.keys()) report.note('Passwords of users that the export does not hold', userId);
      }],
      ['userMetadata', async function* () {
        for await (const user of usersOf(files, told)) yield* metadataOf(user, report);
      }],
    ],
  }], report);
}

async function* usersOf(files: readonly string[], report: Report): AsyncGenerator<Json> {
  for (const file of files) {
    for await (const user of objectsOf(file)) {
      if (textIn(user, 'user_id') !== '') yield user;
      else report.note('Entries without a user id: left out', textIn(user, 'email') || file);
    }
  }
}

async function readPasswords(files: readonly string[], report: Report): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const file of files) {
    for await (const entry of objectsOf(file)) {
      // A database of one's own, or whoever adds a user, may choose the id.
      const id = textIn(entry, 'alt_id') || textIn(objectIn(entry, '_id'), '$oid') || textIn(entry, '_id');
      const hash = textIn(entry, 'passwordHash');
      if (id !== '' && hash !== '') hashes.set(`auth0|${id}`, hash);
      else report.note('Entries of the file of passwords without an id or a hash', id || textIn(entry, 'email') || file);
    }
  }
  return hashes;
}
