import type { PublicEvent } from './catalogue.js';

/** `docs/events.md`. */
export function eventsPage(events: readonly PublicEvent[]): string {
  const rowsOf = (level: PublicEvent['level']): string =>
    events
      .filter((event) => event.level === level)
      .map(
        ({ type, says, carries, since }) =>
          `| \`${type}\` | ${says} | ${carries.map((name) => `\`${name}\``).join(', ')} | ${since} |\n`,
      )
      .join('');
  return `# Events

The types of events that [webhooks](extending/webhooks.md) can ask for, and that listeners of [extensions](extending/README.md) may rely on. The journal has others, which can
change at any time; extensions declare [their own](extending/events.md), which \`GET /admin/v1/extensions\` lists. The third column names the members of the payload that leave the service with a webhook; listeners hear the whole payload. Payloads may get further members. This page is
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
