import type { Socket } from 'node:net';

/** RFC 9113 §3.4: the first bytes of an HTTP/2 client. No HTTP/1.1 request begins like that. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Reads the first bytes of a connection and puts them back. The connection is closed if they do not arrive in time. */
export function sniff(socket: Socket, limitMs: number, found: (isHttp2: boolean) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(drop, limitMs);
  socket.on('readable', look);
  socket.on('end', drop);
  socket.on('error', drop);
  socket.on('close', stop);

  function look(): void {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, PREFACE.length);
    const isLikePreface = seen.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (isLikePreface && length < PREFACE.length) return;
    stop();
    socket.unshift(seen);
    found(isLikePreface);
  }
  function stop(): void {
    clearTimeout(timer);
    socket.off('readable', look).off('end', drop).off('error', drop).off('close', stop);
  }
  function drop(): void {
    socket.destroy();
  }
}
