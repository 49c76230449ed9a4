// Loaded into a process of the service: each worker listens by itself, and the kernel spreads the connections.
import cluster from 'node:cluster';
import { Server } from 'node:net';

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  Server.prototype.listen = function listenByItself(port, host, ...rest) {
    return listen.call(this, { port: Number(port), host, exclusive: true, reusePort: true }, ...rest);
  };
}
