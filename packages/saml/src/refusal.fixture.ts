import { SamlRefusal } from './refusal.js';

/** The word by which the work is refused; `accepted` if it is not, and the error itself if it is none of ours. */
export function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof SamlRefusal ? error.reason : String(error);
  }
  return 'accepted';
}
