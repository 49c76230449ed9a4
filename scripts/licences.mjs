/*
 * Whether everything that the lock file names may be used and passed on: permissive licences, and for tools alone two
 * that bind only those who change the tool or its data. Packages that state none are read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'Zlib',
  'PostgreSQL',
]);
const OF_TOOLS = new Set(['MPL-2.0', 'CC-BY-4.0']);
/** How the texts begin or what only they say, for packages without a statement. */
const TEXTS = [
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/],
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[\s\S]*Neither the name/],
];
const root = join(import.meta.dirname, '..');

/**
 * Every package of the lock file with what it says of its licence, or what its text is.
 * @returns {Array<{ name: string, version: string, stated: string, isOfTools: boolean }>}
 */
export function licences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { license, dev, version }]) => ({
      name: path.replace(/^(?:.*\/)?node_modules\//, ''),
      version,
      stated: license ?? licenceIn(join(root, path)) ?? 'none',
      isOfTools: dev === true,
    }));
}

/** Whether a statement leaves a choice of which one is fine. */
function isFine({ stated, isOfTools }) {
  const names = stated.replace(/[()]/g, '').split(/ OR /);
  return names.some((name) =>
    name.split(' AND ').every((one) => PERMISSIVE.has(one) || (isOfTools && OF_TOOLS.has(one))),
  );
}

if (process.argv[1] === import.meta.filename) {
  const all = licences();
  const counts = new Map();
  for (const { stated } of all) counts.set(stated, (counts.get(stated) ?? 0) + 1);
  console.log(
    [...counts]
      .sort((one, other) => other[1] - one[1])
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  const refused = all.filter((one) => !isFine(one)).map(({ name, stated }) => `${name}: ${stated}`);
  if (refused.length > 0) {
    console.error(
      `Not under a permissive licence:\n  ${refused.join('\n  ')}\nUse another package, or add the licence here with the reason.`,
    );
    process.exitCode = 1;
  }
}

function licenceIn(folder) {
  if (!existsSync(folder)) return undefined; // of another platform
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return TEXTS.find(([, pattern]) => pattern.test(text))?.[0];
}
