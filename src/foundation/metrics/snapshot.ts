import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** The measurements of a process, in a form that can be sent to another one. Empty if it measures nothing. */
export type Snapshot = ReadonlyArray<MetricObjectWithValues<MetricValue<string>>>;

/** Combines the metrics of several processes as if they were one: each metric by its own rule, usually the sum. */
export async function addUp(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const registry = await registryOf(snapshots);
  return registry ? registry.getMetricsAsJSON() : [];
}

/** The sum of `addUp` as Prometheus reads it. */
export async function toText(snapshots: readonly Snapshot[]): Promise<string> {
  return (await registryOf(snapshots))?.metrics() ?? '';
}

/** The sums that must outlive a process: Prometheus takes one that decreases for a restart of the service. */
export function countersOf(snapshot: Snapshot): Snapshot {
  const kept: readonly string[] = ['counter', 'histogram'];
  return snapshot.filter(({ type }) => kept.includes(String(type)));
}

async function registryOf(snapshots: readonly Snapshot[]): Promise<Registry | undefined> {
  const filled = snapshots.filter(({ length }) => length > 0);
  if (filled.length === 0) return undefined;
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(filled.map((snapshot) => [...snapshot]));
}
