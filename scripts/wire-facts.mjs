/*
 * Writes test/contract/wire-facts.json: what clients of the original know of the operations that both services have. Not part of the build; to
 * be run again when an operation of the original is added here, or when the original has changed.
 *
 *   node scripts/wire-facts.mjs original.binpb theirword=service
 *
 * The first argument is a FileDescriptorSet of the original's published .proto files with their imports, as `buf build --as-file-descriptor-set`
 * or `protoc --include_imports --descriptor_set_out` writes it. Each further one is a name of the original and the word that stands for it here.
 * The facts are those of an operation that both have, and of the messages and enumerations that are reached from it through fields that both
 * have. `npm run proto` comes first: what both have is read from proto/.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary, getOption, ScalarType } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const [originalPath, ...replacements] = process.argv.slice(2);
if (originalPath === undefined || replacements.length === 0) {
  console.error('Usage: node scripts/wire-facts.mjs original.binpb <name of the original>=<word here> …');
  process.exit(1);
}
const words = replacements.map((one) => one.split('='));
const [theirWord, ourWord] = words[0];

const original = registryOf(readFileSync(originalPath));
const ours = registryOf(compileOurs());
const facts = { rpcs: {}, messages: {}, enums: {} };
const seen = new Set();

for (const service of ours) {
  if (service.kind !== 'service' || !service.typeName.startsWith(`${ourWord}.`)) continue;
  const name = typeName(service); // `admin.v1.AdminService`
  const [area] = name.split('.');
  const theirs = new Map(
    (original.getService(`${theirWord}.${name}`)?.methods ?? []).map((method) => [neutral(method.name), method]),
  );
  for (const method of service.methods) {
    const twin = theirs.get(method.name);
    if (!twin) continue;
    if (twin.methodKind !== 'unary') throw new Error(`${twin.name} streams.`);
    facts.rpcs[`${area}.${method.name}`] = [typeName(twin.input), typeName(twin.output), ...routeOf(twin, name)].join(
      ' ',
    );
    gather(twin.input, method.input);
    gather(twin.output, method.output);
  }
}
writeFileSync(fileURLToPath(new URL('../test/contract/wire-facts.json', import.meta.url)), toText());

/** A message that both have, under whatever names, and what is reached from it. */
function gather(theirs, twin) {
  const pair = `${theirs.typeName} ${twin.typeName}`;
  if (seen.has(pair) || theirs.typeName.startsWith('google.')) return;
  seen.add(pair);
  facts.messages[typeName(theirs)] = theirs.fields.map(fieldFact).join('; ');
  const byNumber = new Map(twin.fields.map((field) => [field.number, field]));
  for (const field of theirs.fields) {
    const other = byNumber.get(field.number);
    if (field.enum && other?.enum)
      facts.enums[typeName(field.enum)] = field.enum.values
        .map(({ number, name }) => `${number} ${neutral(name)}`)
        .join('; ');
    if (field.message && other?.message) gather(field.message, other.message);
  }
}

/** `3 roles string[]`, `5 until google.protobuf.Timestamp in filter`, `1 nick_name string optional` */
function fieldFact(field) {
  const type = field.message ?? field.enum;
  const kind = type ? typeName(type) : ScalarType[field.scalar].toLowerCase();
  const many = field.fieldKind === 'list' ? '[]' : '';
  const presence = field.proto.proto3Optional ? ' optional' : field.oneof ? ` in ${field.oneof.name}` : '';
  return `${field.number} ${neutral(field.name)} ${kind}${many}${presence}`;
}

/**
 * Where the same operation is in JSON, in the first generation with the prefix that the original's gateway puts before
 * it; nothing if it is in none.
 */
function routeOf(method, service) {
  const http = original.getExtension('google.api.http');
  const { pattern } = getOption(method, http);
  const [area, version] = service.split('.');
  const prefix = version === 'v1' ? `/${area}/v1` : '';
  return pattern?.value ? [pattern.case.toUpperCase(), neutral(`${prefix}${pattern.value}`)] : [];
}

function typeName({ typeName: name }) {
  return neutral(name).replace(new RegExp(`^${ourWord}\\.`), '');
}

/** In the spelling of each place: `service.v1`, `ListMyServicePermissions`, `SERVICE_…`. */
function neutral(text) {
  const spellings = [
    (word) => word,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
    (word) => word.toUpperCase(),
  ];
  return words.reduce(
    (so, [from, to]) => spellings.reduce((all, spell) => all.replaceAll(spell(from), spell(to)), so),
    text,
  );
}

function registryOf(bytes) {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

function compileOurs() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proto-'));
  const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
  try {
    const image = join(folder, 'image.binpb');
    const values = [
      path('node_modules/@bufbuild/buf/bin/buf'),
      'build',
      path('proto'),
      '--as-file-descriptor-set',
      '--output',
      image,
    ];
    execFileSync(process.execPath, values, { env: { ...process.env, BUF_CACHE_DIR: folder } });
    return readFileSync(image);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One fact a line, in the order of their names, so that a change can be read. */
function toText() {
  const sections = Object.entries(facts).map(([name, table]) => {
    const lines = Object.keys(table)
      .sort()
      .map((key) => `    ${JSON.stringify(key)}: ${JSON.stringify(table[key])}`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}
