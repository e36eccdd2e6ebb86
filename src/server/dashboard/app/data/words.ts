import { ApiError } from '../../../client.ts'

/** An error in one sentence for the reader. */
export function inWords(error: unknown): string {
  if (error instanceof ApiError) {
    const faults = error.problem.faults?.map(({ at, message }) => (at === '' ? message : `${at}: ${message}`)) ?? []
    return [error.problem.detail, ...faults].join(' ')
  }
  if (error instanceof TypeError) return 'The server does not answer.'
  return error instanceof Error ? error.message : String(error)
}
