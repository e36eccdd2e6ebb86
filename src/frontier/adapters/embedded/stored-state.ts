/** `state` of a stored URL. Leased URLs are stored as queued. */
export const stored = { queued: 0, done: 1, excluded: 2, dead: 3 } as const
export type StoredState = (typeof stored)[keyof typeof stored]
