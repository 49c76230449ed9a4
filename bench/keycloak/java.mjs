import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const LEAST_JAVA = 17;

/** Whether there is a Java in which Keycloak runs. */
export function hasJava() {
  // `java -version` writes to its standard error: `openjdk version "17.0.15" …`.
  const { stderr } = spawnSync(toolOfJava('java'), ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1]) >= LEAST_JAVA;
}

/** Whether the distribution can be fetched, and unpacked. */
export function hasMaven() {
  return spawnSync('mvn', ['-version']).status === 0;
}

export function hasJar() {
  return spawnSync(toolOfJava('jar'), ['--version']).status === 0;
}

/** A program of the Java that kc.sh would take. */
export function toolOfJava(name) {
  const home = process.env.JAVA_HOME;
  return home ? join(home, 'bin', name) : name;
}
