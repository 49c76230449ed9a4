import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

type Answer = (response: ServerResponse) => void;

/** A server that answers as the network and proxies do on bad days, in the order that a test says; then with `{}`. */
export class ScriptedServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  private readonly answers: Answer[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<ScriptedServer> {
    const one = new ScriptedServer();
    await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    return one;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  next(...answers: readonly Answer[]): void {
    this.answers.push(...answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    this.asked.push({ method, url, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() });
    const next = this.answers.shift() ?? refusing(200, {});
    next(response);
  }
}

export function refusing(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: object | string = {},
): Answer {
  const isText = typeof body === 'string';
  return (response) =>
    response
      .writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
}

/** As the service refuses what comes too often, or while it cannot serve. */
export function busy(status: 429 | 503, headers: Readonly<Record<string, string>> = {}, id = 'service.busy'): Answer {
  const details = [{ '@type': 'type.googleapis.com/service.v1.ErrorDetail', id, message: 'Later.' }];
  return refusing(status, headers, { code: 14, message: `Later. (${id})`, details });
}

export const cutOff: Answer = (response) => void response.destroy();
export const silent: Answer = () => undefined;
