import type { VNode } from 'preact';

/** Names of facts with their values, which nobody but the reader knows the direction of; those without are left out. */
export function Facts({
  facts,
}: {
  readonly facts: ReadonlyArray<readonly [name: string, value: string | undefined]>;
}): VNode {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
