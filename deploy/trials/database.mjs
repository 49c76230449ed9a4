import pg from 'pg';

/** The statement in a session of its own. @returns its rows */
export async function inDatabase(connectionString, sql) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const result = await client.query(sql);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** The same server's database `postgres`, from which others are created. */
export function maintenanceUrl(url) {
  return url.replace(/gatehouse$/, 'postgres');
}
