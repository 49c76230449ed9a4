import { median } from './median.mjs';
import { short, table } from './table.mjs';

const HEADER = ['', '', 'a second', 'server CPU ms', 'database CPU ms', 'CPU of both, of ours', 'from round to round'];

/**
 * Our service beside another form of itself, each round by itself: what disturbs one disturbs the other. Where the range of the rounds
 * contains 100 %, there is no difference that these rounds could show.
 * @param {string} other the name of that form
 */
export function besideTable(cases, other) {
  return table(
    HEADER,
    cases.filter(({ figures }) => figures.ours?.length && figures[other]?.length).flatMap((one) => rowsOf(one, other)),
  );
}

function rowsOf({ name, figures }, other) {
  const shares = figures[other].map((figure, round) => cpuMs(figure) / cpuMs(figures.ours[round]));
  const row = (title, who, all, ...more) => [
    title,
    who,
    ...['perSecond', 'serverCpuMs', 'databaseCpuMs'].map((member) => short(median(all.map((one) => one[member])))),
    ...more,
  ];
  const range = [Math.min(...shares), Math.max(...shares)].map(percent).join(' to ');
  return [row(name, 'ours', figures.ours, '', ''), row('', other, figures[other], percent(median(shares)), range)];
}

/** Of server and database together; of the server where the database runs elsewhere. */
function cpuMs({ serverCpuMs, databaseCpuMs = 0 }) {
  return serverCpuMs + databaseCpuMs;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
