/** The kinds of objects that an export can leave out: how to name them, and the option that includes them. */
const WORDS: ReadonlyArray<{ readonly kinds: readonly string[]; readonly words: string; readonly option?: string }> = [
  {
    kinds: ['app_key', 'machine_user_key'],
    words: 'the keys of applications and service users',
    option: '--with-keys',
  },
  {
    kinds: ['password_hash', 'secret_hash', 'idp_client_secret', 'extension_secret'],
    words: 'passwords and secrets',
    option: '--with-passwords',
  },
  { kinds: ['otp_seed', 'recovery_code'], words: 'second factors', option: '--with-otp' },
  { kinds: ['passkey', 'security_key'], words: 'passkeys and security keys', option: '--with-passkeys' },
  { kinds: ['instance_policy', 'instance_idp', 'instance_member'], words: 'everything that belongs to the instance' },
  { kinds: ['webhook'], words: 'webhooks' },
  { kinds: ['personal_access_token', 'session'], words: 'personal access tokens, sessions and tokens' },
];

/**
 * The lines about what an export left out; empty if the service did not report it.
 * @param usersWithKeys how many users have passkeys or security keys that were left out
 */
export function leftOutLines(leftOut: readonly string[], usersWithKeys = 0): string {
  const met = WORDS.filter(({ kinds }) => kinds.some((kind) => leftOut.includes(kind)));
  const asked = met
    .filter(({ option }) => option !== undefined)
    .map(({ words, option }) => `  ${words} (${option!} includes them)\n`);
  const never = met.filter(({ option }) => option === undefined).map(({ words }) => words);
  const known = new Set(WORDS.flatMap(({ kinds }) => kinds));
  const others = [...never, ...leftOut.filter((kind) => !known.has(kind)).map(toWords)];
  const owners = usersWithKeys === 1 ? '1 user has' : `${usersWithKeys.toLocaleString('en')} users have`;
  const keys =
    usersWithKeys > 0 ? [`  ${owners} passkeys or security keys, and need a link to add new ones without them\n`] : [];
  const lines = [...asked, ...keys, ...(others.length === 0 ? [] : [`  always: ${others.join('; ')}\n`])];
  return lines.length === 0 ? '' : `Left out:\n${lines.join('')}`;
}

/**
 * `ext_hr`: the schema of an extension; `ext_hr.door`: a table of one of which others move. What this version of the
 * command does not know is said as it is.
 */
function toWords(kind: string): string {
  const [, extension, table] = /^ext_([a-z][a-z0-9]*)(?:\.([a-z0-9_]+))?$/.exec(kind) ?? [];
  if (extension === undefined) return kind;
  return table === undefined
    ? `the tables of the extension ${extension}`
    : `the table ${table} of the extension ${extension}`;
}

/** The limit of the list. */
const MAX_TAIL = 16_384;

/** Reads the report about what was left out from the end of a document that is passed through. */
export class DocumentEnd {
  private tail: Buffer = Buffer.alloc(0);

  look(chunk: Buffer): void {
    this.tail =
      chunk.length >= MAX_TAIL ? chunk.subarray(-MAX_TAIL) : Buffer.concat([this.tail, chunk]).subarray(-MAX_TAIL);
  }

  get usersWithKeys(): number {
    return Number(/"usersWithKeys":(\d+),"leftOut":\[[^\]]*\]\}\s*$/.exec(this.tail.toString('utf8'))?.[1] ?? 0);
  }

  get leftOut(): string[] {
    const [, list] = /"leftOut":(\[[^\]]*\])\}\s*$/.exec(this.tail.toString('utf8')) ?? [];
    return list === undefined ? [] : (JSON.parse(list) as string[]);
  }
}
