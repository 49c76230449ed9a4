import { once } from 'node:events';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { inDatabase } from '../database.mjs';
import { Api } from '../traffic.mjs';
import { fillSource, MASTER_KEY } from './source.mjs';
import { Cost } from './steps.mjs';

const GATEHOUSE = new URL('../../../scripts/gatehouse.mjs', import.meta.url).pathname;
/** Of the converter: something important was left out, here the manager of the instance. */
const LEFT_OUT = 3;
/** For passwords of the source, whose usual cost of bcrypt is 14. */
const IMPORTED_HASH_MS = '1000';
const SCHEMAS = ['projections', 'eventstore', 'system'];

/** Steps 1 to 4 of the procedure. */
export class Move {
  constructor(machine, databaseUrl, origin, people) {
    Object.assign(this, { machine, databaseUrl, origin, people });
    this.sourceUrl = databaseUrl.replace(/gatehouse$/, 'source');
    this.document = join(machine.folder, 'document.json.gz');
  }

  async fill() {
    this.known = await fillSource(this.sourceUrl, this.people);
    await inDatabase(this.sourceUrl, 'CREATE ROLE reader LOGIN');
    await inDatabase(this.sourceUrl, `GRANT USAGE ON SCHEMA ${SCHEMAS.join(', ')} TO reader`);
    await inDatabase(this.sourceUrl, `GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMAS.join(', ')} TO reader`);
    return `${this.people} people in ${this.known.orgs} organizations`;
  }

  async convert() {
    const report = join(this.machine.folder, 'report.json');
    const { code, text, cost } = await this.gatehouse('convert', 'zitadel', [
      ['--database-file', this.secret('database', this.sourceUrl.replace('gatehouse@', 'reader@'))],
      ['--masterkey-file', this.secret('masterkey', MASTER_KEY)],
      ['--imported-hash-ms', IMPORTED_HASH_MS],
      ['--output', this.document],
      ['--report', report],
    ]);
    if (code !== LEFT_OUT) throw new Error(`exit code ${code}: ${text}`);
    const lost = JSON.parse(readFileSync(report, 'utf8')).notCarried.filter(({ important }) => important);
    if (lost.length !== 1 || lost[0].examples.join() !== `${this.known.service.userName} IAM_OWNER_VIEWER`)
      throw new Error(JSON.stringify(lost));
    const bytes = await unpackedBytes(this.document);
    return `${cost}; ${mb(statSync(this.document).size)} MB compressed, ${mb(bytes)} MB of JSON; left out: ${lost[0].kind}`;
  }

  async start(port) {
    this.service = await this.machine.startService(port, {
      DATABASE_URL: this.databaseUrl,
      PUBLIC_URL: this.origin,
      URN_WORD: 'zitadel',
      FIRST_ADMIN_USERNAME: 'gatehouse-admin',
      FIRST_ORG_NAME: 'Gatehouse',
      IMPORTED_HASH_MS,
    });
    return this.origin;
  }

  async import() {
    const ofService = new Cost(this.service.child);
    const token = this.secret('admin.pat', this.service.token);
    const { code, text, cost } = await this.gatehouse('import', this.document, [
      ['--url', this.origin],
      ['--token-file', token],
    ]);
    if (code !== 0) throw new Error(`exit code ${code}: ${text}`);
    return `the service ${ofService.look()}, the command ${cost}`;
  }

  /** Counted in both databases: people, with what they sign in by. */
  async compare() {
    const [source] = await inDatabase(
      this.sourceUrl,
      `SELECT (SELECT count(*) FROM projections.users14 WHERE type = 1) AS people,
              (SELECT count(*) FROM eventstore.events2 WHERE payload ? 'encodedHash') AS passwords,
              (SELECT count(*) FROM eventstore.events2 WHERE event_type LIKE '%passwordless.token.verified') AS passkeys,
              (SELECT count(*) FROM eventstore.events2 WHERE event_type LIKE '%otp.verified') AS apps,
              (SELECT count(*) FROM projections.user_grants5) AS grants`,
    );
    const [target] = await inDatabase(
      this.databaseUrl,
      `SELECT (SELECT count(*) FROM user_account WHERE kind = 'human' AND user_name <> 'gatehouse-admin') AS people,
              (SELECT count(*) FROM user_account WHERE password_hash LIKE '$2%') AS passwords,
              (SELECT count(*) FROM auth_key) AS passkeys,
              (SELECT count(*) FROM auth_factor WHERE kind = 'otp') AS apps,
              (SELECT count(*) FROM user_grant) AS grants`,
    );
    const [before, after] = [source, target].map((counts) => JSON.stringify(counts));
    if (before !== after) throw new Error(`${before} became ${after}`);
    return after;
  }

  /** What the report asks for: a document makes nobody a manager of the instance. */
  async grantByHand() {
    const api = new Api({ origin: this.origin, token: this.service.token });
    await api.call('POST', '/admin/v1/members', { userId: this.known.service.id, roles: ['IAM_OWNER_VIEWER'] });
    return 'the service user reads the instance again';
  }

  /** As a member of that organization alone sees them: people and the service user. */
  async usersOfFirstOrg() {
    const sql = `SELECT count(*)::int AS count FROM projections.users14 WHERE resource_owner = '${this.known.org}'`;
    const [{ count }] = await inDatabase(this.sourceUrl, sql);
    return count;
  }

  secret(name, text) {
    const file = join(this.machine.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  /** The command, in a process of its own. */
  async gatehouse(command, what, settings) {
    const args = [GATEHOUSE, command, what, ...settings.flat(), ...(command === 'import' ? ['--quiet'] : [])];
    const run = this.machine.start(process.execPath, args, { asOurselves: true });
    const cost = new Cost(run.child);
    const [code] = await once(run.child, 'exit');
    return { code, text: run.text, cost };
  }
}

async function unpackedBytes(file) {
  let bytes = 0;
  for await (const chunk of createReadStream(file).pipe(createGunzip())) bytes += chunk.length;
  return bytes;
}

function mb(bytes) {
  return (bytes / 1_000_000).toFixed(1);
}
