/** Whether this process says of itself that it is in production, where nothing of tests may run. */
export function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}

/** What a runner of tests has set for its own processes: loaders, coverage. */
const OF_RUNNERS = ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'NODE_PATH', 'NODE_CHANNEL_FD', 'NODE_UNIQUE_ID'];

/** The environment of this process, for one that is no part of its tests. */
export function environmentOfServer(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_RUNNERS.includes(name)));
}
