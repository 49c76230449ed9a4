const DATA_SOURCE = new URL('../../dist/foundation/database/data-source.js', import.meta.url).href;
const SETTINGS = new URL('../../dist/foundation/database/connection-settings.js', import.meta.url).href;

/**
 * What our service gives its pool of `pg` beside the address: how many connections, how they are kept, and the parameters of
 * their sessions. `options` among them are those of the planner. Asked of the build, so that they cannot drift apart.
 * @returns {Promise<{ max: number, options: string } & import('pg').PoolConfig>}
 */
export async function ourPool() {
  const [{ dataSourceOptions }, { ConnectionSettings }] = await Promise.all([import(DATA_SOURCE), import(SETTINGS)]);
  return dataSourceOptions(new ConnectionSettings({}, 'the benchmark')).extra;
}
