import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { parse } from 'node-html-parser';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let world: World;

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'http://localhost:3000' });
});
afterAll(() => world.close());

describe('The document of the API, as a whole', () => {
  it('is the same as YAML at /docs-yaml', async () => {
    const reply = await send(world.origin, { path: '/docs-yaml' });
    expect(reply.header('content-type')).toBe('text/yaml; charset=utf-8');
    const shown = (await send(world.origin, { path: '/docs-json' })).json();
    expect(JSON.stringify(load(reply.text)) === JSON.stringify(shown)).toBe(true);
  });

  it('speaks of the public URL and the word of this instance', async () => {
    const other = await startWorld({ publicUrl: 'https://id.test', env: { URN_WORD: 'acme' } });
    const { text } = await send(other.origin, { path: '/docs-json' });
    expect((JSON.parse(text) as { servers: unknown }).servers).toEqual([{ url: 'https://id.test' }]);
    expect(text).toContain('urn:acme:iam:org:project:id:acme:aud');
    expect(text).toContain('type.googleapis.com/acme.v1.ErrorDetail');
    expect(text).not.toMatch(/localhost:3000|urn:service:|service\.v1/);
    await other.close();
  });

  it('has a page to read, without scripts, with every operation and object, whose links lead somewhere', async () => {
    const document = (await send(world.origin, { path: '/docs-json' })).json<Document>();
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const reply = await send(world.origin, { path: '/docs/reference' });
    expect([reply.status, reply.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.header('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
    const page = parse(reply.text);
    expect(page.querySelectorAll('script, style')).toEqual([]);
    const ids = page.querySelectorAll('[id]').map(({ id }) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    const shown = operations.filter((operation) => !('x-former-name' in operation));
    expect(ids).toEqual(expect.arrayContaining(shown.map(({ operationId }) => operationId)));
    expect(ids).toEqual(
      expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `object-${name}`)),
    );
    const targets = page.querySelectorAll('a[href^="#"]').map((link) => link.getAttribute('href')!.slice(1));
    expect([...new Set(targets)].filter((target) => !ids.includes(target))).toEqual([]);
    const styles = page.querySelector('link[rel="stylesheet"]')!.getAttribute('href')!;
    expect((await send(world.origin, { path: styles })).header('cache-control')).toContain('immutable');
    // As large as it is, it travels compressed.
    const coded = await send(world.origin, { path: '/docs/reference', headers: { 'accept-encoding': 'br' } });
    expect(Number(coded.header('content-length') ?? coded.text.length)).toBeLessThan(250_000);
  });
});
