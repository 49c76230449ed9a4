import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Filled } from '../part/filled.js';
import { Badge, Block, English, List } from './block.js';
import type { OverviewTestedProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';

/** What the test of a provider has found. */
export function OverviewTestedPage({ context, texts, frame, ...props }: InPage<OverviewTestedProps>): VNode {
  const words = texts.overviewTested;
  const { provider, isGood, parts, backHref, docs } = props;
  const title = isGood ? words.works : words.broken;
  return (
    <OverviewLayout
      context={context}
      texts={texts}
      frame={frame}
      section="applications"
      title={fill(title, { provider })}
      heading={<Filled text={title} values={{ provider }} />}
      lead={isGood ? words.worksWhat : words.brokenWhat}
    >
      <Block title={words.parts} texts={texts} docs={docs}>
        <List lines={parts} none={texts.overviewPage.none}>
          {(line) => (
            <div>
              <p class="tagged">
                <strong>
                  <English>{line.part}</English>
                </strong>
                <Badge isBad={!line.isGood}>{line.isGood ? words.good : words.bad}</Badge>
              </p>
              {line.detail !== '' && (
                <p>
                  <English>{line.detail}</English>
                </p>
              )}
            </div>
          )}
        </List>
      </Block>
      <a class="button button-quiet" href={backHref}>
        {texts.overviewPage.back}
      </a>
    </OverviewLayout>
  );
}
