import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const ANSWER_TIMEOUT_MS = 30_000;

/** How many requests this process has sent. */
export const traffic = { requests: 0 };

/** One answer: status, head as text (RFC 9112 allows latin1 at most), body as bytes. */
export class Answer {
  constructor(status, head, body) {
    this.status = status;
    this.head = head;
    this.body = body;
  }

  /** The first header of that name (lower case), or undefined. */
  header(name) {
    return this.headers(name)[0];
  }

  headers(name) {
    const found = [];
    for (const match of this.head.matchAll(new RegExp(`\\r\\n${name}:[ \\t]*([^\\r]*)`, 'gi'))) found.push(match[1]);
    return found;
  }

  text() {
    return this.body.toString('utf8');
  }

  json() {
    return JSON.parse(this.text());
  }
}

/**
 * A keep-alive HTTP/1.1 connection that costs as little as possible: the generator shares the machine with what it
 * measures, and a general client would take as much CPU as the server does. One request at a time.
 */
export class Connection {
  /** @param {URL} origin */
  constructor(origin) {
    this.origin = origin;
    this.buffered = Buffer.alloc(0);
    this.waiting = undefined;
    this.socket = undefined;
    this.opened = 0;
  }

  /** @param {string} message a whole request: head and body @returns {Promise<Answer>} */
  request(message) {
    if (this.waiting) throw new Error('one request at a time');
    if (!this.socket) this.open();
    traffic.requests += 1;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(message);
    });
  }

  open() {
    this.opened += 1;
    this.buffered = Buffer.alloc(0);
    const socket = this.dial();
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      // Idle between two measurements is no fault; silence after a request is.
      if (this.waiting) socket.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`));
    });
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.fail(new Error('the server closed the connection before it answered'));
    });
    this.socket = socket;
  }

  dial() {
    return connect({ host: '127.0.0.1', port: Number(this.origin.port), noDelay: true });
  }

  close() {
    this.socket?.destroy();
    this.socket = undefined;
  }

  fail(error) {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }

  receive(chunk) {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    const answer = this.takeAnswer();
    if (!answer) return;
    const { waiting } = this;
    this.waiting = undefined;
    if (/\r\nconnection:[ \t]*close/i.test(answer.head)) this.close();
    if (waiting) waiting.resolve(answer);
    else this.socket?.destroy(new Error('an unrequested answer'));
  }

  takeAnswer() {
    const headLength = this.buffered.indexOf(HEAD_END);
    if (headLength < 0) return undefined;
    const head = this.buffered.latin1Slice(0, headLength);
    const status = Number(head.slice(9, 12));
    const bodyStart = headLength + 4;
    const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head);
    let body;
    let end;
    if (length) {
      end = bodyStart + Number(length[1]);
      if (this.buffered.length < end) return undefined;
      body = this.buffered.subarray(bodyStart, end);
    } else if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) {
      const chunked = readChunks(this.buffered, bodyStart);
      if (!chunked) return undefined;
      ({ body, end } = chunked);
    } else if (status === 204 || status === 304) {
      end = bodyStart;
      body = Buffer.alloc(0);
    } else {
      throw new Error(`an answer without a length: ${head}`);
    }
    this.buffered = this.buffered.subarray(end);
    return new Answer(status, head, body);
  }
}

/** RFC 9112 §7.1. Undefined while the last chunk has not arrived. */
function readChunks(buffer, start) {
  const parts = [];
  let at = start;
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(buffer.latin1Slice(at, lineEnd), 16);
    const dataEnd = lineEnd + 2 + size;
    if (buffer.length < dataEnd + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: dataEnd + 2 };
    parts.push(buffer.subarray(lineEnd + 2, dataEnd));
    at = dataEnd + 2;
  }
}

/** @param {URL} origin @param {string} path @param {Record<string, string>} [headers] */
export function get(origin, path, headers = {}) {
  return `GET ${path} HTTP/1.1\r\nHost: ${origin.host}\r\n${headerLines(headers)}\r\n`;
}

/** A form post; `form` is already encoded. Bodies are ASCII, so characters are bytes. */
export function post(origin, path, form, headers = {}) {
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${origin.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${form.length}\r\n${headerLines(headers)}\r\n${form}`
  );
}

/** A post of JSON in ASCII. */
export function postJson(origin, path, value, headers = {}) {
  const body = JSON.stringify(value);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${origin.host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n${headerLines(headers)}\r\n${body}`
  );
}

function headerLines(headers) {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}
