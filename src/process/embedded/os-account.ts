import { existsSync, lstatSync, readFileSync } from 'node:fs';

/** The account that runs the server when root starts it: PostgreSQL refuses to run as root. */
export interface OsAccount {
  readonly uid: number;
  readonly gid: number;
}

const ACCOUNTS = '/etc/passwd';
/** The account where none is called `postgres`: nobody, by its traditional number. */
const NOBODY: OsAccount = { uid: 65534, gid: 65534 };

/**
 * Undefined if no change is needed, since this process is not root.
 * @param folder the database's; its owner is kept
 */
export function serverAccount(folder: string): OsAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = lstatSync(folder, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const accounts = existsSync(ACCOUNTS) ? readFileSync(ACCOUNTS, 'utf8') : '';
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? [];
  return uid === undefined ? NOBODY : { uid: Number(uid), gid: Number(gid) };
}
