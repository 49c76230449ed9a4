import { cleanUps } from './global-setup.ts';

export default async function tearDown(): Promise<void> {
  while (cleanUps.length > 0) await cleanUps.pop()!();
}
