import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Block } from './block.js';
import { ChangeList } from './change-list.js';
import { amount } from './day.js';
import { DayChart } from './day-chart.js';
import type { OverviewHomeProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';
import { Search } from './search.js';

/** What goes on: who signs in, what was changed, and what somebody should look at. */
export function OverviewHomePage({ context, texts, frame, ...props }: InPage<OverviewHomeProps>): VNode {
  const words = texts.overviewHome;
  const { search, days, changes, concerns } = props;
  return (
    <OverviewLayout context={context} texts={texts} frame={frame} section="home">
      {search !== undefined && (
        <Search search={search} texts={texts} label={words.find} hint={texts.overviewPeople.label} />
      )}
      {concerns !== undefined && (
        <Block title={words.attention} texts={texts}>
          {concerns.length === 0 ? (
            <p class="hint">{words.nothing}</p>
          ) : (
            <div class="notice notice-info">
              <ul>
                {concerns.map(({ what, count, href }) => (
                  <li>
                    <a href={href}>{fill(words.concerns[what], { count: amount(context, count) })}</a>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Block>
      )}
      {days !== undefined && (
        <Block title={words.signIns} texts={texts}>
          <DayChart context={context} texts={texts} days={days} />
        </Block>
      )}
      {changes !== undefined && (
        <Block title={words.changes} texts={texts} docs={changes.docs}>
          <ChangeList context={context} texts={texts} frame={frame} lines={changes.lines} />
        </Block>
      )}
    </OverviewLayout>
  );
}
