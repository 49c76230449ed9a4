import type { VNode } from 'preact';
import encodeQr from 'qr';

/** ISO/IEC 18004: light modules around the code, without which scanners do not find it. */
const QUIET_ZONE = 4;

/** Dark on light also on a dark page: many scanners know no other way. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(toPath).join('')} />
    </svg>
  );
}

/** Draws one bar for each run of dark modules. */
function toPath(row: readonly boolean[], y: number): string {
  const bars: string[] = [];
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    bars.push(`M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`);
  }
  return bars.join('');
}
