import { expect, it } from '@jest/globals';
import { toCurl } from './curl.js';

it('writes a command that a shell can run, without the token', () => {
  const command = toCurl({
    url: 'http://localhost:3000/management/v1/projects',
    method: 'POST',
    headers: { Authorization: 'Bearer secret-token', 'Content-Type': 'application/json' },
    body: '{"name":"Ilse\'s project"}',
  });
  expect(command).toBe(
    [
      "curl -X POST 'http://localhost:3000/management/v1/projects'",
      '-H "Authorization: Bearer $TOKEN"',
      "-H 'Content-Type: application/json'",
      "--data-raw '{\"name\":\"Ilse'\\''s project\"}'",
    ].join(' \\\n  '),
  );
});

it('does not print what has the form of a file', () => {
  expect(toCurl({ url: 'http://a/', method: 'put', body: { size: 3 } })).toContain("--data-binary '@file'");
});
