import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The account that runs the server when root starts it: PostgreSQL refuses to run as root. */
export interface OsAccount {
  readonly uid: number;
  readonly gid: number;
}

/** If /etc/passwd does not say: the traditional number of `nobody`. */
const NOBODY: OsAccount = { uid: 65534, gid: 65534 };

/**
 * Undefined if no change is needed, since this process is not root.
 * @param folder the database's; its owner is kept
 */
export function serverAccount(folder: string): OsAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = lstatSync(folder, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const accounts = readAccounts();
  return accounts.get('postgres') ?? accounts.get('nobody') ?? NOBODY;
}

function readAccounts(): Map<string, OsAccount> {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const fields = lines.map((line) => line.split(':')).filter((field) => field.length >= 4);
    return new Map(fields.map(([name, , uid, gid]) => [name!, { uid: Number(uid), gid: Number(gid) }]));
  } catch {
    return new Map();
  }
}

/** Whether the account may read this path and traverse all its parents, by owner, group and others. */
export function mayReach(account: OsAccount, path: string): boolean {
  const READ = 4;
  const PASS = 1;
  const needed = statSync(path).isDirectory() ? READ + PASS : READ;
  return (
    mayAll(account, statSync(path), needed) &&
    ancestors(path).every((folder) => mayAll(account, statSync(folder), PASS))
  );
}

function ancestors(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestors(above)];
}

function mayAll(account: OsAccount, entry: Stats, bits: number): boolean {
  const shift = entry.uid === account.uid ? 6 : entry.gid === account.gid ? 3 : 0;
  return ((entry.mode >> shift) & bits) === bits;
}
