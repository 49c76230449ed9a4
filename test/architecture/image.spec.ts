import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';

const ROOT = new URL('../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

describe('The image', () => {
  /** In JSON: in a shell's words a shell would be process 1. */
  const wordsOf = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} .*?(\\[.*\\])$`, 'm').exec(textOf('Dockerfile'))![1]!) as string[];

  it('has an init as process 1, which takes signals before Node does, and ends with 0 when one has ended Node', () => {
    const [init, ...options] = wordsOf('ENTRYPOINT');
    expect([init, options.at(-1)]).toEqual(['tini', '--']);
    expect(options.join(' ')).toContain('-e 143 -e 130');
    expect(textOf('compose.yaml')).toMatch(/^ {2}gatehouse:\n(?: {4}.*\n)* {4}init: true\n/m);
  });

  it('starts with an extension on the page about that as it starts without one, in an image and in a composition', () => {
    const page = textOf('docs/extending/image.md');
    const [command] = page.match(/(?<=^CMD ).*$/m)!;
    const words = JSON.parse(command) as string[];
    expect(words.slice(0, 3)).toEqual([...wordsOf('CMD').slice(0, 2), 'dist/process/start/start.js']);
    expect(page).toContain(`command: [${words.join(', ')}]`);
  });

  it('has the packages of extensions, compiled, behind the links that npm makes to them, and starts without them', () => {
    const text = textOf('Dockerfile');
    const [build, final] = [/ AS build$([^]*?)^FROM/m, /^FROM \$NODE_IMAGE$([^]*)/m].map(
      (part) => part.exec(text)![1]!,
    );
    expect(build).toMatch(/^COPY packages packages$[^]*^RUN node scripts\/build\.mjs /m);
    // What npm has installed for one of them alone, and then what was compiled.
    expect(final).toMatch(
      /^COPY --from=packages \/app\/packages packages$\s^COPY --from=build \/app\/packages packages$/m,
    );
    expect(textOf('.dockerignore')).toMatch(/^!packages$/m);
    expect(text).not.toMatch(/EXTENSIONS=/);
  });

  it('has in every stage the base that a release names by its digest, and says which', () => {
    const text = textOf('Dockerfile');
    expect(text).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim$/m);
    const stages = [...text.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)].map(([, base, name]) => ({ base, name }));
    const names = stages.map(({ name }) => name);
    expect(stages.filter(({ base }) => base !== '$NODE_IMAGE' && !names.includes(base))).toEqual([]);
    expect(text).toContain('org.opencontainers.image.base.name="$NODE_IMAGE"');
    expect(textOf('CONTRIBUTING.md')).toContain('--build-arg NODE_IMAGE=$base@$digest');
  });
});

describe('The health check of the image', () => {
  const [program, ...words] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(textOf('Dockerfile'))![1]!) as [string];
  const check = async (port: number): Promise<unknown> => {
    const child = spawn(program, words, {
      cwd: fileURLToPath(ROOT),
      env: { PATH: process.env['PATH'], PORT: String(port) },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  const checkOf = async (answer: RequestListener): Promise<unknown> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await check((server.address() as AddressInfo).port);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  it('starts no Node, which takes some forty times as much processor time', () => {
    expect([program, ...words].join(' ')).not.toMatch(/node/);
  });

  it('is healthy while the service answers', async () => {
    let asked: string | undefined;
    const code = await checkOf((request, response) => {
      asked = `${request.method} ${request.url} ${request.headers.host}`;
      response.end('{}');
    });
    expect([code, asked]).toEqual([0, 'GET /health/live localhost']);
  });

  it('is unhealthy when the service refuses, says nothing, or is not there', async () => {
    expect(await checkOf((_, response) => response.writeHead(503).end())).toBe(1);
    expect(await checkOf(() => undefined)).toBe(1);
    expect(await check(await freePort())).toBe(1);
  });
});
