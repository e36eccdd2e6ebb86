import * as z from 'zod'

/**
 * Settings are checked once in a process: code that is made for that takes longer than it saves. To be imported before the
 * schemas, which look at this when they are made.
 */
z.config({ jitless: true })
