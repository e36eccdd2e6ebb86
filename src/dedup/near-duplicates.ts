import type { CanonicalUrl } from '../url/keys.ts'

/** Finds texts that are nearly equal by their SimHash. */
export interface NearDuplicates extends AsyncDisposable {
  /**
   * Answers the earliest remembered URL whose fingerprint is within `distance` bits (at most 3), and remembers this one if
   * there is none: so every near-duplicate points at one original. Asked again for the same URL, it answers the same.
   */
  findOrAdd(url: CanonicalUrl, simhash: string): Promise<CanonicalUrl | undefined>
}
