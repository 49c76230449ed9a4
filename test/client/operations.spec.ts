import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { AnyOperation } from '../../src/client/index.js';
import * as client from '../../src/client/index.js';

interface Described {
  readonly operationId: string;
  readonly summary: string;
}
const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
);
const functions = client as unknown as Readonly<Record<string, AnyOperation | undefined>>;
const nameOf = (id: string): string => id.charAt(0).toLowerCase() + id.slice(1);

describe('gatehouse/client', () => {
  it('has each operation of openapi.json, of both generations, by its method and path', () => {
    expect(described.length).toBeGreaterThan(700);
    const found = described.map(({ operationId }) => {
      const { method, path } = functions[nameOf(operationId)] ?? {};
      return { operationId, method, path };
    });
    expect(found).toEqual(described);
  });

  it('has nothing else but what is written by hand', () => {
    const names = new Set(described.map(({ operationId }) => nameOf(operationId)));
    expect(Object.keys(client).filter((name) => !names.has(name))).toEqual([
      ...['ConnectionError', 'GatehouseError', 'JobError', 'connect', 'each', 'isRefusal', 'operation', 'raw'],
      ...['wait', 'watch'],
    ]);
  });

  it('repeats after a lost connection nothing that changes anything', () => {
    const names = described
      .map(({ operationId }) => nameOf(operationId))
      .filter((name) => functions[name]!.traits.reads);
    expect(names.filter((name) => !/^(explain|list|plan|preview|pull|search)/.test(name))).toEqual([]);
  });
});
