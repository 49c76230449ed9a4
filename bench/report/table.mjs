/** Columns of text, numbers to the right. */
export function table(header, rows) {
  const all = [header, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const numeric = header.map((_, column) =>
    rows.every((row) => /^[\d.,]*( ×|%| ms| MB|\*)?$|^–$/.test(String(row[column] ?? ''))),
  );
  const line = (row) =>
    row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [line(all[0]), widths.map((width) => '─'.repeat(width)).join('  '), ...all.slice(1).map(line)].join('\n');
}

/** Three significant figures, and whole numbers from 100 on. */
export function short(number) {
  if (number === undefined || Number.isNaN(number)) return '–';
  if (number >= 100) return Math.round(number).toLocaleString('en-US');
  if (number >= 10) return number.toFixed(1);
  return number >= 1 ? number.toFixed(2) : number.toFixed(3);
}

export function percent(share) {
  return share === undefined ? '–' : `${Math.round(share * 100)}%`;
}

export function times(multiple) {
  return multiple === undefined ? '–' : `${multiple.toFixed(multiple < 10 ? 1 : 0)} ×`;
}
