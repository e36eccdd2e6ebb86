import { setFlagsFromString } from 'node:v8'

/**
 * By then the program and its threads are loaded. Code that V8 or Node has kept is good for the flags it was made with:
 * set at once, every module of Node that is loaded later would be compiled.
 */
const LOADED_AFTER_MS = 1000

/** For flags that are part of what kept code is made for. */
export function setWhenLoaded(flag: string): void {
  setTimeout(() => setFlagsFromString(flag), LOADED_AFTER_MS).unref()
}
