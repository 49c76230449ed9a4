import type { Report } from './report.js';

/** An organization of the document: its small members, and the lists that are read while they are written. */
export interface ConvertedOrg {
  readonly orgId: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly lists: ReadonlyArray<readonly [member: string, entries: () => AsyncIterable<object>]>;
}

const FLUSH_CHARACTERS = 65_536;

/** The text of the document, piece by piece; memory does not grow with its lists. */
export async function* writeDocument(orgs: readonly ConvertedOrg[], report: Report): AsyncGenerator<string> {
  let text = '{"orgs":[';
  for (const [place, { orgId, members, lists }] of orgs.entries()) {
    // First, so that a reader knows which organization everything after it belongs to.
    text += `${place === 0 ? '' : ','}{"orgId":${JSON.stringify(orgId)}`;
    report.wrote('organizations');
    for (const [member, value] of Object.entries(members)) {
      if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
      text += `,${JSON.stringify(member)}:${JSON.stringify(value)}`;
      if (Array.isArray(value)) value.forEach(() => report.wrote(member));
    }
    for (const [member, entries] of lists) {
      let isFirst = true;
      text += `,${JSON.stringify(member)}:[`;
      for await (const entry of entries()) {
        text += `${isFirst ? '' : ','}${JSON.stringify(entry)}`;
        isFirst = false;
        report.wrote(member);
        if (text.length < FLUSH_CHARACTERS) continue;
        yield text;
        text = '';
      }
      text += ']';
    }
    text += '}';
  }
  yield `${text}]}\n`;
}
