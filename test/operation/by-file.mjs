// The service without its bundle, as a program that extends it loads it.
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort());
const { runService } = await import('../../dist/process/start/service.js');
await runService(stop.signal);
