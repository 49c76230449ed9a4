import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** An answer that is the same for everybody, serialized: header names and values alternating, and the body. */
export interface Prepared {
  readonly headers: readonly string[];
  readonly body: string;
}

/** Finds such answers by the exact target of a GET. */
export interface PreparedAnswers {
  find(target: string): Prepared | undefined;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Sends prepared answers before the application is involved, which costs a third less. Everything else goes to the
 * application, which gives the same answers.
 */
export function answerPrepared(server: Server, answers: PreparedAnswers): void {
  const [application] = server.listeners('request') as Listener[];
  if (!application) throw new Error('The application must be there before what goes ahead of it.');
  server.off('request', application);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const prepared = request.method === 'GET' ? answers.find(request.url ?? '') : undefined;
    if (!prepared) {
      application(request, response);
      return;
    }
    response.writeHead(200, prepared.headers as string[]);
    response.end(prepared.body);
  });
}
