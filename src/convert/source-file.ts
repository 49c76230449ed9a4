import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import { isObject, type Json } from './json.js';

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
          .filter((name) => /\.(json|ndjson|jsonl)(\.gz)?$/i.test(name))
          .sort()
          .map((name) => join(path, name)),
      );
  }
  return found;
}

/** Whether the file contains a list rather than one or more objects. */
export async function isList(path: string): Promise<boolean> {
  for await (const text of textOf(path)) {
    const first = text.trimStart()[0];
    if (first !== undefined) return first === '[';
  }
  return false;
}

/**
 * Yields the values at the given paths one by one; nothing else of the file is kept.
 * @throws Error, with the file name, if the file is not valid JSON
 */
export async function* valuesIn(path: string, paths: string[]): AsyncGenerator<Found> {
  const parser = new JSONParser({ paths, keepStack: false });
  let found: Found[] = [];
  parser.onValue = ({ value, key, parent, stack }) => {
    found.push({ place: [...stack.slice(1).map((level) => level.key!), key!], value });
    // Otherwise the parser accumulates the entries of a list that was itself asked for.
    if (Array.isArray(parent)) parent.length = 0;
  };
  try {
    for await (const text of textOf(path)) {
      parser.write(text);
      yield* found;
      found = [];
    }
    if (!parser.isEnded) throw new Error('it ends too early');
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`, {
      cause: error,
    });
  }
}

/** The objects of a list, or of a file with one object per line. */
export async function* objectsOf(path: string): AsyncGenerator<Json> {
  if (await isList(path)) {
    for await (const { value } of valuesIn(path, ['$.*'])) if (isObject(value)) yield value;
    return;
  }
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const value = parseLine(path, number, line);
    if (isObject(value)) yield value;
  }
}

function parseLine(path: string, number: number, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message would quote the line, which may contain a hash.
    throw new Error(`${path} is not valid JSON at line ${number}.`);
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

/** The decoder strips a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const file = createReadStream(path, { highWaterMark: 262_144 });
  try {
    for await (const chunk of (await isGzip(path)) ? unzipped(file) : file) {
      const text = decoder.decode(chunk as Buffer, { stream: true });
      if (text !== '') yield text;
    }
    decoder.decode();
  } finally {
    file.destroy();
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
