import { MAX_FAULTS } from './document/faults.js';
import type { JobError } from './job/migration-job.entity.js';
import type { BulkConnection } from './part/bulk-connection.js';
import { GIVEN_DOMAIN } from './part/org.part.js';
import { type Stage, staging } from './part/stage.js';

/** The lists of an organization in the answer, in the order of the reference, and the kind of object in each. */
const LISTS: ReadonlyArray<readonly [list: string, type: string | undefined]> = [
  ['orgId', 'org'],
  ['projectIds', 'project'],
  ['projectRoles', 'project_role'],
  ['oidcAppIds', 'oidc_app'],
  ['apiAppIds', 'api_app'],
  ['humanUserIds', 'human_user'],
  ['machineUserIds', 'machine_user'],
  ['actionIds', 'action'],
  ['triggerActions', 'trigger_action'],
  ['projectGrants', 'project_grant'],
  ['userGrants', 'user_grant'],
  ['orgMembers', 'org_member'],
  ['projectMembers', 'project_member'],
  ['projectGrantMembers', 'project_grant_member'],
  ['oidcIpds', 'oidc_idp'],
  ['jwtIdps', 'jwt_idp'],
  ['idpLinks', undefined],
  ['userLinks', 'user_link'],
  ['userMetadata', 'user_metadata'],
  ['domains', 'domain'],
  ['appKeys', 'app_key'],
  ['machineKeys', 'machine_user_key'],
  ['extensionIdps', 'extension_idp'],
  ['groupIds', 'group'],
  ['groupMembers', 'group_member'],
  ['groupGrants', 'group_grant'],
  ['extensionAppIds', 'extension_app'],
  ['orgMetadata', 'org_metadata'],
];

/** Kinds that are listed together with another. */
const LISTED_WITH: Readonly<Record<string, string>> = { [GIVEN_DOMAIN]: 'domain' };
const KINDS = [
  ...LISTS.map(([, type], place) => [type, place] as const),
  ...Object.entries(LISTED_WITH).map(
    ([type, other]) => [type, LISTS.findIndex(([, listed]) => listed === other)] as const,
  ),
];
const PLACES = KINDS.flatMap(([type, place]) => (type === undefined ? [] : [`WHEN '${type}' THEN ${place}`]));
const PLACE = `CASE _type ${PLACES.join(' ')} END`;
const all = (stages: readonly Stage[]): string =>
  stages
    .map(
      (stage) =>
        `SELECT
           _org_position,
           ${PLACE} AS place,
           _done,
           _position,
           _type,
           _id,
           _path,
           _verdict,
           _reason,
           _notes
         FROM ${staging(stage)}`,
    )
    .join(' UNION ALL ');
const done = (stages: readonly Stage[]): string => `SELECT _org_position AS org, place, _done AS done
  FROM (${all(stages)}) a
  WHERE place IS NOT NULL
    AND _done IS NOT NULL
    AND (_verdict IS NULL OR _verdict = 'same')
  ORDER BY _org_position, place, _position`;
/** Reads what was left out or changed. `message` begins with the path within the entry. */
const ofLeftOut = (stages: readonly Stage[]): string => `FROM (
  SELECT
    _type AS type,
    _id AS id,
    _path AS path,
    _reason AS description,
    _reason AS message,
    _position AS n,
    0 AS part
  FROM (${all(stages)}) a WHERE _verdict IN ('left_out', 'invalid', 'conflict')
  UNION ALL
  SELECT
    _type,
    _id,
    note->>'path',
    note->>'message',
    CASE
      WHEN starts_with(note->>'path', _path || '.') THEN substr(note->>'path', length(_path) + 2) || ': '
      ELSE ''
    END || (note->>'message'),
    _position,
    part
  FROM (${all(stages)}) a, LATERAL jsonb_array_elements(_notes::jsonb) WITH ORDINALITY AS noted (note, part)
  WHERE _verdict IS NULL AND _notes IS NOT NULL
) e`;

interface Done {
  readonly org: number;
  readonly place: number;
  readonly done: string;
}

/**
 * Yields the answer of an import while reading it from the staging tables, since its lists may be long. Call within a
 * transaction.
 */
export async function* writeAnswer(
  connection: BulkConnection,
  stages: readonly Stage[],
  maxErrors: number,
): AsyncGenerator<string> {
  yield '{"success":{"orgs":[';
  let org: number | undefined;
  let place = 0;
  let isFirst = true;
  let text = '';
  const closeUntil = (wanted: number): void => {
    while (place < wanted) {
      place += 1;
      text += place === 1 ? '' : ']';
      if (place < LISTS.length) text += `,"${LISTS[place]![0]}":[`;
      isFirst = true;
    }
  };
  for await (const rows of connection.rows<Done>(done(stages))) {
    for (const row of rows) {
      if (row.org !== org) {
        if (org !== undefined) {
          closeUntil(LISTS.length);
          text += '},';
        }
        org = row.org;
        place = 0;
        // An organization that was left out while its objects were not has no row of its own.
        text += `{"orgId":${row.place === 0 ? row.done : '""'}`;
        if (row.place === 0) continue;
      }
      closeUntil(row.place);
      text += `${isFirst ? '' : ','}${row.done}`;
      isFirst = false;
    }
    yield text;
    text = '';
  }
  if (org !== undefined) {
    closeUntil(LISTS.length);
    text += '}';
  }
  yield `${text}]},"errors":[`;
  let errors = 0;
  const leftOutSql = `SELECT type, id, message ${ofLeftOut(stages)} ORDER BY n, part`;
  for await (const rows of connection.rows<{ type: string; id: string; message: string }>(leftOutSql)) {
    const named = rows.slice(0, Math.max(maxErrors - errors, 0));
    if (named.length > 0) yield `${errors === 0 ? '' : ','}${named.map((row) => JSON.stringify(row)).join(',')}`;
    errors += rows.length;
  }
  const unnamed = Math.max(errors - maxErrors, 0);
  if (unnamed > 0)
    yield `,${JSON.stringify({ type: '', id: '', message: `${unnamed} more were left out: import the same again as JSON, which names them all and changes nothing` })}`;
  yield ']}';
}

/** The entries that were left out, truncated like the list of faults, and their total. */
export async function leftOut(
  connection: BulkConnection,
  stages: readonly Stage[],
): Promise<{ readonly errors: JobError[]; readonly errorTotal: number }> {
  const [{ count } = { count: 0 }] = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count ${ofLeftOut(stages)}`,
  );
  const errors = await connection.query<JobError>(
    `SELECT path, type, id, description AS message ${ofLeftOut(stages)} ORDER BY n, part LIMIT ${MAX_FAULTS}`,
  );
  return { errors, errorTotal: count };
}
