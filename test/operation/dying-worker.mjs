import cluster from 'node:cluster';

// Loaded before the service: a worker ends as soon as it takes requests, as a defect would make it.
if (cluster.isWorker) {
  const send = process.send.bind(process);
  process.send = (report, ...rest) => {
    if (report?.kind === 'serving') setTimeout(() => process.exit(7), 50);
    return send(report, ...rest);
  };
}
