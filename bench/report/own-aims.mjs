import { percent, short, table } from './table.mjs';

/** What is wanted of cases by themselves, beside neither a peer nor another form of the service. @returns {string | undefined} */
export function ownAimsTable(cases) {
  const rows = cases.filter(({ ours }) => ours).flatMap((one) => rowsOf(one, cases));
  return rows.length === 0 ? undefined : table(['', 'measured', 'aim', ''], rows);
}

function rowsOf({ name, ours, limit, perSecondAim, limitAim, caseAim }, cases) {
  const rows = [];
  const add = (value, aim, format, unit) =>
    rows.push([name, `${format(value)} ${unit}`, `≥ ${format(aim)}`, value >= aim ? 'reached' : 'missed']);
  if (perSecondAim !== undefined) add(ours.perSecond, perSecondAim, short, 'a second');
  if (limitAim !== undefined) add(ours.shareOfLimit, limitAim, percent, `of ${limit.name}, its limit`);
  const other = cases.find((one) => one.name === caseAim?.of)?.ours;
  if (other) add(ours.perSecond / other.perSecond, caseAim.least, percent, `of ${caseAim.of}`);
  return rows;
}
