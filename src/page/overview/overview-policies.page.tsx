import type { VNode } from 'preact';
import { type PageTexts, piecesOf } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Badge, Block } from './block.js';
import { amount } from './day.js';
import type { OverviewPoliciesProps, PolicyBlock, SettingValue } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';

/** The rules that apply to an organization, or to all without rules of their own. */
export function OverviewPoliciesPage({ context, texts, frame, policies }: InPage<OverviewPoliciesProps>): VNode {
  const words = texts.overviewPolicies;
  const isOfOrg = frame.place.name !== undefined;
  return (
    <OverviewLayout
      context={context}
      texts={texts}
      frame={frame}
      section="policies"
      lead={isOfOrg ? words.what : undefined}
    >
      {policies.map(({ kind, isOwn, settings, docs }) => (
        <Block title={words.kinds[kind]} texts={texts} docs={docs}>
          {isOfOrg && (
            <p>
              <Badge>{isOwn ? words.own : words.asInstance}</Badge>
            </p>
          )}
          <dl class="panel settings">
            {settings.map((setting) => (
              <Setting context={context} texts={texts} setting={setting} />
            ))}
          </dl>
        </Block>
      ))}
    </OverviewLayout>
  );
}

function Setting({
  context,
  texts,
  setting: { name, value, instanceValue },
}: InPage<{ readonly setting: PolicyBlock['settings'][number] }>): VNode {
  const shown = (of: SettingValue) => inWords(of, texts, (count) => amount(context, count));
  return (
    <div class={instanceValue === undefined ? undefined : 'is-other'}>
      <dt>
        <code translate={false} lang="en" dir="ltr">
          {name}
        </code>
      </dt>
      <dd>
        <bdi>{shown(value)}</bdi>
        {instanceValue !== undefined && (
          <span class="hint">
            {piecesOf(texts.overviewPolicies.there).map((piece, index) =>
              index % 2 === 0 ? piece : <bdi>{shown(instanceValue)}</bdi>,
            )}
          </span>
        )}
      </dd>
    </div>
  );
}

function inWords(value: SettingValue, texts: PageTexts, counted: (count: number) => string): string {
  const words = texts.overviewPolicies;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return counted(value);
  return value === '' ? words.empty : value;
}
