/**
 * A module as it was compiled, by its path below `src` without an ending: what starts processes of its own is tested as
 * it ships. `built<typeof
 * import('../../src/process/embedded/index.js')>('process/embedded/index')`
 */
export async function built<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}.js`, import.meta.url).href)) as Module;
}
