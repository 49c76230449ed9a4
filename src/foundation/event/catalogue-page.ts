import type { CarriedMember, PublicEvent } from './catalogue.js';

const KINDS: Readonly<Record<CarriedMember, string>> = {
  text: 'text',
  texts: 'list of texts',
  number: 'number',
  boolean: 'true or false',
  'text?': 'text, not always there',
  'texts?': 'list of texts, not always there',
  'number?': 'number, not always there',
  'boolean?': 'true or false, not always there',
};

/** `docs/events.md`. */
export function eventsPage(events: readonly PublicEvent[]): string {
  const rowsOf = (level: PublicEvent['level']): string =>
    events
      .filter((event) => event.level === level)
      .map(
        ({ type, says, carries, since }) =>
          `| \`${type}\` | ${says} | ${Object.entries(carries)
            .map(([name, kind]) => `\`${name}\`: ${KINDS[kind]}`)
            .join('; ')} | ${since} |\n`,
      )
      .join('');
  return `# Events

The types of events that [webhooks](extending/webhooks.md) can ask for, and that listeners of [extensions](extending/README.md) may rely on. The journal has others, which can
change at any time; extensions declare [their own](extending/events.md), which \`GET /admin/v1/extensions\` lists. The third column names the members of the payload that leave the service with a webhook, and what they are in JSON; listeners hear the whole payload. Payloads may get further members. Beside it, each event says
what it is about (\`aggregateId\`), in which organization (\`orgId\`), who has done it (\`editorId\`) and when ([webhooks](extending/webhooks.md#what-is-called), [listeners](extending/listeners.md)). This page is
made from \`src/foundation/event/catalogue.ts\`, and a test keeps it equal.

## About an organization and what it owns

| Type | What has happened | Payload | Since |
|---|---|---|---|
${rowsOf('org')}
## About the instance

| Type | What has happened | Payload | Since |
|---|---|---|---|
${rowsOf('instance')}`;
}
