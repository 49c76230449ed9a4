import { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { Http2Response } from './http2-messages.js';

export type NodeResponse = ServerResponse | Http2Response;

/** Header names and values. */
export type HeaderList = ReadonlyArray<readonly [string, string]>;

/** Answers in plain text, without reaching the application. Ends the connection or, for HTTP/2, the stream. */
export function answerPlainly(response: NodeResponse, status: number, text: string, headers: HeaderList): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (response instanceof ServerResponse) response.setHeader('Connection', 'close');
  response.statusCode = status;
  response.end(`${text}\n`);
}

/** Ends an answer that cannot be completed. Never throws: nothing could catch it. */
export function drop(response: NodeResponse): void {
  try {
    // RFC 9113 §5.4.2: the other streams of the connection continue.
    if (response instanceof Http2Response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else response.destroy();
  } catch {
    dropConnection(response);
  }
}

function dropConnection(response: NodeResponse): void {
  try {
    response.socket?.destroy();
  } catch {
    // The connection is already gone.
  }
}
