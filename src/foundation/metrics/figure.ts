import type { Registry } from 'prom-client';

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric whose values are known elsewhere, and read when Prometheus asks. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  /** Whether each process of the service reports the same number, so that it is not added up. */
  readonly isCommon?: boolean;
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** Adds them to what Prometheus reads. What cannot be read, as without a database, is absent. */
export async function publish(figures: readonly Figure[], registry: Registry): Promise<void> {
  const { Counter, Gauge } = await import('prom-client');
  for (const { name, help, kind, labels = [], isCommon = false, read } of figures) {
    const aggregator = isCommon ? ('max' as const) : ('sum' as const);
    const options = { name, help, labelNames: [...labels], registers: [registry], aggregator };
    if (kind === 'counter') {
      const counter = new Counter({
        ...options,
        collect: async () => {
          counter.reset();
          for (const sample of await samplesOf(read)) counter.inc({ ...sample.labels }, sample.value);
        },
      });
    } else {
      const gauge = new Gauge({
        ...options,
        collect: async () => {
          gauge.reset();
          for (const sample of await samplesOf(read)) gauge.set({ ...sample.labels }, sample.value);
        },
      });
    }
  }
}

async function samplesOf(read: Figure['read']): Promise<readonly Sample[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
