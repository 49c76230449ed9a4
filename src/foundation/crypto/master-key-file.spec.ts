import { expect, it } from '@jest/globals';
import { loadMasterKey } from './master-key-file.js';

it('A folder that cannot be written is told in a sentence with the settings that help', async () => {
  await expect(loadMasterKey('/dev/null/data')).rejects.toMatchObject({
    kind: 'FailedPrecondition',
    reason: 'master_key.file',
    message: expect.stringMatching(/DATA_DIR.*MASTER_KEY/),
  });
});
