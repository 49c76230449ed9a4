import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasJar, hasJava, hasMaven, toolOfJava } from './java.mjs';

const VERSION = '26.4.7';
/** Ignored by git, and by whatever looks through our own sources. */
const CACHE = new URL('../node_modules/.cache/keycloak/', import.meta.url).pathname;
const HOME = join(CACHE, `keycloak-${VERSION}`);
/** Written last: a folder without it was interrupted. */
const COMPLETE = join(HOME, 'complete');

export const KC = join(HOME, 'bin/kc.sh');

/** A sentence about what this machine lacks for Keycloak; undefined when it lacks nothing. */
export function whatKeycloakLacks() {
  if (!hasJava())
    return '--keycloak needs Java 17 or later: there is no such "java" in JAVA_HOME, or without that in PATH.';
  if (isBehindUnixSocket(process.env.DATABASE_URL))
    return '--keycloak needs PostgreSQL by TCP: the DATABASE_URL names a Unix socket, which Java does not know.';
  if (existsSync(COMPLETE)) return undefined;
  if (!hasMaven()) return '--keycloak fetches Keycloak by Maven: there is no "mvn" in PATH.';
  if (!hasJar()) return '--keycloak unpacks Keycloak with "jar" of a JDK: there is none beside this Java.';
  return undefined;
}

/** Fetches the distribution and builds it for PostgreSQL, once. */
export function ensureDistribution() {
  if (existsSync(COMPLETE)) return;
  process.stderr.write(`Fetching Keycloak ${VERSION} …\n`);
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
  run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${CACHE}`]);
  const zip = join(CACHE, `keycloak-quarkus-dist-${VERSION}.zip`);
  run(toolOfJava('jar'), ['xf', zip]);
  rmSync(zip);
  // What is chosen here is compiled in, so that a start has less to do.
  run('sh', [KC, 'build', '--db=postgres', '--health-enabled=false', '--metrics-enabled=false']);
  writeFileSync(COMPLETE, '');
}

/** As `postgresql:///name?host=/folder`, or with the folder encoded in place of a host. */
function isBehindUnixSocket(databaseUrl) {
  if (databaseUrl === undefined) return false;
  const { hostname } = new URL(databaseUrl);
  return hostname === '' || hostname.startsWith('%2F');
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: CACHE, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`"${command} ${args[0]}" failed: ${error?.message ?? `exit code ${status}`}`);
}
