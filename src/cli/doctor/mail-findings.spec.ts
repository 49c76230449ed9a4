import { expect, it } from '@jest/globals';
import { parseConfig } from '../../foundation/config/parse-config.js';
import { examineMail } from './mail-findings.js';

it('A service without a mail server is noted with the remedy, and not wrong: it need not send any', async () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.test',
    DATABASE_URL: 'postgres://db/x',
    MASTER_KEY: 'sixteen letters!',
  };
  const findings = await examineMail(parseConfig(production, { readFile: () => '', terminal: false }));
  expect(findings).toMatchObject([{ state: 'note', remedy: expect.stringContaining('SMTP_URL') }]);
});
