// Takes what a service sends to a collector of OpenTelemetry, and keeps nothing.
import { createServer } from 'node:http';

createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('Ready'));
