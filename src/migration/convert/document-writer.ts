import { type ConvertedOrg, LIST_NAMES, POLICY_NAMES, toWire } from './document.js';
import type { Report } from './report.js';

const FLUSH_CHARACTERS = 65_536;

/** The text of the document, piece by piece; memory does not grow with its long lists. */
export async function* writeDocument(
  orgs: Iterable<ConvertedOrg> | AsyncIterable<ConvertedOrg>,
  report: Report,
): AsyncGenerator<string> {
  let text = '{"orgs":[';
  let isFirstOrg = true;
  for await (const org of orgs) {
    text += `${isFirstOrg ? '' : ','}${JSON.stringify(inMemory(org, report)).slice(0, -1)}`;
    isFirstOrg = false;
    for (const [list, entries] of org.longLists) {
      let isFirst = true;
      text += `,${JSON.stringify(list)}:[`;
      for await (const entry of entries()) {
        text += `${isFirst ? '' : ','}${JSON.stringify(toWire.entry(list, entry))}`;
        isFirst = false;
        report.wrote(list);
        if (text.length < FLUSH_CHARACTERS) continue;
        yield text;
        text = '';
      }
      text += ']';
    }
    text += '}';
    if (text.length < FLUSH_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}]}\n`;
}

/** Begins with the id, so that a reader knows which organization everything after it belongs to. */
function inMemory({ about, policies, shortLists, extensions }: ConvertedOrg, report: Report): object {
  const org: Record<string, unknown> = { ...toWire.about(about) };
  report.wrote('organizations');
  for (const name of POLICY_NAMES) {
    const policy = policies[name];
    if (policy) org[name] = toWire.policy(name, policy);
  }
  for (const list of LIST_NAMES) {
    const entries: readonly object[] = shortLists[list] ?? [];
    if (entries.length === 0) continue;
    org[list] = entries.map((entry) => toWire.entry(list, entry));
    entries.forEach(() => report.wrote(list));
  }
  if (extensions && Object.keys(extensions).length > 0) org['extensions'] = extensions;
  return org;
}
