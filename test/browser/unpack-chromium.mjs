/**
 * Unpacks Chromium into TMPDIR by the package's own means, and prints the path of the program. In a process of its own,
 * because the package takes its folder, and whether to bring its shared libraries along, from the environment.
 */
import chromium from '@sparticuz/chromium';

process.stdout.write(await chromium.executablePath());
