import { type Json, textIn } from '../json.js';
import { madeId } from '../made-id.js';
import type { Report } from '../report.js';
import { objectsOf } from '../source-file.js';
import { SourceObject } from '../source-object.js';

/** A user of a file, and the id that the account gets here. */
export interface FileUser {
  readonly userId: string;
  /** Whether the file gives the id; otherwise it is made of the address. */
  readonly isIdGiven: boolean;
  readonly source: SourceObject;
}

const DATABASE = 'auth0';

/** The users of the files, each with an id that is the same whenever the same files are read. */
export async function* usersOf(files: readonly string[], orgId: string, report: Report): AsyncGenerator<FileUser> {
  const made = new Set<string>();
  for (const file of files) {
    for await (const user of objectsOf(file)) {
      const given = textIn(user, 'user_id');
      const known = nameIn(user);
      const userId = given === '' ? madeId(DATABASE, orgId, known) : fullId(given);
      if (given === '' && known === '')
        report.lose('Entries without a user id, an e-mail address or a user name: left out', file);
      else if (made.has(userId))
        report.lose('Entries without a user id that have the e-mail address of another entry: left out', known);
      else {
        if (given === '') {
          made.add(userId);
          report.note(
            "Users without an id, as in files for Auth0's own import: the id is derived from the e-mail address, and is the same each time",
            known,
          );
        }
        const source = new SourceObject(user, { what: 'User', name: userId });
        source.ignore('user_id');
        yield { userId, isIdGiven: given !== '', source };
      }
    }
  }
}

/** Identifies a user in a file for Auth0's own import, where ids are optional. */
function nameIn(user: Json): string {
  return textIn(user, 'email') || textIn(user, 'username') || textIn(user, 'phone_number');
}

/** Files for Auth0's own import omit the kind of connection, which Auth0 puts before the id. */
function fullId(id: string): string {
  return id.includes('|') ? id : `${DATABASE}|${id}`;
}
