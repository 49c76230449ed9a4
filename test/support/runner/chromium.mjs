import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { statfsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { outsideOfFiles } from './outside-of-files.mjs';

/**
 * The Chromium of one jest worker: its start and its end take as long as a dozen pages, so that the files share it, and close what
 * they have opened in it. Loaded by Node itself, so that it outlives the files (native-modules.mjs).
 */

/** The memory of one that nobody uses is of more use to others. */
const IDLE_MS = 20_000;

/**
 * Those of one site share a process, also when the window has been at another site meanwhile: a new one compiles everything anew that
 * the tests and playwright run in pages.
 */
const ARGUMENTS = ['--renderer-process-limit=1'];

const SHARED_MEMORY = '/dev/shm';
/** What the pictures of its pages take, by far; a container may have 64 MB. */
const ROOM_BYTES = 1_000_000_000;

/** @type {import('playwright-core').Browser | undefined} */
let browser;
let closing;

/**
 * @param {{ executablePath: string; args: string[]; env: Record<string, string> }} program
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function sharedChromium({ args, ...program }) {
  clearTimeout(closing);
  if (!browser?.isConnected()) {
    browser = await outsideOfFiles(() => launch({ ...program, args: [...args, ...ARGUMENTS] }));
  }
  return browser;
}

/** Closes everything that a file has opened. */
export async function leaveChromium() {
  await Promise.all(browser.contexts().map((context) => context.close()));
  const idle = browser;
  const close = () => {
    browser = undefined;
    void idle.close();
  };
  closing = outsideOfFiles(() => setTimeout(close, IDLE_MS).unref());
}

/** The worker does not wait for it: playwright ends it with the worker. */
async function launch(options) {
  const children = [];
  const remember = ({ process }) => children.push(process);
  subscribe('child_process', remember);
  try {
    // By playwright's defaults the processes of Chromium share files on the disk, and drawing a page takes a fifth more.
    const notWanted = isRoomInMemory() ? ['--disable-dev-shm-usage'] : [];
    return await chromium.launch({ ...options, ignoreDefaultArgs: notWanted });
  } finally {
    unsubscribe('child_process', remember);
    for (const child of children) {
      child.unref();
      for (const stream of child.stdio) stream?.unref?.();
    }
  }
}

function isRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
