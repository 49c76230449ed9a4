import { textIn } from '../json.js';
import type { Report } from '../report.js';
import { objectsOf } from '../source-file.js';
import { SourceObject } from '../source-object.js';

/** The hashes in the files from Auth0's support, by user id. */
export async function readPasswords(files: readonly string[], report: Report): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const file of files) {
    for await (const json of objectsOf(file)) {
      const entry = new SourceObject(json, { what: 'Password', name: textIn(json, 'email') || file });
      // A custom database, or the program that creates a user, may choose the id.
      const id = entry.text('alt_id') || idIn(entry, '_id') || idIn(entry, '_ID');
      const hash = entry.text('passwordHash') || entry.text('password_hash');
      if (id !== '' && hash !== '') hashes.set(`auth0|${id}`, hash);
      else report.lose('Entries of the password file without an id or a hash', id || entry.label.name);
    }
  }
  return hashes;
}

function idIn(entry: SourceObject, name: string): string {
  return entry.object(name).text('$oid') || entry.text(name);
}
