import type { Browser } from 'playwright-core';

interface Program {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

export declare function sharedChromium(program: Program): Promise<Browser>;
export declare function leaveChromium(): Promise<void>;
