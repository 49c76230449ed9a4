import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../foundation/config/config.js';
import type { FirstStart } from './first-start.service.js';
import { writePrivateFile } from './private-file.js';

/** Writes what the first start shows nowhere else, readable by the owner alone. */
export async function writeFirstRunFiles(firstStart: FirstStart, config: Config): Promise<void> {
  const { tokenPath, development } = config.firstStart;
  if (tokenPath !== undefined && firstStart.personalAccessToken)
    await writePrivateFile(tokenPath, `${firstStart.personalAccessToken.reveal()}\n`);
  if (development) await writeDevelopmentFiles(firstStart, config);
}

/** Writes what a newcomer and their scripts need. */
async function writeDevelopmentFiles(firstStart: FirstStart, config: Config): Promise<void> {
  const pat = firstStart.personalAccessToken?.reveal() ?? '';
  const { dataDir } = config.firstStart;
  const { clientId, redirectUris } = config.demo;
  const content = {
    issuer: config.issuer.publicUrl,
    orgId: firstStart.orgId,
    projectId: firstStart.projectId,
    adminUserId: firstStart.adminUserId,
    adminLoginName: firstStart.adminLoginName,
    adminPassword: firstStart.adminPassword.reveal(),
    pat,
    ...(redirectUris[0] === undefined ? {} : { demoClientId: clientId, demoRedirectUri: redirectUris[0] }),
  };
  await mkdir(dataDir, { recursive: true });
  await writePrivateFile(join(dataDir, 'first-run.json'), `${JSON.stringify(content, null, 2)}\n`);
  await writePrivateFile(join(dataDir, 'admin.pat'), `${pat}\n`);
}
