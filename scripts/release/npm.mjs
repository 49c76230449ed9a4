import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs npm in a folder.
 * @returns {Promise<string>} what it wrote to its output
 * @throws Error with what it wrote to its errors
 */
export async function npm(folder, ...args) {
  const child = spawn('npm', args, {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [written, said] = [child.stdout, child.stderr].map(async (stream) => {
    stream.setEncoding('utf8');
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${await said}`);
  return written;
}
