import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import { lineOfBadByte, problemOfBeginning, problemOfLine } from '../../foundation/config/file-encoding.js';
import { isObject, type Json } from './json.js';
import { mistakeIn } from './json-mistake.js';

/** A value in a file, with the path of names and indices that leads to it. */
export interface Found {
  readonly place: ReadonlyArray<string | number>;
  readonly value: unknown;
}

/** RFC 1952 §2.3.1 */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** The files themselves, and the JSON files in the given folders, sorted by name. */
export async function filesAt(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) found.push(path);
    else
      found.push(
        ...(await readdir(path))
          .filter((name) => /\.(json|ndjson|jsonl|csv|ya?ml)(\.gz)?$/i.test(name))
          .sort()
          .map((name) => join(path, name)),
      );
  }
  return found;
}

/**
 * Whether the file contains a list rather than one or more objects.
 * @throws Error, with what to do, if it contains no JSON at all
 */
export async function isList(path: string): Promise<boolean> {
  for await (const text of textOf(path)) {
    const start = text.trimStart();
    if (start === '') continue;
    const kind = OTHER_KINDS.find(([form]) => form.test(start));
    if (kind) throw new Error(`${path} ${kind[1]}`);
    return start.startsWith('[');
  }
  throw new Error(`${path} is empty.`);
}

const OTHER_KINDS: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(?:---\s|%YAML|#|(?:realm|apiVersion|kind|id|enabled|users)\s*:)/,
    'is YAML: convert it to JSON first (yq -o json FILE > NEW.json).',
  ],
  [/^</, 'is a page or XML, not an export.'],
  [
    /^"?[\w .-]+"?[,;\t]/,
    'is a CSV file: export the users as JSON instead (an export job with "format": "json", or the format JSON of the extension), which keeps their ids, what is verified, and their metadata.',
  ],
];

/**
 * Yields the values at the given paths one by one; nothing else of the file is kept.
 * @throws Error, with the file name and the place, if the file is not valid JSON
 */
export async function* valuesIn(path: string, paths: string[]): AsyncGenerator<Found> {
  const parser = new JSONParser({ paths, keepStack: false });
  let found: Found[] = [];
  parser.onValue = ({ value, key, parent, stack }) => {
    found.push({ place: [...stack.slice(1).map((level) => level.key!), key!], value });
    // Otherwise the parser accumulates the entries of a list that was itself asked for.
    if (Array.isArray(parent)) parent.length = 0;
  };
  let pieces = 0;
  for await (const text of textOf(path)) {
    try {
      parser.write(text);
    } catch {
      throw await notJson(path, pieces);
    }
    pieces += 1;
    yield* found;
    found = [];
  }
  if (!parser.isEnded) throw await notJson(path, pieces);
}

async function notJson(path: string, wrongPiece: number): Promise<Error> {
  return new Error(`${path} is not valid JSON at ${await mistakeIn(textOf(path), wrongPiece)}.`);
}

/** The objects of a list, or of a file with one object per line, or of a single one over several lines. */
export async function* objectsOf(path: string): AsyncGenerator<Json> {
  if (await isList(path)) {
    for await (const { value } of valuesIn(path, ['$.*'])) yield asObject(path, value);
    return;
  }
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    if (number === 1 && /^\s*\{\s*("[^"]*"\s*:\s*[[{]?\s*)?$/.test(line)) {
      for await (const { value } of valuesIn(path, ['$'])) yield asObject(path, value);
      return;
    }
    yield asObject(path, await parseLine(path, number, line));
  }
}

/** Refuses what is no object, which would otherwise be lost without a word. */
function asObject(path: string, value: unknown): Json {
  if (isObject(value)) return value;
  throw new Error(
    `${path} contains something other than objects: ${Array.isArray(value) ? 'a list' : String(value === null ? null : typeof value)}.`,
  );
}

async function parseLine(path: string, number: number, line: string): Promise<unknown> {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message would quote the line, which may contain a hash.
    throw new Error(`${path} is not valid JSON at ${await mistakeIn([line], 0, number)}.`);
  }
}

/** Splits at line feeds only: other separators may occur within strings. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textOf(path)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/**
 * The decoder strips a byte order mark.
 * @throws Error, with the file name, if it is not UTF-8, or a broken gzip file
 */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const file = createReadStream(path, { highWaterMark: 262_144 });
  let lines = 0;
  let isFirst = true;
  try {
    for await (const chunk of (await isGzip(path)) ? unzipped(file) : file) {
      const bytes = chunk as Buffer;
      const problem = isFirst ? problemOfBeginning(bytes) : undefined;
      if (problem !== undefined) throw new Error(`${path} ${problem}.`);
      isFirst = false;
      const text = decoded(decoder, bytes, () => `${path} ${problemOfLine(lines + lineOfBadByte(bytes))}.`);
      lines += text.split('\n').length - 1;
      if (text !== '') yield text;
    }
    decoded(decoder, undefined, () => `${path} ends within a character: the file is truncated.`);
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_'))
      throw new Error(`${path} starts like a gzip file, but is not valid or is truncated.`, { cause: error });
    throw error;
  } finally {
    file.destroy();
  }
}

function decoded(decoder: TextDecoder, bytes: Buffer | undefined, problem: () => string): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch (error) {
    throw new Error(problem(), { cause: error });
  }
}

function unzipped(file: Readable): Readable {
  const gunzip = createGunzip();
  return file.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(GZIP);
  } finally {
    await file.close();
  }
}
