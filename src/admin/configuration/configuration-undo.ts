import type { Json } from '../kit/inner-calls.js';
import { isJson, isSame } from './values.js';

/** Where an image was, which is gone once another one has taken its place. */
const ASSET = 'asset:';

/**
 * The configuration that leads from one state back to an earlier one, with all that has followed from a change: what
 * was not there is taken away, what is gone is said whole. Images are not brought back.
 */
export function undoOf(before: Json, after: Json): Json {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [was, is] = [own(before, name), own(after, name)];
      if (isSame(was, is) || isImage(was)) return [];
      if (!isJson(was) || !isJson(is)) return [[name, was === undefined ? null : withoutImages(was)] as const];
      const inner = undoOf(was, is);
      return Object.keys(inner).length > 0 ? [[name, inner] as const] : [];
    }),
  );
}

function own(from: Json, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function isImage(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(ASSET);
}

function withoutImages(value: unknown): unknown {
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([, one]) => !isImage(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutImages(one)]));
}
