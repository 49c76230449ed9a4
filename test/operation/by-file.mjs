// The service from its compiled sources, one file for each, as `nest start` loads it.
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort());
const { runService } = await import('../../dist/process/start/service.js');
await runService(stop.signal);
