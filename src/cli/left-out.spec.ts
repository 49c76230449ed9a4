import { describe, expect, it } from '@jest/globals';
import { DocumentEnd, leftOutLines } from './left-out.js';

function endOf(...chunks: readonly string[]): string[] {
  const end = new DocumentEnd();
  for (const chunk of chunks) end.look(Buffer.from(chunk));
  return end.leftOut;
}

describe('The end of a document', () => {
  it('reads what was left out, regardless of how the text is split', () => {
    const document = `{"orgs":[{"orgId":"${'1'.repeat(5_000)}"}],"leftOut":["app_key","session"]}`;
    expect(endOf(document)).toEqual(['app_key', 'session']);
    expect(endOf(...document)).toEqual(['app_key', 'session']);
    expect(endOf(document.slice(0, -20), document.slice(-20), '\n')).toEqual(['app_key', 'session']);
  });

  it('does not mistake other members for it: a member of an organization of that name, a document without a report', () => {
    expect(endOf('{"orgs":[{"orgId":"1","leftOut":["app_key"]}]}')).toEqual([]);
    expect(endOf('')).toEqual([]);
  });
});

describe('The keys of users', () => {
  it('are counted beside the report, and said in words', () => {
    const end = new DocumentEnd();
    end.look(Buffer.from('{"orgs":[],"usersWithKeys":1200,"leftOut":["passkey","security_key"]}'));
    expect(leftOutLines(end.leftOut, end.usersWithKeys)).toBe(
      'Left out:\n  passkeys and security keys (--with-passkeys includes them)\n  1,200 users have passkeys or security keys, and need a link to add new ones without them\n',
    );
    expect(new DocumentEnd().usersWithKeys).toBe(0);
  });
});

describe('What was left out', () => {
  it('names each kind with the option that includes it', () => {
    expect(leftOutLines(['app_key', 'machine_user_key', 'session'])).toBe(
      'Left out:\n  the keys of applications and service users (--with-keys includes them)\n  always: personal access tokens, sessions and tokens\n',
    );
  });

  it('is named as the service names it, where the command does not know it', () => {
    expect(leftOutLines(['hologram'])).toBe('Left out:\n  always: hologram\n');
  });

  it('names the extensions whose tables stay behind', () => {
    expect(leftOutLines(['ext_hr', 'ext_crm'])).toBe(
      'Left out:\n  always: the tables of the extension hr; the tables of the extension crm\n',
    );
  });

  it('is empty if the service did not report it', () => {
    expect(leftOutLines([])).toBe('');
  });
});
