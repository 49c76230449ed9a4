import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { amount, Day } from './day.js';
import type { CountedDay } from './overview-facts.js';

// A day is as wide as ten units, of which its bars take eight.
const DAY = 10;
const BAR = 4;
const HEIGHT = 60;

/**
 * Sign-ins and refused ones of each day as bars, which share one scale. Who does not see the picture hears the sums,
 * and finds the numbers of the days in a table.
 */
export function DayChart({ context, texts, days }: InPage<{ readonly days: readonly CountedDay[] }>): VNode {
  const words = texts.overviewHome;
  const most = Math.max(1, ...days.flatMap(({ signIns, refused }) => [signIns, refused]));
  const sumOf = (counts: readonly number[]) =>
    amount(
      context,
      counts.reduce((sum, count) => sum + count, 0),
    );
  const succeeded = fill(words.succeededSum, { count: sumOf(days.map(({ signIns }) => signIns)) });
  const refused = fill(words.refusedSum, { count: sumOf(days.map((day) => day.refused)) });
  const bars = (counts: readonly number[], from: number) =>
    counts.map((count, index) => {
      const height = round((count / most) * HEIGHT);
      return <rect x={index * DAY + from} y={round(HEIGHT - height)} width={BAR} height={height} />;
    });
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <div class="chart">
      <ul class="chart-legend">
        <li>{succeeded}</li>
        <li class="is-bad">{refused}</li>
      </ul>
      <svg
        viewBox={`0 0 ${Math.max(1, days.length) * DAY} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${succeeded}, ${refused}`}
      >
        <g>
          {bars(
            days.map(({ signIns }) => signIns),
            1,
          )}
        </g>
        <g class="is-bad">
          {bars(
            days.map((day) => day.refused),
            1 + BAR,
          )}
        </g>
      </svg>
      {first !== undefined && last !== undefined && (
        <p class="chart-ends" aria-hidden="true">
          <Day context={context} day={first.day} />
          <Day context={context} day={last.day} />
        </p>
      )}
      <details class="more">
        <summary>{words.days}</summary>
        <table>
          <caption>{words.utc}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.succeeded}</th>
              <th scope="col">{words.refused}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr>
                <th scope="row">
                  <Day context={context} day={day.day} />
                </th>
                <td>{amount(context, day.signIns)}</td>
                <td>{amount(context, day.refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
