import { expect } from '@jest/globals';
import type { ContractCase } from '../../../src/extension/testing/contract/contract.js';

/** What is wrong by a contract: the message of each case that fails, by the end of its name after the colon. */
export async function brokenIn(cases: readonly ContractCase[], only?: RegExp): Promise<Record<string, string>> {
  const messages: Record<string, string> = {};
  for (const { name, run } of cases.filter((one) => only?.test(one.name) ?? true))
    await run().catch((error: Error) => {
      // A sentence for the author of the part, and not a defect of the suite.
      expect([error.name, error.stack]).toEqual(['ContractBroken', expect.anything()]);
      messages[name.replace(/^[^:]*: /, '')] = error.message;
    });
  return messages;
}
