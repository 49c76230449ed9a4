import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

/*
 * Layers and other archives, the same bytes for the same content: entries in the order of their names, one time, one owner, modes that
 * do not depend on who built, and compression that tells neither time nor system.
 */

/**
 * @typedef {object} Entry
 * @property {string} name without a slash at either end
 * @property {'file' | 'directory' | 'symlink' | 'link'} type
 * @property {number} [mode]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [linkname]
 * @property {Buffer | string} [content] of a file, or
 * @property {string} [path] where it is
 * @property {number} [size] of the file there
 */

/** Of the file system on which the build runs only this counts: may it be executed? */
const modeOf = (stat) => (stat.isDirectory() || stat.mode & 0o111 ? 0o755 : 0o644);

/**
 * What a folder contains, as it will be called in the archive.
 * @param {string} folder
 * @param {string} name of the folder there
 * @param {(path: string) => boolean} isWanted asked for each path below the folder, with slashes; what is refused is not entered
 * @returns {Entry[]}
 */
export function entriesOf(folder, name, isWanted = () => true) {
  const found = [];
  const enter = (path) => {
    for (const file of readdirSync(path)) {
      const at = join(path, file);
      const below = relative(folder, at).split(sep).join('/');
      if (!isWanted(below)) continue;
      const stat = lstatSync(at);
      const entry = { name: posix.join(name, below), mode: modeOf(stat) };
      if (stat.isSymbolicLink()) found.push({ ...entry, type: 'symlink', linkname: readlinkSync(at), mode: 0o777 });
      else if (stat.isDirectory()) {
        found.push({ ...entry, type: 'directory' });
        enter(at);
      } else found.push({ ...entry, type: 'file', path: at, size: stat.size });
    }
  };
  enter(folder);
  return found;
}

/** With the folders above what is named, which an unpacking program would else make with the mode that it likes. */
function withFolders(entries) {
  const all = new Map();
  for (const entry of entries) {
    for (let above = dirname(entry.name); above !== '.'; above = dirname(above))
      if (!all.has(above)) all.set(above, { name: above, type: 'directory', mode: 0o755 });
    all.set(entry.name, entry);
  }
  return [...all.values()].sort(byName);
}

/** By code units, a folder before what it contains; the target of a hard link stands before it. */
function byName(one, other) {
  const [first, second] = [one, other].map(({ type }) => (type === 'link' ? 1 : 0));
  if (first !== second) return first - second;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

/**
 * @param {Entry[]} entries in any order
 * @param {Date} date of every entry
 * @returns {Promise<Buffer>} the archive, not compressed
 */
export async function archive(entries, date) {
  const stream = pack();
  const chunks = [];
  const done = (async () => {
    for await (const chunk of stream) chunks.push(chunk);
  })();
  for (const { content, path, size, ...entry } of withFolders(entries)) {
    const header = { uid: 0, gid: 0, mode: 0o644, ...entry, mtime: date };
    if (entry.type === 'file' && content === undefined) await copy(stream, { ...header, size }, path);
    else
      await new Promise((resolve, reject) => {
        const isDone = (error) => (error ? reject(error) : resolve());
        if (entry.type === 'file') stream.entry(header, content, isDone);
        else stream.entry(header, isDone);
      });
  }
  stream.finalize();
  await done;
  return Buffer.concat(chunks);
}

function copy(stream, header, path) {
  return new Promise((resolve, reject) => {
    const entry = stream.entry(header, (error) => (error ? reject(error) : resolve()));
    createReadStream(path).on('error', reject).pipe(entry);
  });
}

/**
 * RFC 1952 without a time, and with the system unknown: the header else says on what it was compressed.
 * @param {Buffer} content
 * @returns {Promise<Buffer>}
 */
export async function compress(content) {
  const compressed = await promisify(gzip)(content, { level: 6 });
  compressed.writeUInt32LE(0, 4);
  compressed[9] = 255;
  return compressed;
}

export const sha256 = (content) => createHash('sha256').update(content).digest('hex');
